/** Months of calls are closed into sums that the books are proven by, and may then go, to a file or for good. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterEach, beforeEach } from "vitest"
import type { RetentionSettings } from "../../src/config/settings.ts"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { audit } from "../../src/ledger/audit.ts"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { dropMonth, findMonthToDrop } from "../../src/storage/drop-month.ts"
import { tidyMonths } from "../../src/storage/keep-months.ts"
import { balanceOf, newCustomer } from "../ledger/start-ledger.ts"
import { Random, seeds } from "../Random.ts"
import { commitUnclaimed } from "./write-as-node.ts"
import { daysSinceEnd, makePastMonths, pastCall, pastCalls } from "./past-months.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql, withSql } from "./with-sql.ts"

const credit = 10n ** 12n
let database: TestDatabase
let sql: ReturnType<typeof openSql>
let folder: string
let accountId: AccountId
/** The months, oldest first: 4, 3, 2 and 1 ago, this one and the next two. The oldest goes back for ever. */
let months: ReadonlyArray<string>
beforeEach(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url)
  folder = mkdtempSync(join(tmpdir(), "tollgate-archive-"))
  accountId = (await newCustomer(database.url, credit)).accountId
  months = await makePastMonths(sql, 3)
})
afterEach(async () => {
  await sql.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

const run = <A, E>(effect: Effect.Effect<A, E, Database | DatabaseUrl>) => {
  const url = DatabaseUrl.layerOf(database.url)
  return Effect.runPromise(Effect.provide(effect, Database.layer.pipe(Layer.provideMerge(url))))
}

/** Answers what the log says. */
const tidy = async (retention: Partial<RetentionSettings> = {}): Promise<string> => {
  const said: Array<string> = []
  const logger = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
  await run(
    tidyMonths({ callsDays: undefined, archive: undefined, ...retention }).pipe(Effect.provide(logger))
  )
  return said.join("\n")
}

const write = (calls: ReadonlyArray<CallRecord>) => commitUnclaimed(sql, calls).then(() => calls)
const callsIn = (monthsAgo: number, count = 20) => pastCalls(accountId, monthsAgo, count)
const costOf = (calls: ReadonlyArray<CallRecord>) => calls.reduce((sum, { cost }) => sum + cost, 0n)
const names = async (where: string) =>
  (await sql.unsafe(`select name from call_months where ${where} order by starts_at`)).map((row) =>
    String(row["name"])
  )
const violated = async (scope: "open" | "all") => [
  ...new Set((await run(audit(scope))).violations.map(({ check }) => check))
]

/** What must hold whatever was closed or dropped: every one of these calls is charged once. */
const verify = async (charged: ReadonlyArray<CallRecord>) => {
  for (const scope of ["open", "all"] as const) {
    const report = await run(audit(scope))
    assert.deepStrictEqual(report, {
      ok: true,
      wallets: 1,
      entries: 1,
      calls: charged.length,
      violations: []
    })
  }
  assert.strictEqual(await balanceOf(database.url, accountId), credit - costOf(charged))
}

describe("months that are over", () => {
  it("are closed, all but those that are too young, and the books are proven as before", async () => {
    const calls = await write([4, 3, 2, 0].flatMap((ago) => callsIn(ago)))
    await verify(calls)
    assert.include(await tidy(), `Closed the calls of ${months[2]}: 20`)
    const closed = await names("closed_at is not null")
    assert.includeMembers(closed, months.slice(0, 3) as Array<string>)
    assert.notIncludeMembers(closed, months.slice(4) as Array<string>)
    await verify(calls)
    assert.strictEqual(await tidy(), "")
  })

  it("count by their sums, which no audit takes on trust", async () => {
    await write([3, 2].flatMap((ago) => callsIn(ago)))
    await tidy()
    const undo = async (change: string, back: string, expected: Record<"open" | "all", Array<string>>) => {
      assert.isAbove((await sql.unsafe(change)).count, 0)
      for (const scope of ["open", "all"] as const)
        assert.deepStrictEqual(await violated(scope), expected[scope])
      await sql.unsafe(back)
      assert.deepStrictEqual(await violated("all"), [])
    }
    const one = `calls_${months[1]}`
    // Nobody reads the calls themselves again unless told to.
    await undo(
      `update ${one} set cost_micro_vnd = cost_micro_vnd + 1 where status = 200`,
      `update ${one} set cost_micro_vnd = cost_micro_vnd - 1 where status = 200`,
      { open: [], all: ["cost", "usage_hours"] }
    )
    for (const [table, open] of [
      ["usage_months", ["balance", "month"]],
      ["call_months", ["month"]]
    ] as const) {
      const all = table === "usage_months" ? [...open, "usage_months"] : [...open]
      await undo(
        `update ${table} set cost_micro_vnd = cost_micro_vnd + 5 where calls > 0`,
        `update ${table} set cost_micro_vnd = cost_micro_vnd - 5 where calls > 0`,
        { open: [...open], all }
      )
    }
    await undo(
      `update usage_hours set failed_calls = failed_calls + 1 where hour < '${new Date(Date.now() - 40 * 86_400_000).toISOString()}'`,
      `update usage_hours set failed_calls = failed_calls - 1 where hour < '${new Date(Date.now() - 40 * 86_400_000).toISOString()}'`,
      { open: [], all: ["usage_hours", "usage_months"] }
    )
  })

  it("take up calls that come late, each once, however often they come", async () => {
    const [first, late] = [callsIn(3), callsIn(3, 9).concat(callsIn(4, 3))]
    await write(first)
    await tidy()
    await write([...first.slice(0, 5), ...late.slice(0, 6)])
    await verify([...first, ...late.slice(0, 6)])
    await write([...late, ...first])
    await verify([...first, ...late])
  })

  it("stay open where the books disagree, and so do all after them", async () => {
    const calls = await write([3, 2].flatMap((ago) => callsIn(ago)))
    await sql.unsafe(`update calls_${months[1]} set input_tokens = 11 where id = '${calls[0]!.callId}'`)
    assert.match(await tidy(), /can not be closed, since the books disagree \(cost, req_/)
    assert.deepStrictEqual(await names("closed_at is not null"), [months[0]])
    assert.deepStrictEqual(await violated("open"), ["cost", "usage_hours"])
    await sql.unsafe(`update calls_${months[1]} set input_tokens = 10 where id = '${calls[0]!.callId}'`)
    await tidy()
    await verify(calls)
  })

  it.each(seeds(2))("are closed exactly while calls of theirs come, seed %i", async (seed) => {
    const random = new Random(seed)
    const calls = [...callsIn(3, 60), ...callsIn(2, 60), ...callsIn(0, 20)]
    const writer = async () => {
      await withSql(database.url, async (own) => {
        for (let turn = 0; turn < 12; turn++) {
          const batch = Array.from({ length: 1 + random.below(10) }, () => random.pick(calls))
          await commitUnclaimed(own, batch)
        }
        await commitUnclaimed(own, calls)
      })
    }
    const tidier = async () => {
      for (let turn = 0; turn < 4; turn++) await tidy()
    }
    await Promise.all([writer(), writer(), tidier(), tidier()])
    await tidy()
    assert.includeMembers(await names("closed_at is not null"), months.slice(0, 3) as Array<string>)
    await verify(calls)
  })
})

describe("calls that are old enough", () => {
  it("are kept for ever where nothing else is said, and while their month is not closed", async () => {
    const calls = await write([4, 3, 2].flatMap((ago) => callsIn(ago)))
    await tidy()
    assert.deepStrictEqual(await names("dropped_at is not null"), [])
    await sql`update call_months set closed_at = null`
    assert.isUndefined(await findMonthToDrop(sql, 1))
    await sql`update call_months set closed_at = now() where calls > 0`
    await verify(calls)
  })

  it("go by whole months, and leave balances, sums and what is proven as it was", async () => {
    const calls = await write([4, 3, 2, 0].flatMap((ago) => callsIn(ago)))
    const usage = await sql`select * from usage_hours order by hour, key_id`
    const callsDays = await daysSinceEnd(sql, months[1]!)
    const said = await tidy({ callsDays })
    assert.include(said, `Dropped the calls of ${months[0]}: 20`)
    assert.include(said, `Dropped the calls of ${months[1]}: 20`)
    assert.deepStrictEqual(await names("dropped_at is not null"), months.slice(0, 2) as Array<string>)
    const [{ left }] = await sql<[{ left: number }]>`select count(*)::int4 as left from calls`
    assert.strictEqual(left, 40)
    await verify(calls)
    assert.deepStrictEqual([...(await sql`select * from usage_hours order by hour, key_id`)], [...usage])
    assert.strictEqual(await tidy({ callsDays }), "")
  })

  it("are noted, but not charged, where they come after that, since nobody knows whether they were", async () => {
    const calls = await write(callsIn(3))
    await tidy({ callsDays: await daysSinceEnd(sql, months[1]!) })
    const late = pastCall(accountId, 3, 7)
    await write([calls[0]!, late])
    await write([late])
    await verify(calls)
    const noted = await sql<Array<{ id: string; cost: bigint }>>`
      select id, cost_micro_vnd as cost from late_calls order by id`
    assert.deepStrictEqual(new Set(noted.map(({ id }) => id)), new Set([calls[0]!.callId, late.callId]))
    assert.match(await tidy(), /2 calls came after their month was dropped and are not charged \(390000 µVND/)
    assert.strictEqual(await tidy(), "")
  })

  it("are written to a file first that gives them back as they were", async () => {
    const texts = ["", '"', "a,b", "ü 😀", "a\nb", "\\.", "NULL"]
    const calls = await write([
      ...callsIn(3, 2_100),
      ...texts.map((text, index) =>
        pastCall(accountId, 3, index, {
          modelRequested: text,
          errorType: text,
          storedIdHash: Buffer.from("ff00", "hex")
        })
      ),
      pastCall(accountId, 3, 0, {
        firstByteMs: null,
        perMtokVnd: null,
        perRequestVnd: 195,
        cost: 195_000_000n
      })
    ])
    const before = await sql`select * from calls order by id`
    assert.include(
      await tidy({ callsDays: await daysSinceEnd(sql, months[1]!), archive: folder }),
      `written to ${folder}/calls-${months[1]}.csv.gz`
    )
    assert.deepStrictEqual(readdirSync(folder), [`calls-${months[1]}.csv.gz`])
    assert.deepStrictEqual(
      [...(await sql`select name, archive from call_months where archive is not null`)],
      [{ name: months[1], archive: `calls-${months[1]}.csv.gz` }]
    )
    const text = gunzipSync(readFileSync(join(folder, `calls-${months[1]}.csv.gz`))).toString()
    await sql`create table restored (like calls)`
    const copy = await sql.unsafe("copy restored from stdin with (format csv, header match)").writable()
    await new Promise((resolve, reject) => copy.on("finish", resolve).on("error", reject).end(text))
    assert.deepStrictEqual([...(await sql`select * from restored order by id`)], [...before])
    await verify(calls)
  })

  it("stay where the file can not be written, and are written later", async () => {
    const calls = await write(callsIn(3))
    const taken = join(folder, "taken")
    writeFileSync(taken, "")
    const refused = await run(
      Effect.flip(tidyMonths({ callsDays: await daysSinceEnd(sql, months[1]!), archive: taken }))
    )
    assert.match(refused.message, /Could not write the calls of \d{6} to .*, so they are kept: E[A-Z]+$/)
    assert.notInclude(await names("dropped_at is not null"), months[1])
    writeFileSync(join(folder, `calls-${months[1]}.csv.gz`), "of another database")
    await tidy({ callsDays: await daysSinceEnd(sql, months[1]!), archive: folder })
    assert.strictEqual(readFileSync(join(folder, `calls-${months[1]}.csv.gz`), "utf8"), "of another database")
    assert.include(readdirSync(folder), `calls-${months[1]}-2.csv.gz`)
    await verify(calls)
  })

  it("stay where one more came since they were written", async () => {
    const calls = await write(callsIn(3))
    await tidy()
    const days = await daysSinceEnd(sql, months[1]!)
    assert.isTrue(await dropMonth(sql, (await findMonthToDrop(sql, days))!, undefined))
    const month = (await findMonthToDrop(sql, days))!
    assert.strictEqual(month.name, months[1])
    assert.isFalse(await dropMonth(sql, month, { fileName: "calls.csv.gz", calls: 19 }))
    await verify(calls)
    assert.isTrue(await dropMonth(sql, month, { fileName: "calls.csv.gz", calls: 20 }))
    await verify(calls)
  })

  it("wait for who reads them, and hold up commits for a moment only", async () => {
    const calls = await write(callsIn(3))
    await tidy()
    const reader = openSql(database.url)
    try {
      await reader.unsafe("begin; select count(*) from calls")
      const month = (await findMonthToDrop(sql, await daysSinceEnd(sql, months[0]!)))!
      const dropping = withSql(database.url, (own) => dropMonth(own, month, undefined)).catch(
        (error: { code?: string }) => error.code
      )
      const more = await write(callsIn(0, 3))
      assert.strictEqual(await dropping, "55P03")
      await reader.unsafe("rollback")
      assert.isTrue(await dropMonth(sql, month, undefined))
      await verify([...calls, ...more])
    } finally {
      await reader.end()
    }
  })
})
