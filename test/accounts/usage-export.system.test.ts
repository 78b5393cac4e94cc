import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { createKey } from "../../src/accounts/keys.ts"
import { exportUsage } from "../../src/accounts/usage-export.ts"
import { makeCallId } from "../../src/domain/ids.ts"
import { parseVnd } from "../../src/domain/money.ts"
import type { CallFilter } from "../../src/storage/calls/CallStore.ts"
import { Database } from "../../src/storage/Database.ts"
import { actor, openAccount } from "./open-account.ts"
import { TestDatabase } from "./test-database.ts"
import { arrivedAtMs, callOf, writeCalls } from "./write-calls.ts"

const header =
  "time,request_id,key_id,key_name,endpoint,model_requested,model,stream,status,error_type,input_tokens,output_tokens,estimated,cost_vnd,latency_ms,first_byte_ms"

const chunks = (filter: CallFilter, forSpreadsheet = false) =>
  Stream.runCollect(exportUsage(filter, { forSpreadsheet }))
const lines = (filter: CallFilter) =>
  Effect.map(chunks(filter), (parts) => parts.join("").trimEnd().split("\n"))

layer(TestDatabase, { excludeTestServices: true, timeout: "60 seconds" })("usage export", (it) => {
  it.effect("writes each call once, in order, over any number of pages", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      // Five calls share each millisecond, so that pages break between calls of one time.
      const calls = Array.from({ length: 5_000 }, (_, index) =>
        callOf(accountId, 0, { callId: makeCallId(arrivedAtMs), atMs: arrivedAtMs + Math.floor(index / 5) })
      )
      yield* writeCalls(calls)
      const parts = yield* chunks({ accountId })
      assert.strictEqual(parts.length, 4)
      const rows = parts.join("").trimEnd().split("\n")
      assert.strictEqual(rows[0], header)
      const expected = calls
        .toSorted((a, b) => a.atMs - b.atMs || (a.callId < b.callId ? -1 : 1))
        .map(({ callId }) => callId)
      assert.deepStrictEqual(
        rows.slice(1).map((row) => row.split(",")[1]),
        expected
      )
    })
  )

  it.effect("writes every column as promised", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* createKey({ accountId, name: "my laptop", actor })
      const call = callOf(accountId, 0, { keyId, estimated: true, stream: true })
      const refused = callOf(accountId, 1, {
        keyId,
        status: 402,
        errorType: "insufficient_balance",
        inputTokens: 0,
        outputTokens: 0,
        cost: 0n,
        firstByteMs: null
      })
      yield* writeCalls([call, refused])
      assert.deepStrictEqual(yield* lines({ accountId }), [
        header,
        `2026-11-15T03:00:00.000Z,${call.callId},${keyId},my laptop,messages,opus,claude-opus-5,true,200,,10,20,true,0.195,120,40`,
        `2026-11-15T03:00:01.000Z,${refused.callId},${keyId},my laptop,messages,opus,claude-opus-5,false,402,insufficient_balance,0,0,false,0,120,`
      ])
    })
  )

  it.effect("adds up to what the wallet was charged, to the micro-dong, whatever became of the calls", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const database = yield* Database
      const balance = database.run("read", async (sql) => {
        const [row] = await sql<[{ balance: bigint }]>`
          select balance_micro_vnd as balance from wallet_balances where account_id = ${accountId}`
        return row.balance
      })
      const before = yield* balance
      yield* writeCalls([
        callOf(accountId, 0, { cost: 1n }),
        callOf(accountId, 1, { cost: 9_007_199_254_740_993n }),
        callOf(accountId, 2, { status: 499, errorType: "client_closed_request", cost: 750_726_739n }),
        callOf(accountId, 3, { status: 402, errorType: "insufficient_balance", cost: 20n }),
        callOf(accountId, 4, { status: 502, errorType: "api_error", cost: 0n })
      ])
      const costs = (yield* lines({ accountId })).slice(1).map((row) => parseVnd(row.split(",")[13]!)!)
      assert.lengthOf(costs, 5)
      assert.strictEqual(
        costs.reduce((sum, cost) => sum + cost, 0n),
        before - (yield* balance)
      )
    })
  )

  it.effect("shows formulas as text and keeps quotes, commas and line breaks in their cell", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const names = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", 'a"b', "a,b", "a\nb", "a\rb", '=1,"2"']
      yield* writeCalls(names.map((modelRequested, index) => callOf(accountId, index, { modelRequested })))
      const cells = (yield* chunks({ accountId })).join("")
      const written = names.map((_, index) => {
        const row = new RegExp(
          `03:00:${String(index).padStart(2, "0")}[^]*?,messages,([^]*?),claude-opus-5`
        ).exec(cells)
        return row?.[1]
      })
      assert.deepStrictEqual(written, [
        "'=1+1",
        "'+1",
        "'-1",
        "'@SUM(A1)",
        "'\t=1",
        "'＝1",
        '"a""b"',
        '"a,b"',
        '"a\nb"',
        '"a\rb"',
        '"\'=1,""2"""'
      ])
    })
  )

  it.effect("keeps to the key and the period", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* createKey({ accountId, name: "a", actor })
      const calls = [0, 1, 2, 3].map((index) => callOf(accountId, index, index % 2 === 0 ? { keyId } : {}))
      yield* writeCalls(calls)
      const ids = (filter: Partial<CallFilter>) =>
        Effect.map(lines({ accountId, ...filter }), (rows) => rows.slice(1).map((row) => row.split(",")[1]))
      const [from, to] = [new Date(arrivedAtMs + 1000), new Date(arrivedAtMs + 3000)]
      assert.deepStrictEqual(yield* ids({ from, to }), [calls[1]!.callId, calls[2]!.callId])
      assert.deepStrictEqual(yield* ids({ keyId }), [calls[0]!.callId, calls[2]!.callId])
      assert.deepStrictEqual(yield* ids({ keyId, from }), [calls[2]!.callId])
    })
  )

  it.effect("leaves out calls that come in after it began", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      yield* writeCalls([callOf(accountId), callOf(accountId, 0, { atMs: Date.now() + 3_600_000 })])
      assert.strictEqual((yield* lines({ accountId })).length, 2)
    })
  )

  it.effect("tells calls of one millisecond apart by their microseconds", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const database = yield* Database
      yield* database.run(
        "write calls",
        (sql) => sql`
        insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, latency_ms)
        select 'req_micro' || (4000 - i), '2026-11-15T03:00:00Z'::timestamptz + i * interval '1 microsecond',
          ${accountId}, 'key', 'messages', 'm', 'm', false, 404, 1 from generate_series(1, 4000) as i`
      )
      const ids = (yield* lines({ accountId })).slice(1).map((row) => row.split(",")[1])
      assert.strictEqual(new Set(ids).size, 4000)
      assert.strictEqual(ids[0], "req_micro3999")
    })
  )

  it.effect("is a header alone where there were no calls", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      assert.deepStrictEqual([...(yield* chunks({ accountId }))], [`${header}\n`])
    })
  )

  it.effect(
    "begins with a byte order mark and breaks lines as Windows does where a spreadsheet opens it",
    () =>
      Effect.gen(function* () {
        const { accountId } = yield* openAccount
        yield* writeCalls([callOf(accountId)])
        const text = (yield* chunks({ accountId }, true)).join("")
        assert.isTrue(text.startsWith(`\ufeff${header}\r\n`))
        assert.match(text, /,120,40\r\n$/)
      })
  )
})
