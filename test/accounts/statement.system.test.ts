/** The statement against the books: every balance is the sum of what stands above it, and the last one is the wallet's. */
import { assert, layer } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { exportStatement } from "../../src/accounts/statement-export.ts"
import type { CallRecord } from "../../src/domain/call.ts"
import { type AccountId, makeCallId } from "../../src/domain/ids.ts"
import { formatVnd, type MicroVnd } from "../../src/domain/money.ts"
import { closeMonth, findMonthToClose } from "../../src/storage/months/close-month.ts"
import { Database, type Sql } from "../../src/storage/Database.ts"
import { readStatement, type StatementLine } from "../../src/storage/calls/StatementStore.ts"
import { readBalance } from "../../src/storage/WalletStore.ts"
import { Random } from "../Random.ts"
import { openAccount } from "./open-account.ts"
import { TestDatabase } from "./test-database.ts"
import { callOf, writeCalls } from "./write-calls.ts"

const dayMs = 86_400_000
const hcmOffsetMs = 7 * 3_600_000
const tomorrowMs = Math.floor((Date.now() + hcmOffsetMs) / dayMs) * dayMs - hcmOffsetMs + dayMs
const days = 70
const models = ["claude-opus-5", "gpt-6.1-sol", "=svc/nova"]

const dayOf = (ms: number) => new Date(ms + hcmOffsetMs).toISOString().slice(0, 10)

interface Entry {
  readonly atMs: number
  readonly source: "credit" | "top_up"
  readonly amount: bigint
  readonly reason: string
}

/** As the ledger's own functions write it, at a time of one's choice. */
const writeEntries = (sql: Sql, accountId: AccountId, entries: ReadonlyArray<Entry>) =>
  sql.begin(async (transaction) => {
    for (const [index, { amount, atMs, reason, source }] of entries.entries()) {
      await transaction`insert into ledger_entries (account_id, at, source, source_id, amount_micro_vnd, reason)
        values (${accountId}, ${new Date(atMs)}, ${source}, ${`${accountId}:${index}`}, ${amount}, ${reason})`
      await transaction`update wallets set booked_micro_vnd = booked_micro_vnd + ${amount} where account_id = ${accountId}`
    }
  })

const within = (random: Random) => tomorrowMs - 1 - random.below(days * dayMs)

/** Some are free, some failed, some are on the edge of a day. */
const callsOf = (accountId: AccountId, random: Random, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const atMs =
      index % 10 === 0
        ? Math.floor(within(random) / dayMs) * dayMs - hcmOffsetMs - (index % 20 === 0 ? 1 : 0)
        : within(random)
    const isFree = random.below(5) === 0
    const inputTokens = random.below(900)
    const perMtokVnd = 1 + random.below(2_000_000)
    return callOf(accountId, 0, {
      callId: makeCallId(atMs),
      atMs,
      model: models[random.below(models.length)]!,
      status: isFree ? 502 : 200,
      inputTokens,
      outputTokens: 3,
      perMtokVnd,
      cost: isFree ? 0n : BigInt(perMtokVnd) * BigInt(inputTokens + 3)
    })
  })

/** Besides, there are credits, corrections, several on one day. */
const fill = Effect.fnUntraced(function* (seed: number) {
  const database = yield* Database
  const random = new Random(seed)
  const { accountId } = yield* openAccount
  const calls = callsOf(accountId, random, 600)
  const entries = Array.from({ length: 40 }, (_, index): Entry => {
    const isTopUp = index % 2 === 0
    const amount = BigInt(1 + random.below(2_000_000_000))
    return {
      atMs: within(random),
      source: isTopUp ? "top_up" : "credit",
      amount: !isTopUp && index % 4 === 1 ? -amount : amount,
      reason: `=cause ${index}`
    }
  }).toSorted((a, b) => a.atMs - b.atMs)
  yield* writeCalls(calls)
  yield* database.run("write entries", (sql) => writeEntries(sql, accountId, entries))
  return { accountId, calls, entries, random, database }
})

