/** What margins are made of: the daily sums of what was used of the providers; see migration 0044. */
import type { Counts } from "../../domain/margin.ts"
import {
  type ExchangeRate,
  type Part,
  PriceBook,
  type PurchasePrice,
  type UnitCosts,
  unitScale
} from "../../domain/purchase-price.ts"
import type { Sql } from "../Database.ts"

/** Days of Viet Nam, both inclusive: `2026-11-01`. */
export interface Days {
  readonly from: string
  readonly to: string
}

/** What begins to hold by the end of these days. */
export const readPriceBook = async (sql: Sql, { to }: Days): Promise<PriceBook> => {
  const [prices, rates] = await Promise.all([
    sql<Array<PurchasePrice>>`
      select route, model, currency, input::text, cache_read::text as "cacheRead", cache_write::text as "cacheWrite",
        output::text, per_request::text as "perRequest", tools, from_day::text as "fromDay"
      from purchase_prices where from_day <= ${to}::text::date order by id`,
    sql<Array<ExchangeRate>>`
      select currency, vnd::text, from_day::text as "fromDay" from exchange_rates where from_day <= ${to}::text::date order by id`
  ])
  return new PriceBook(prices, rates)
}

/** Another one as soon as a price or a rate is entered; nothing of them is ever changed. */
export const readPriceBookVersion = async (sql: Sql): Promise<string> => {
  const [{ version }] = await sql<[{ version: string }]>`
    select concat_ws(' ', (select max(id) from purchase_prices), (select max(id) from exchange_rates)) as version`
  return version
}

export const readParts = (sql: Sql): Promise<ReadonlyArray<Part>> =>
  sql<Array<Part>>`select id::text, route, model, factor::text, mix, part from purchase_parts`

export interface SumFilter extends Days {
  readonly partIds: ReadonlyArray<string>
  readonly accountIds?: ReadonlyArray<string> | undefined
}

export interface PartSum {
  readonly partId: string
  /** A day, or an account's id; empty where all are one. */
  readonly group: string
  /** The first of the days that are summed up here. */
  readonly day: string
  readonly counts: Counts
}

/** Summed up from each of these days to the next, in which prices stay as they are; the first is the period's own. */
export const sumParts = async (
  sql: Sql,
  filter: SumFilter,
  firstDays: ReadonlyArray<string>,
  by: "account" | "nothing"
): Promise<ReadonlyArray<PartSum>> => {
  const rows = await sql<Array<RawSum>>`
    select part_id::text, ${eraOf(sql, firstDays)} as era,
      ${by === "account" ? sql`account_id` : sql`''`} as "group", sum(calls)::text as calls, sum(input_tokens)::text as input,
      sum(cache_read_tokens)::text as cache_read, sum(cache_write_tokens)::text as cache_write,
      sum(output_tokens)::text as output, sum(uses)::text as uses, sum(revenue_micro_vnd)::text as revenue
    from ${filter.accountIds === undefined ? sql`purchase_totals` : sql`purchase_days`}
    where part_id = any (${[...filter.partIds]}::text[]::int8[]) and ${within(sql, filter)}
    group by 1, 2, 3`
  return rows.map((row) => ({
    partId: row.part_id,
    group: row.group,
    day: firstDays[row.era - 1]!,
    counts: {
      calls: BigInt(row.calls),
      input: BigInt(row.input),
      cacheRead: BigInt(row.cache_read),
      cacheWrite: BigInt(row.cache_write),
      output: BigInt(row.output),
      uses: BigInt(row.uses),
      revenue: BigInt(row.revenue)
    }
  }))
}

/** Day by day, so that the index, which begins with them, finds the few rows of an account. */
const within = (sql: Sql, { accountIds, from, to }: Days & Pick<SumFilter, "accountIds">) =>
  accountIds === undefined
    ? sql`day between ${from}::text::date and ${to}::text::date`
    : sql`account_id = any (${[...accountIds]}::text[]) and day = any (array(
        select day::date from generate_series(${from}::text::date, ${to}::text::date, interval '1 day') day))`

