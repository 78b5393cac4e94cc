/**
 * How long the report of margins takes on the sums of many calls: `node bench/margin.ts [calls] [accounts]` fills a database
 * with the daily sums that so many calls of 90 days leave behind, and prints what each report of 30 days takes.
 */
import { type MarginGroup, rankMargins, reportMargin } from "../src/accounts/report-margin.ts"
import type { Sql } from "../src/storage/Database.ts"
import { startTestDatabase } from "../test/storage/start-database.ts"
import { openSql } from "../test/storage/with-sql.ts"

const calls = Number(process.argv[2] ?? 10_000_000)
const accounts = Number(process.argv[3] ?? 100_000)
const print = (line: string) => process.stdout.write(`${line}\n`)

/**
 * Each account calls on some of the days, a few make many calls, and on a day it uses a model or two of twenty; two routes of
 * each of three providers, and two nodes.
 */
const fill = async (sql: Sql) => {
  await sql`create temporary table made as
    select date '2026-09-01' + day as day, 'acc_' || account as account_id, 'provider' || model % 3 || '#' || i % 2 as route,
      'model-' || model as model, (i % 2)::int2 as slot, (1 + random() * 9)::int8 as calls
    from (
      select i, day, account, (account + day * (i % 2)) % 20 as model from (
        select i, (i / ${accounts}::int4 * 7 + i * 31) % 90 as day, i % ${accounts}::int4 as account
        from generate_series(1, ${calls}::int4 / 5) i
      ) days
    ) used`
  await sql`insert into purchase_parts
    select distinct on (model, route) purchase_part(route, model, 1, '', ''), route, model, 1, '', '' from made`
  const sums = sql`sum(calls), sum(calls * 9001), sum(calls * 12003), 0, sum(calls * 801), sum(calls), sum(calls * 20000 * 6500)`
  const named = sql`from made join purchase_parts p using (route, model)`
  await sql`insert into purchase_days select day, account_id, p.id, slot, ${sums} ${named} group by 1, 2, 3, 4`
  await sql`insert into purchase_totals select day, p.id, slot, ${sums} ${named} group by 1, 2, 3`
  await sql`insert into exchange_rates (currency, vnd, from_day, made_by)
    select 'USD', 26000 + i, date '2026-08-01' + i * 7, 'bench' from generate_series(0, 16) i`
  await sql`insert into purchase_prices (route, model, currency, input, cache_read, output, per_request, from_day, made_by)
    select '*', 'model-' || i % 18, 'USD', 0.21 + i % 7, 0.021, 1.15, 0, date '2026-08-01' + i / 18 * 15, 'bench'
    from generate_series(0, 151) i`
  await sql.unsafe("vacuum analyze purchase_days")
  await sql.unsafe("vacuum analyze purchase_totals")
  const [{ days, totals }] = await sql<[{ days: number; totals: number }]>`
    select (select count(*)::int4 from purchase_days) as days, (select count(*)::int4 from purchase_totals) as totals`
  print(`${calls} calls of ${accounts} accounts: ${days} sums of accounts, ${totals} in all`)
}

const timed = async (name: string, work: () => Promise<unknown>) => {
  const took: Array<number> = []
  for (let round = 0; round < 7; round++) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  const [least = 0, , , median = 0, , , most = 0] = took.toSorted((one, other) => one - other)
  print(`${name}: ${median.toFixed(0)} ms [${least.toFixed(0)} to ${most.toFixed(0)}]`)
}

const database = await startTestDatabase()
const sql = openSql(database.url) as unknown as Sql & { end(): Promise<void> }
try {
  await fill(sql)
  const period = { from: "2026-11-01", to: "2026-11-30", providers: new Map<string, string>() }
  const report = (by: MarginGroup, more: object = {}) =>
    reportMargin(sql, { ...period, by, order: "revenue", limit: 200, floor: "0", ...more })
  for (const by of ["day", "model", "route", "provider", "account"] as const)
    await timed(`by ${by}`, () => report(by))
  await timed("by account, the least margin first", () => report("account", { order: "margin" }))
  for (const order of ["revenue", "margin"] as const) {
    const query = { ...period, by: "account", order, limit: 200, floor: "0" } as const
    const kept = await rankMargins(sql, query)
    await timed(`by account in order of ${order}, ranked before`, () => reportMargin(sql, query, kept))
  }
  await timed("by model, of one account", () => report("model", { accountId: "acc_7" }))
  await timed("by account, of one model", () => report("account", { model: "model-3" }))
} finally {
  await sql.end()
  await database.stop()
}