/** The same from the calls and entries themselves: what stands on each line, without its balance. */
const expectedLines = (
  calls: ReadonlyArray<CallRecord>,
  entries: ReadonlyArray<Entry>,
  from: number,
  to: number
) => {
  const isWithin = ({ atMs }: { readonly atMs: number }) => atMs >= from && atMs < to
  const days = Map.groupBy(calls.filter(isWithin), ({ atMs, model }) => `${dayOf(atMs)} 1${model}`)
  const sums = [...days].map(([place, own]) => ({
    place,
    amount: -own.reduce((sum, { cost }) => sum + cost, 0n),
    detail: `${own.length} ${own.reduce((sum, { inputTokens }) => sum + inputTokens, 0)}`
  }))
  const credits = entries.filter(isWithin).map(({ amount, atMs, reason, source }, index) => ({
    place: `${dayOf(atMs)} 0${String(index).padStart(6, "0")}`,
    amount,
    detail: `${source === "top_up" ? source : amount > 0n ? "credit" : "correction"} ${reason}`
  }))
  return [...sums.filter(({ amount }) => amount !== 0n), ...credits]
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ amount, detail, place }) => `${place.slice(0, 10)} ${amount} ${detail}`)
}

const shown = (line: StatementLine) =>
  `${line.day} ${line.amount} ${line.kind === "calls" ? `${line.calls} ${line.inputTokens}` : `${line.kind} ${line.reason}`}`

const readAll = async (sql: Sql, accountId: AccountId, from: Date | undefined, to: Date, limit: number) => {
  const lines: Array<StatementLine> = []
  const filter = { accountId, from, to }
  let page = await readStatement(sql, filter, { after: undefined, limit })
  const { sums } = page
  lines.push(...page.lines)
  while (page.next !== undefined) {
    page = await readStatement(sql, filter, { after: page.next, limit })
    assert.deepStrictEqual(page.sums, sums)
    lines.push(...page.lines)
  }
  return { lines, sums }
}

