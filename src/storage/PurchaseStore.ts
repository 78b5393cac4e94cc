/** What providers are paid: prices by route and model, and rates of currencies. Nothing of it ever changes; what is new is added. */
import type { ExchangeRate, PurchasePrice } from "../domain/purchase-price.ts"
import type { Sql } from "./Database.ts"
import { recordAction } from "./record-action.ts"
import { actorName } from "./people/TokenStore.ts"

export interface Entered {
  readonly id: string
  readonly madeBy: string
  readonly madeAt: Date
}

export const addPurchasePrice = (sql: Sql, price: PurchasePrice, actor: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into purchase_prices (route, model, currency, input, cache_read, cache_write, output, per_request, tools,
        from_day, made_by)
      values (${price.route}, ${price.model}, ${price.currency}, ${price.input}::text::numeric,
        ${price.cacheRead}::text::numeric, ${price.cacheWrite}::text::numeric, ${price.output}::text::numeric,
        ${price.perRequest}::text::numeric, ${transaction.json(price.tools)}, ${price.fromDay}::text::date, ${actor})`
    await recordAction(transaction, {
      actor,
      action: "purchase.price",
      subject: price.model,
      detail: {
        route: price.route,
        currency: price.currency,
        input: price.input,
        cache_read: price.cacheRead,
        cache_write: price.cacheWrite,
        output: price.output,
        per_request: price.perRequest,
        tools: Object.entries(price.tools)
          .map(([tool, each]) => `${tool} ${each}`)
          .join(", "),
        from_day: price.fromDay
      }
    })
  })

export const addExchangeRate = (sql: Sql, rate: ExchangeRate, actor: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into exchange_rates (currency, vnd, from_day, made_by)
      values (${rate.currency}, ${rate.vnd}::text::numeric, ${rate.fromDay}::text::date, ${actor})`
    await recordAction(transaction, {
      actor,
      action: "purchase.rate",
      subject: rate.currency,
      detail: { rate_vnd: rate.vnd, from_day: rate.fromDay }
    })
  })

/** Newest first. */
export interface PricePaging {
  readonly model: string | undefined
  readonly before: string | undefined
  readonly limit: number
}

/** `isInForce`: it is the one that holds today. */
export const listPurchasePrices = async (
  sql: Sql,
  { before, limit, model }: PricePaging
): Promise<ReadonlyArray<PurchasePrice & Entered & { readonly isInForce: boolean }>> =>
  sql<Array<PurchasePrice & Entered & { readonly isInForce: boolean }>>`
    select p.id::text as id, route, model, currency, trim_scale(input)::text as input,
      trim_scale(cache_read)::text as "cacheRead", trim_scale(cache_write)::text as "cacheWrite",
      trim_scale(output)::text as output, trim_scale(per_request)::text as "perRequest", tools,
      from_day::text as "fromDay", ${actorName(sql, sql`made_by`)} as "madeBy", made_at as "madeAt",
      from_day <= vietnam_day(now()) and not exists (
        select from purchase_prices later where later.model = p.model and later.route = p.route
          and later.from_day <= vietnam_day(now()) and (later.from_day, later.id) > (p.from_day, p.id)
      ) as "isInForce"
    from purchase_prices p
    where true ${model === undefined ? sql`` : sql`and model = ${model}`}
      ${before === undefined ? sql`` : sql`and p.id < ${before}::text::int8`}
    order by p.id desc limit ${limit}`

export const listExchangeRates = async (
  sql: Sql,
  limit: number
): Promise<ReadonlyArray<ExchangeRate & Entered>> =>
  sql<Array<ExchangeRate & Entered>>`
    select id::text as id, currency, trim_scale(vnd)::text as vnd, from_day::text as "fromDay",
      ${actorName(sql, sql`made_by`)} as "madeBy", made_at as "madeAt"
    from exchange_rates order by exchange_rates.id desc limit ${limit}`
