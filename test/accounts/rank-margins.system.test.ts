/** Which accounts come first, and what is told of them, against a plain sum over every row. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { type MarginQuery, rankMargins, reportMargin } from "../../src/accounts/report-margin.ts"
import { costOf, unitsWithin } from "../../src/domain/margin.ts"
import { unitScale } from "../../src/domain/purchase-price.ts"
import { readParts, readPriceBook, readPriceBookVersion } from "../../src/storage/calls/MarginStore.ts"
import { Random, seeds } from "../Random.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { openSql } from "../storage/with-sql.ts"

let database: TestDatabase
let sql: ReturnType<typeof openSql>
beforeAll(async () => {
  database = await startTestDatabase()
  sql = openSql(database.url, 4)
})
afterAll(async () => {
  await sql.end()
  await database.stop()
})
beforeEach(() => sql`truncate purchase_days, purchase_totals, purchase_parts`)

const dayOf = (number: number) => `2026-11-${String(number).padStart(2, "0")}`
const models = ["a", "b", "without a price"]

const addPart = (model: string, route: string) => sql`
  insert into purchase_parts select purchase_part(${route}, ${model}, 1, '', ''), ${route}, ${model}, 1, '', ''
  on conflict do nothing`

const addSums = async (random: Random, count: number) => {
  for (let made = 0; made < count; made++) {
    const [model, route] = [models[random.below(3)]!, `p#${random.below(2)}`]
    await addPart(model, route)
    const values = {
      day: dayOf(1 + random.below(30)),
      account_id: `acc_${random.below(12)}`,
      input: random.below(3) * 1_000_003,
      output: random.below(3) * 77_777,
      revenue: random.below(4) * 10_000_000_019
    }
    await sql`
      insert into purchase_days as u
      select ${values.day}::text::date, ${values.account_id}, purchase_part(${route}, ${model}, 1, '', ''), ${random.below(2)}::int2, 1,
        ${values.input}::int8, 0, 0, ${values.output}::int8, 1, ${values.revenue}::float8::int8
      on conflict (day, account_id, part_id, slot) do update set calls = u.calls + 1,
        revenue_micro_vnd = u.revenue_micro_vnd + excluded.revenue_micro_vnd`
  }
  await sql`delete from purchase_totals`
  await sql`insert into purchase_totals select day, part_id, slot, sum(calls), sum(input_tokens), 0, 0, sum(output_tokens), sum(uses),
    sum(revenue_micro_vnd) from purchase_days group by 1, 2, 3`
}

const addPrices = async (random: Random) => {
  for (const model of ["a", "b"])
    for (const day of [1, 1 + random.below(30)])
      await sql`insert into purchase_prices (route, model, currency, input, output, per_request, from_day, made_by)
        values ('*', ${model}, 'USD', ${random.below(90) / 100 + 0.01}, ${random.below(500) / 100}, 0.000001, ${dayOf(day)}::text::date, 'test')`
  await sql`insert into exchange_rates (currency, vnd, from_day, made_by)
    values ('USD', ${26_000 + random.below(500)}, ${dayOf(1 + random.below(3))}::text::date, 'test')`
}

interface Plain {
  readonly group: string
  revenue: bigint
  margin: bigint
}

/** Row by row. */
const plainly = async (query: MarginQuery): Promise<ReadonlyArray<Plain>> => {
  const book = await readPriceBook(sql, query)
  const parts = new Map((await readParts(sql)).map((part) => [part.id, part]))
  const rows = await sql<
    Array<Record<"day" | "account" | "part" | "input" | "output" | "uses" | "revenue", string>>
  >`
    select day::text, account_id as account, part_id::text as part, input_tokens::text as input, output_tokens::text as output,
      uses::text, revenue_micro_vnd::text as revenue from purchase_days where day between ${query.from}::text::date and ${query.to}::text::date`
  const sums = new Map<string, { revenue: bigint; priced: bigint; cost: bigint }>()
  for (const row of rows) {
    const part = parts.get(row.part)!
    if (query.model !== undefined && part.model !== query.model) continue
    const sum = sums.get(row.account) ?? { revenue: 0n, priced: 0n, cost: 0n }
    sums.set(row.account, sum)
    const units = unitsWithin(book, part, row.day)
    const counts = { calls: 1n, cacheRead: 0n, cacheWrite: 0n, revenue: BigInt(row.revenue) }
    const used = { input: BigInt(row.input), output: BigInt(row.output), uses: BigInt(row.uses) }
    sum.revenue += counts.revenue
    if (units === undefined) continue
    sum.priced += counts.revenue
    sum.cost += costOf({ ...counts, ...used }, units)
  }
  return [...sums].map(([group, { cost, priced, revenue }]) => ({
    group,
    revenue,
    margin: priced - (2n * cost + unitScale) / (2n * unitScale)
  }))
}

const sign = (difference: bigint) => (difference < 0n ? -1 : difference > 0n ? 1 : 0)
const inOrder = (order: MarginQuery["order"]) => (one: Plain, other: Plain) =>
  (order === "margin" ? sign(one.margin - other.margin) : 0) ||
  sign(other.revenue - one.revenue) ||
  (one.group < other.group ? -1 : 1)

const figures = ({ group, margin, revenue }: Plain) => ({ group, margin, revenue })

describe("the accounts that come first", () => {
  it.each(seeds(12))("are those of a plain sum over every row, with its figures, seed %i", async (seed) => {
    const random = new Random(seed)
    await addPrices(random)
    await addSums(random, 90)
    const from = 1 + random.below(15)
    for (const order of ["revenue", "margin"] as const)
      for (const model of [undefined, "a", "without a price"]) {
        const query: MarginQuery = {
          from: dayOf(from),
          to: dayOf(from + random.below(30 - from) + 1),
          by: "account",
          order,
          model,
          limit: 5,
          floor: "0",
          providers: new Map()
        }
        const expected = (await plainly(query)).toSorted(inOrder(order))
        const report = await reportMargin(sql, query)
        assert.deepStrictEqual(report.rows.map(figures), expected.slice(0, 5).map(figures))
        assert.strictEqual(report.groups, expected.length)

        // What is kept names the accounts alone: what more they used is told at once, and puts them in order.
        const kept = await rankMargins(sql, query)
        await addSums(random, 6)
        const later = await reportMargin(sql, query, kept)
        const now = (await plainly(query)).filter(({ group }) => kept.ids.includes(group))
        assert.deepStrictEqual(later.rows.map(figures), now.toSorted(inOrder(order)).map(figures))
      }
  })

  it("are ranked anew as soon as a price or a rate is entered", async () => {
    const first = await readPriceBookVersion(sql)
    await sql`insert into exchange_rates (currency, vnd, from_day, made_by) values ('EUR', 30000, '2026-11-01', 'test')`
    const second = await readPriceBookVersion(sql)
    await sql`insert into purchase_prices (route, model, currency, input, output, per_request, from_day, made_by)
      values ('*', 'a', 'USD', 1, 1, 0, '2026-11-01', 'test')`
    const third = await readPriceBookVersion(sql)
    assert.strictEqual(new Set([first, second, third]).size, 3)
  })
})
