/** Calls of closed months may go, to a file or for good, and the books are proven as before. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterEach, beforeEach } from "vitest"
import { countDroppedCalls } from "../../src/accounts/usage-export.ts"
import { listKeys } from "../../src/accounts/keys.ts"
import { noExtras } from "../../src/domain/call.ts"
import { retentionPart } from "../../src/config/settings-parts.ts"
import type { RetentionSettings } from "../../src/config/settings.ts"
import type { CallFilter } from "../../src/storage/calls/CallStore.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { writeNodeSettings } from "../../src/storage/NodeSettingsStore.ts"
import { registerNode } from "../../src/storage/NodeStore.ts"
import { dropMonth, findMonthToDrop } from "../../src/storage/months/drop-month.ts"
import { lookAfterMonths, tidyMonths } from "../../src/storage/months/keep-months.ts"
import { middleOf, pastCall } from "./past-months.ts"
import { startMonths, type TestMonths } from "./start-months.ts"
import { openSql, withSql } from "./with-sql.ts"

let months: TestMonths
let folder: string
beforeEach(async () => {
  months = await startMonths()
  folder = mkdtempSync(join(tmpdir(), "tollgate-archive-"))
})
afterEach(async () => {
  await months.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("calls that are old enough", () => {
  it("are kept for ever where nothing else is said, and while their month is not closed", async () => {
    const calls = await months.write([4, 3, 2].flatMap((ago) => months.callsIn(ago)))
    await months.tidy()
    assert.deepStrictEqual(await months.monthsWhere("dropped_at is not null"), [])
    await months.sql`begin`
    await months.sql`update call_months set closed_at = null`
    assert.isUndefined(await findMonthToDrop(months.sql, 1))
    await months.sql`rollback`
    await months.verify(calls)
  })

  it("go by whole months, and leave balances, sums and what is proven as it was", async () => {
    const calls = await months.write([4, 3, 2, 0].flatMap((ago) => months.callsIn(ago)))
    const usage = await months.sql`select * from usage_hours order by hour, key_id`
    const callsDays = await months.daysSince(months.names[1]!)
    const said = await months.tidy({ callsDays })
    assert.include(said, `Dropped the calls of ${months.names[0]}: 20`)
    assert.include(said, `Dropped the calls of ${months.names[1]}: 20`)
    assert.deepStrictEqual(await months.monthsWhere("dropped_at is not null"), months.names.slice(0, 2))
    const [{ left }] = await months.sql<[{ left: number }]>`select count(*)::int4 as left from calls`
    assert.strictEqual(left, 40)
    await months.verify(calls)
    assert.deepStrictEqual(
      [...(await months.sql`select * from usage_hours order by hour, key_id`)],
      [...usage]
    )
    assert.strictEqual(await months.tidy({ callsDays }), "")
  })

  it("go at the second look by the same settings: the first one says what these let go", async () => {
    const calls = await months.write([4, 3].flatMap((ago) => months.callsIn(ago)))
    const [first, second] = months.names
    const look = lookAfterMonths()
    const one = { callsDays: await months.daysSince(first!) }
    const both = { callsDays: await months.daysSince(second!) }
    const warning = (names: string, count: number, { callsDays }: typeof one, place: string) =>
      `retention.calls_days is ${callsDays}: in 6 hours the calls of ${names} go for good, ${count} in all, and ${place}`
    const gone = () => months.monthsWhere("dropped_at is not null")
    await months.tidy({}, look)
    assert.strictEqual(await months.tidy(one, look), warning(first!, 20, one, "are written nowhere"))
    assert.deepStrictEqual(await gone(), [])
    const said = await months.tidy({ ...both, archive: folder }, look)
    assert.strictEqual(said, warning(`${first}, ${second}`, 40, both, `are written to ${folder} before`))
    assert.deepStrictEqual(await gone(), [])
    assert.strictEqual(await months.tidy({}, look), "")
    await months.tidy(one, look)
    assert.include(await months.tidy(one, look), `Dropped the calls of ${first}: 20`)
    assert.deepStrictEqual(await gone(), [first!])
    await months.verify(calls)
  })

  it("go once the other nodes that live are to keep them no longer either", async () => {
    const calls = await months.write(months.callsIn(4))
    const callsDays = await months.daysSince(months.names[0]!)
    const retention = { callsDays, archive: undefined }
    const other = await registerNode(months.sql as unknown as Sql, crypto.randomUUID(), [])
    const tell = (retention: RetentionSettings) =>
      writeNodeSettings(months.sql as unknown as Sql, other.id, { retention: retentionPart(retention) })
    await tell({ ...retention, archive: folder })
    assert.include(
      await months.tidy(retention),
      "Other nodes of this database have another retention: no calls go until it is the same on all"
    )
    assert.deepStrictEqual(await months.monthsWhere("dropped_at is not null"), [])
    await tell(retention)
    assert.include(await months.tidy(retention), `Dropped the calls of ${months.names[0]}: 20`)
    await months.verify(calls)
  })

  it("go by and by where the clock leaps, which an operator is told of, and at once where it goes on as ever", async () => {
    const calls = await months.write([4, 3].flatMap((ago) => months.callsIn(ago)))
    await months.sql`update tidy_clock set looked_at = now() - interval '2 years', present = now() - interval '2 years'`
    const callsDays = await months.daysSince(months.names[1]!)
    assert.match(
      await months.tidy({ callsDays }),
      /clock has leapt to .* as of .*, and eight days later each day/
    )
    assert.deepStrictEqual(await months.monthsWhere("closed_at is not null"), [])
    const isBehindBy = async (days: number) => {
      const [row] = await months.sql<[{ days: number }]>`
        select round(extract(epoch from now() - tidy_now()) / 86400)::int4 as days from tidy_clock`
      return assert.strictEqual(row.days, days)
    }
    const [{ leap }] = await months.sql<[{ leap: number }]>`
      select round(extract(epoch from now() - (now() - interval '2 years')) / 86400)::int4 as leap`
    await isBehindBy(leap - 2)
    await months.tidy({ callsDays })
    await isBehindBy(leap - 2)
    await months.sql`update tidy_clock set looked_at = now() - interval '6 hours'`
    await months.tidy({ callsDays })
    await isBehindBy(leap - 4)
    // Set back, it is as it was.
    await months.sql`update tidy_clock set looked_at = now() + interval '1 day', present = now() + interval '1 day'`
    assert.include(await months.tidy({ callsDays }), `Dropped the calls of ${months.names[1]}: 20`)
    await isBehindBy(0)
    await months.verify(calls)
  })

  it("leave their revenue in what margins are made of, and the audit finds where it is another", async () => {
    const calls = await months.write([4, 3, 2].flatMap((ago) => months.callsIn(ago)))
    await months.tidy({ callsDays: await months.daysSince(months.names[1]!) })
    const first = "day = (select min(day) from purchase_days)"
    await months.sql.unsafe(
      `update purchase_days set revenue_micro_vnd = revenue_micro_vnd + 7 where ${first}`
    )
    assert.deepStrictEqual(await months.broken("open"), [])
    assert.deepStrictEqual(await months.broken("all"), ["purchase_days"])
    await months.sql.unsafe(
      `update purchase_days set revenue_micro_vnd = revenue_micro_vnd - 7 where ${first}`
    )
    await months.verify(calls)
  })

  it("are noted, but not charged, where they come after that, since nobody knows whether they were", async () => {
    const calls = await months.write(months.callsIn(3))
    await months.tidy({ callsDays: await months.daysSince(months.names[1]!) })
    const late = pastCall(months.accountId, 3, 7)
    await months.write([calls[0]!, late])
    await months.write([late])
    await months.verify(calls)
    const noted = await months.sql<Array<{ id: string; cost: bigint }>>`
      select id, cost_micro_vnd as cost from late_calls order by id`
    assert.deepStrictEqual(new Set(noted.map(({ id }) => id)), new Set([calls[0]!.callId, late.callId]))
    assert.match(
      await months.tidy(),
      /Calls came after their month was dropped and are not charged: 2 \(390000 µVND/
    )
    assert.strictEqual(await months.tidy(), "")
  })

  it("are written to a file first that gives them back as they were", async () => {
    const texts = ["", '"', "a,b", "ü 😀", "a\nb", "\\.", "NULL"]
    const calls = await months.write([
      ...months.callsIn(3, 2_100),
      ...texts.map((text, index) =>
        pastCall(months.accountId, 3, index, {
          modelRequested: text,
          errorType: text,
          extras: { ...noExtras, attempts: [{ route: text, outcome: 529, ms: 3 }] },
          storedIdHash: Buffer.from("ff00", "hex"),
          storedItemHashes: [Buffer.from("ff00", "hex"), Buffer.from("00", "hex")]
        })
      ),
      pastCall(months.accountId, 3, 0, {
        firstByteMs: null,
        perMtokVnd: null,
        perRequestVnd: 195,
        cost: 195_000_000n
      })
    ])
    const before = await months.sql`select * from calls order by id`
    assert.include(
      await months.tidy({ callsDays: await months.daysSince(months.names[1]!), archive: folder }),
      `written to ${folder}/calls-${months.names[1]}.csv.gz`
    )
    assert.deepStrictEqual(readdirSync(folder), [`calls-${months.names[1]}.csv.gz`])
    assert.deepStrictEqual(
      [...(await months.sql`select name, archive from call_months where archive is not null`)],
      [{ name: months.names[1], archive: `calls-${months.names[1]}.csv.gz` }]
    )
    const text = gunzipSync(readFileSync(join(folder, `calls-${months.names[1]}.csv.gz`))).toString()
    await months.sql`create table restored (like calls)`
    const copy = await months.sql
      .unsafe("copy restored from stdin with (format csv, header match)")
      .writable()
    await new Promise((resolve, reject) => copy.on("finish", resolve).on("error", reject).end(text))
    assert.deepStrictEqual([...(await months.sql`select * from restored order by id`)], [...before])
    await months.verify(calls)
  })

  it("stay where the file can not be written, and are written later", async () => {
    const calls = await months.write(months.callsIn(3))
    const taken = join(folder, "taken")
    writeFileSync(taken, "")
    const refused = await months.run(
      Effect.flip(tidyMonths({ callsDays: await months.daysSince(months.names[1]!), archive: taken }))
    )
    assert.match(refused.message, /Could not write the calls of \d{6} to .*, so they are kept: E[A-Z]+$/)
    assert.notInclude(await months.monthsWhere("dropped_at is not null"), months.names[1])
    writeFileSync(join(folder, `calls-${months.names[1]}.csv.gz`), "of another database")
    await months.tidy({ callsDays: await months.daysSince(months.names[1]!), archive: folder })
    // Nothing is written over.
    assert.strictEqual(
      readFileSync(join(folder, `calls-${months.names[1]}.csv.gz`), "utf8"),
      "of another database"
    )
    assert.include(readdirSync(folder), `calls-${months.names[1]}-2.csv.gz`)
    await months.verify(calls)
  })

  it("stay where one more came since they were written", async () => {
    const calls = await months.write(months.callsIn(3))
    await months.tidy()
    const days = await months.daysSince(months.names[1]!)
    assert.isTrue(await dropMonth(months.sql, (await findMonthToDrop(months.sql, days))!, undefined))
    const month = (await findMonthToDrop(months.sql, days))!
    assert.strictEqual(month.name, months.names[1])
    assert.isFalse(await dropMonth(months.sql, month, { fileName: "calls.csv.gz", calls: 19 }))
    await months.verify(calls)
    assert.isTrue(await dropMonth(months.sql, month, { fileName: "calls.csv.gz", calls: 20 }))
    await months.verify(calls)
  })

  it("wait for who reads them, and hold up commits for a moment only", async () => {
    const calls = await months.write(months.callsIn(3))
    await months.tidy()
    const reader = openSql(months.database.url)
    try {
      await reader.unsafe("begin; select count(*) from calls")
      const month = (await findMonthToDrop(months.sql, await months.daysSince(months.names[0]!)))!
      const dropping = withSql(months.database.url, (own) => dropMonth(own, month, undefined)).catch(
        (error: { code?: string }) => error.code
      )
      const more = await months.write(months.callsIn(0, 3))
      assert.strictEqual(await dropping, "55P03")
      await reader.unsafe("rollback")
      assert.isTrue(await dropMonth(months.sql, month, undefined))
      await months.verify([...calls, ...more])
    } finally {
      await reader.end()
    }
  })

  it("count in what keys have spent as before, and an export says how many of them it lacks", async () => {
    await makeKeys(months)
    const calls = await months.write([4, 3, 2, 0].flatMap((ago) => months.callsIn(ago)))
    const spent = await months.run(listKeys(months.accountId))
    const cost = calls.reduce((sum, call) => sum + call.cost, 0n)
    assert.strictEqual(
      spent.reduce((sum, key) => sum + key.spent, 0n),
      cost
    )
    const lacking = (more: Partial<CallFilter> = {}) =>
      months.run(countDroppedCalls({ accountId: months.accountId, ...more }))
    assert.isUndefined(await lacking())
    await months.tidy({ callsDays: await months.daysSince(months.names[1]!) })
    assert.deepStrictEqual(await months.run(listKeys(months.accountId)), spent)
    const [{ ends }] = await months.sql<[{ ends: Date }]>`
      select ends_at as ends from call_months where name = ${months.names[1]!}`
    assert.deepStrictEqual({ ...(await lacking()) }, { before: ends, calls: 40 })
    const ofKey = calls.filter(({ atMs, keyId }) => atMs < ends.getTime() && keyId === calls[0]!.keyId)
    assert.strictEqual((await lacking({ keyId: calls[0]!.keyId }))?.calls, ofKey.length)
    assert.strictEqual((await lacking({ from: new Date(middleOf(3)) }))?.calls, 20)
    assert.isUndefined(await lacking({ from: ends }))
  })
})

/** Those that past calls are of. */
const makeKeys = (months: TestMonths) => months.sql`
  insert into keys (id, account_id, name, slot, secret_hash, hint)
  select 'key_' || k, ${months.accountId}, 'k', k + 1, sha256(k::text::bytea), '' from generate_series(0, 2) k`