/** A part's units from a day on; `undefined`: it has no price. */
export interface EraUnits {
  readonly partId: string
  readonly firstDay: string
  readonly units: UnitCosts | undefined
}

export interface RankedAccounts {
  readonly ids: ReadonlyArray<string>
  /** How many there are in all. */
  readonly count: number
}

export interface Ranking {
  readonly limit: number
  readonly order: "revenue" | "margin"
  /** All parts there are are asked for. */
  readonly isWhole: boolean
}

/** Those with the most revenue, or with the least margin: for their order floats are exact enough. */
export const rankAccounts = (
  sql: Sql,
  days: Days,
  firstDays: ReadonlyArray<string>,
  /** Part by part, and of each from the first of these days to the last. */
  eras: ReadonlyArray<EraUnits>,
  { isWhole, limit, order }: Ranking
): Promise<RankedAccounts> =>
  sql.begin("read only", async (transaction) => {
    await transaction`set local work_mem = '64MB'`
    await transaction`set local max_parallel_workers_per_gather = 2`
    const used =
      order === "revenue" && isWhole
        ? sql`purchase_days where ${within(sql, days)}`
        : sql`(${usedByEra(sql, days, firstDays, eras)}) used`
    const rows = await transaction<Array<{ id: string; count: number }>>`
      with sums as (
        select account_id, sum(revenue_micro_vnd::float8) as revenue, ${order === "margin" ? marginOf(sql, eras) : sql`0`} as margin
        from ${used} group by account_id
      )
      select account_id as id, count(*) over ()::int4 as count from sums
      order by margin, revenue desc, account_id limit ${limit}`
    return { ids: rows.map(({ id }) => id), count: rows[0]?.count ?? 0 }
  })

/** Each row with the number of its part and era, from 1: worked out once, and not for each of its units. */
const usedByEra = (sql: Sql, days: Days, firstDays: ReadonlyArray<string>, eras: ReadonlyArray<EraUnits>) => {
  const partIds = eras.filter(({ firstDay }) => firstDay === firstDays[0]).map(({ partId }) => partId)
  return sql`
    select account_id, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, uses, revenue_micro_vnd,
      place + ${eraOf(sql, firstDays)} as era
    from purchase_days join (
      select part_id, (number - 1) * ${firstDays.length}::int4 as place
      from unnest(${partIds}::text[]::int8[]) with ordinality as p (part_id, number)
    ) parts using (part_id)
    where ${within(sql, days)} offset 0`
}

const marginOf = (sql: Sql, eras: ReadonlyArray<EraUnits>) => {
  // Read once, and not for each row.
  const floats = (values: ReadonlyArray<number>) => sql`(select ${values.map(String)}::text[]::float8[])[era]`
  const units = (unit: keyof UnitCosts) =>
    floats(eras.map(({ units }) => (units === undefined ? 0 : Number(units[unit]) / Number(unitScale))))
  return sql`sum(revenue_micro_vnd * ${floats(eras.map(({ units }) => (units === undefined ? 0 : 1)))}
    - input_tokens * ${units("input")} - cache_read_tokens * ${units("cacheRead")}
    - cache_write_tokens * ${units("cacheWrite")} - output_tokens * ${units("output")} - uses * ${units("use")})`
}

/** From 1. */
const eraOf = (sql: Sql, firstDays: ReadonlyArray<string>) =>
  sql`width_bucket(day, (select ${[...firstDays]}::text[]::date[]))`

interface RawSum {
  readonly part_id: string
  readonly era: number
  readonly group: string
  readonly calls: string
  readonly input: string
  readonly cache_read: string
  readonly cache_write: string
  readonly output: string
  readonly uses: string
  readonly revenue: string
}