layer(TestDatabase, { excludeTestServices: true, timeout: "60 seconds" })("a statement", (it) => {
  it.effect.each([1, 2, 3])("of any period is what the calls and entries say, seed %s", (seed) =>
    Effect.gen(function* () {
      const { accountId, calls, database, entries, random } = yield* fill(seed)
      const check = (calls: ReadonlyArray<CallRecord>) => async (sql: Sql) => {
        const balance = await readBalance(sql, accountId)
        for (let round = 0; round < 12; round++) {
          const toMs = tomorrowMs - (round === 0 ? 0 : random.below(days)) * dayMs
          const fromMs = round < 2 ? undefined : toMs - (1 + random.below(days)) * dayMs
          const limit = 1 + random.below(300)
          const from = fromMs === undefined ? undefined : new Date(fromMs)
          const { lines, sums } = await readAll(sql, accountId, from, new Date(toMs), limit)
          assert.deepStrictEqual(lines.map(shown), expectedLines(calls, entries, fromMs ?? 0, toMs))
          const before = [
            ...entries.map(({ amount, atMs }) => ({ amount, atMs })),
            ...calls.map(({ atMs, cost }) => ({ amount: -cost, atMs }))
          ].filter(({ atMs }) => atMs < (fromMs ?? 0))
          assert.strictEqual(
            sums.opening,
            before.reduce((sum, { amount }) => sum + amount, 0n)
          )
          let running = sums.opening
          for (const line of lines) assert.strictEqual(line.balance, (running += line.amount))
          assert.deepStrictEqual([sums.closing, sums.opening + sums.added + sums.taken], [running, running])
          if (round === 0) assert.strictEqual(sums.closing, balance)
        }
      }
      yield* database.run("check", check(calls))
      // Closed months count by other sums.
      yield* database.run("close months", async (sql) => {
        const month = await findMonthToClose(sql)
        if (month !== undefined) assert.strictEqual((await closeMonth(sql, month))._tag, "Closed")
      })
      yield* database.run("check again", check(calls))
      const late = callsOf(accountId, random, 100)
      yield* writeCalls(late)
      yield* database.run("check with late calls", check([...calls, ...late]))
    })
  )

  it.effect(
    "as CSV has every line with its balance, between that before and that after, and no formulas",
    () =>
      Effect.gen(function* () {
        const { accountId, database } = yield* fill(4)
        const filter = { accountId, from: new Date(tomorrowMs - 30 * dayMs), to: new Date(tomorrowMs) }
        const parts = yield* Stream.runCollect(
          exportStatement(filter, { forSpreadsheet: true, separator: ";" })
        )
        const rows = parts.join("").trimEnd().split("\r\n")
        const { lines, sums } = yield* database.run("read statement", (sql) =>
          readStatement(sql, filter, { after: undefined, limit: 10_000 })
        )
        const cellsOf = (line: StatementLine) =>
          line.kind === "calls"
            ? ["", "calls", line.model, "", line.calls, line.inputTokens, line.outputTokens]
            : [new Date(line.atMs).toISOString(), line.kind, "", line.reason, "", "", ""]
        const safe = (cell: string | number) => (String(cell).startsWith("=") ? `'${cell}` : String(cell))
        const money = (amount: MicroVnd) => formatVnd(amount).replace(".", ",")
        assert.deepStrictEqual(rows, [
          "\ufeffday;time;kind;model;description;calls;input_tokens;output_tokens;amount_vnd;balance_vnd",
          `;;opening_balance;;;;;;;${money(sums.opening)}`,
          ...lines.map((line) =>
            [line.day, ...cellsOf(line).map(safe), money(line.amount), money(line.balance)].join(";")
          ),
          `;;closing_balance;;;;;;;${money(sums.closing)}`
        ])
      })
  )

  it.effect("finds movements that lie months apart, in pages of any size", () =>
    Effect.gen(function* () {
      const database = yield* Database
      const { accountId } = yield* openAccount
      const random = new Random(5)
      const daysAgo = [0, 1, 15, 16, 17, 33, 300, 301, 1_000, 2_400]
      const calls = daysAgo.flatMap((ago) =>
        models.map((model) => {
          const atMs = tomorrowMs - 1 - ago * dayMs - random.below(dayMs)
          return callOf(accountId, 0, {
            callId: makeCallId(atMs),
            atMs,
            model,
            perMtokVnd: 7,
            cost: 7n * 13n
          })
        })
      )
      const entries = [2_399, 900, 2].map((ago): Entry => {
        const atMs = tomorrowMs - 1 - ago * dayMs
        return { atMs, source: "credit", amount: 1_000_000n, reason: `${ago} days ago` }
      })
      yield* writeCalls(calls)
      yield* database.run("write entries", (sql) => writeEntries(sql, accountId, entries))
      yield* database.run("check", async (sql) => {
        const expected = expectedLines(calls, entries, 0, tomorrowMs)
        for (const limit of [1, 2, 3, 7, expected.length, 200]) {
          const { lines, sums } = await readAll(sql, accountId, undefined, new Date(tomorrowMs), limit)
          assert.deepStrictEqual(lines.map(shown), expected)
          assert.strictEqual(lines.at(-1)?.balance, sums.closing)
        }
      })
    })
  )

  it.effect("of an account that moved nothing is empty, in both forms", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const filter = { accountId, from: undefined, to: new Date(tomorrowMs) }
      const parts = yield* Stream.runCollect(exportStatement(filter, { forSpreadsheet: false }))
      assert.deepStrictEqual(parts.join("").trimEnd().split("\n").slice(1), [
        ",,opening_balance,,,,,,,0",
        ",,closing_balance,,,,,,,0"
      ])
    })
  )
})
