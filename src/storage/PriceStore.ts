/** What models are sold at and from when on, with all that ever was; see migration 0048. */
import type { LaterPrice } from "../domain/model-overrides.ts"
import type { Unit } from "../domain/price.ts"
import { advisoryLocks } from "./advisory-locks.ts"
import { announceEvent } from "./announce-event.ts"
import type { Sql, Transaction } from "./Database.ts"
import { recordAction } from "./record-action.ts"
import { actorName } from "./people/TokenStore.ts"

export interface SoldPrices {
  readonly model: string
  /** Now; `null`: the catalogue's. */
  readonly price: number | null
  readonly unit: Unit | null
  readonly later: ReadonlyArray<LaterPrice>
}

/**
 * Of models whose price was ever set, or will be. Here and below it is asked as of the statement: since its transaction
 * began, that may have waited for others who set prices.
 */
export const readSoldPrices = async (sql: Sql | Transaction): Promise<ReadonlyArray<SoldPrices>> => {
  const rows = await sql<Array<Omit<SoldPrices, "later"> & { from: number; holds: boolean }>>`
    select model, price_vnd::float8 as price, unit, extract(epoch from from_at)::float8 * 1000 as from, holds
    from (
      (select distinct on (model) *, true as holds from price_changes
        where cancelled_at is null and from_at <= statement_timestamp() order by model, from_at desc, id desc)
      union all
      (select *, false from price_changes where cancelled_at is null and from_at > statement_timestamp())
    ) known order by model, from_at, id`
  return [...Map.groupBy(rows, ({ model }) => model)].map(([model, changes]) => {
    const { price = null, unit = null } = changes.find(({ holds }) => holds) ?? {}
    const later = changes.filter(({ holds }) => !holds)
    return {
      model,
      price,
      unit,
      later: later.map((change) => ({ from_ms: change.from, price_vnd: change.price, unit: change.unit }))
    }
  })
}

/** What holds now of a model that is sold by this unit, else what the settings of a former version say. */
export const readPriceOf = async (
  transaction: Transaction,
  model: string,
  unit: Unit,
  set: number | null
): Promise<number | null> => {
  const [row] = await transaction<Array<{ price: number | null }>>`
    select case when coalesce(unit, ${unit}) = ${unit} then price_vnd::float8 end as price from price_changes
    where model = ${model} and cancelled_at is null and from_at <= statement_timestamp()
    order by from_at desc, id desc limit 1`
  return row === undefined ? set : row.price
}

/** One model's price, from now on. Prices must be locked. */
export const notePrice = async (
  transaction: Transaction,
  change: Omit<NotedPrice, "former"> & { readonly former: number | null },
  actor: string
): Promise<void> => {
  await transaction`
    insert into price_changes (batch, model, price_vnd, former_vnd, unit, from_at, made_by)
    values (gen_random_uuid(), ${change.model}, ${change.price}::float8::int8, ${change.former}::float8::int8,
      ${change.unit}, clock_timestamp(), ${actor})`
}

export interface NewPrice {
  readonly model: string
  /** `null`: the catalogue's. */
  readonly price: number | null
  readonly former: number
}

interface NotedPrice extends NewPrice {
  /** What the model is sold by. */
  readonly unit: Unit
}

/** Those that change prices do so one after another. Held until the transaction's end. */
export const lockPrices = async (transaction: Transaction): Promise<void> => {
  await transaction`select pg_advisory_xact_lock(${advisoryLocks.prices}, 0)`
}

/** Several at once; `undefined`: from now on. The event's id. */
export const addPriceChanges = async (
  transaction: Transaction,
  changes: ReadonlyArray<NotedPrice>,
  from: Date | undefined,
  actor: string
): Promise<bigint> => {
  const batch = crypto.randomUUID()
  await transaction`
    insert into price_changes (batch, model, price_vnd, former_vnd, unit, from_at, made_by)
    select ${batch}::uuid, model, price::float8::int8, former::float8::int8, unit, coalesce(${from ?? null}::timestamptz, clock_timestamp()), ${actor}
    from unnest(${changes.map(({ model }) => model)}::text[], ${changes.map(({ price }) => (price === null ? null : String(price)))}::text[],
      ${changes.map(({ former }) => String(former))}::text[], ${changes.map(({ unit }) => unit)}::text[]) as c (model, price, former, unit)`
  await recordAction(transaction, {
    actor,
    action: "price.change",
    subject: batch,
    detail: {
      models: changes
        .map(({ former, model, price }) => `${model} ${former} → ${price ?? "catalogue"}`)
        .join(", "),
      from: from?.toISOString() ?? null
    }
  })
  return announceEvent(transaction, "models")
}

export type Cancelling =
  | { readonly _tag: "Cancelled"; readonly eventId: bigint }
  | { readonly _tag: "NotFound" }
  | { readonly _tag: "TooLate" }

/** By then every node has heard of it, or is no more. */
const cancelledBeforeSeconds = 15

/** Repeating it announces it again, as with keys that are revoked. */
export const cancelPriceChanges = (sql: Sql, batch: string, actor: string): Promise<Cancelling> =>
  sql.begin(async (transaction) => {
    await lockPrices(transaction)
    const [found] = await transaction<Array<{ open: boolean; cancelled: boolean }>>`
      select from_at > statement_timestamp() + ${`${cancelledBeforeSeconds} seconds`}::text::interval as open,
        cancelled_at is not null as cancelled
      from price_changes where batch = ${batch}::uuid limit 1`
    if (found === undefined) return { _tag: "NotFound" }
    if (!found.cancelled) {
      if (!found.open) return { _tag: "TooLate" }
      await transaction`update price_changes set cancelled_at = now(), cancelled_by = ${actor} where batch = ${batch}::uuid`
      await recordAction(transaction, { actor, action: "price.cancel", subject: batch })
    }
    return { _tag: "Cancelled", eventId: await announceEvent(transaction, "models") }
  })

export interface PriceChange {
  readonly id: string
  readonly batch: string
  readonly model: string
  readonly price: number | null
  readonly former: number | null
  /** `null` where it was not noted. */
  readonly unit: Unit | null
  readonly from: Date
  readonly madeBy: string
  readonly madeAt: Date
  readonly state: "waiting" | "held" | "cancelled"
}

/** The latest entered first. */
export const listPriceChanges = (
  sql: Sql,
  filter: { readonly model: string | undefined; readonly before: string | undefined; readonly limit: number }
): Promise<ReadonlyArray<PriceChange>> =>
  sql<Array<PriceChange>>`
    select id::text, batch::text, model, price_vnd::float8 as price, former_vnd::float8 as former, unit, from_at as from,
      ${actorName(sql, sql`made_by`)} as "madeBy", made_at as "madeAt",
      case when cancelled_at is not null then 'cancelled' when from_at > now() then 'waiting' else 'held' end as state
    from price_changes
    where true ${filter.model === undefined ? sql`` : sql`and model = ${filter.model}`}
      ${filter.before === undefined ? sql`` : sql`and id < ${filter.before}::text::int8`}
    order by price_changes.id desc limit ${filter.limit}`
