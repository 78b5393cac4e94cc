/** Routes to providers that operators added, at rest. Their keys lie here sealed, and go when a route is removed. */
import { advisoryLocks } from "../advisory-locks.ts"
import { announceEvent } from "../announce-event.ts"
import type { Sql, Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"

export interface SealedKey {
  readonly sealed: Uint8Array
  readonly sealKeyId: string
  /** The last characters of the key. */
  readonly hint: string
}

export interface RouteFields {
  readonly provider: string
  readonly baseUrl: string
  /** Catalogue ids; empty: all of the provider's. */
  readonly models: ReadonlyArray<string>
  readonly priority: number
}

export interface NewRoute extends RouteFields {
  readonly id: string
  /** `undefined`: none is sent. */
  readonly key: SealedKey | undefined
  readonly actor: string
}

/** So many may be in use at once. */
const routesMax = 100

/** One of this id is there no more. */
export const removed = "removed"

/** The id of the event that tells of it; `undefined` where there are too many already. One that is there already becomes as this. */
export const insertRoute = (sql: Sql, route: NewRoute): Promise<bigint | typeof removed | undefined> =>
  sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLocks.addedRoutes}, 0)`
    const { actor, baseUrl, id, key, models, priority, provider } = route
    const [row] = await transaction<[{ count: number }]>`
      select count(*)::int as count from added_routes where removed_at is null and id <> ${id}`
    if (row.count >= routesMax) return undefined
    const written = await transaction`
      insert into added_routes (id, provider, base_url, sealed_key, seal_key_id, key_hint, models, priority, actor)
      values (${id}, ${provider}, ${baseUrl}, ${key?.sealed ?? null}, ${key?.sealKeyId ?? null}, ${key?.hint ?? ""},
        ${[...models]}, ${priority}, ${actor})
      on conflict (id) do update set base_url = excluded.base_url, sealed_key = excluded.sealed_key,
        seal_key_id = excluded.seal_key_id, key_hint = excluded.key_hint, models = excluded.models,
        priority = excluded.priority, updated_at = now()
      where added_routes.removed_at is null
      returning id`
    if (written.length === 0) return removed
    await recordAction(transaction, { actor, action: "route.add", subject: id, detail: detailOf(route) })
    return await announceEvent(transaction, "routes")
  })

/** A new address needs the key anew, so that none is sent where its owner did not mean it to go. */
export const keyNeeded = "key needed"

export interface RouteChange extends Pick<NewRoute, "actor" | "id" | "key"> {
  /** What is not given stays as it is. */
  readonly fields: Partial<Omit<RouteFields, "provider">>
}

/** `key`: `undefined` leaves the one there is. The event's id; `undefined`: no such route. */
export const updateRoute = (
  sql: Sql,
  { actor, fields, id, key }: RouteChange
): Promise<bigint | typeof keyNeeded | undefined> =>
  sql.begin(async (transaction) => {
    const [before] = await findForUpdate(transaction, id)
    if (before === undefined) return undefined
    const { provider } = before
    const { baseUrl = before.base_url, models = before.models, priority = before.priority } = fields
    if (before.base_url !== baseUrl && before.has_key && key === undefined) return keyNeeded
    await transaction`
      update added_routes set base_url = ${baseUrl}, models = ${[...models]}, priority = ${priority}, updated_at = now()
      where id = ${id}`
    if (key !== undefined)
      await transaction`
        update added_routes set sealed_key = ${key.sealed}, seal_key_id = ${key.sealKeyId}, key_hint = ${key.hint}
        where id = ${id}`
    await recordAction(transaction, {
      actor,
      action: "route.change",
      subject: id,
      detail: { ...detailOf({ provider, baseUrl, models, priority, key }), former_base_url: before.base_url }
    })
    return await announceEvent(transaction, "routes")
  })

/** It stays in the history, without its key. The event's id; `undefined`: no such route. */
export const removeRoute = (sql: Sql, id: string, actor: string): Promise<bigint | undefined> =>
  sql.begin(async (transaction) => {
    const [before] = await findForUpdate(transaction, id)
    if (before === undefined) return undefined
    await transaction`
      update added_routes set removed_at = now(), sealed_key = null, seal_key_id = null where id = ${id}`
    await transaction`delete from route_settings where route = ${id}`
    await recordAction(transaction, {
      actor,
      action: "route.remove",
      subject: id,
      detail: { provider: before.provider, base_url: before.base_url }
    })
    return await announceEvent(transaction, "routes")
  })

const findForUpdate = (transaction: Transaction, id: string) =>
  transaction<Array<FoundRoute>>`
    select provider, base_url, models, priority, sealed_key is not null as has_key from added_routes
    where id = ${id} and removed_at is null for update`

interface FoundRoute {
  readonly provider: string
  readonly base_url: string
  readonly models: Array<string>
  readonly priority: number
  readonly has_key: boolean
}

const detailOf = ({ baseUrl, key, models, priority, provider }: RouteFields & Pick<NewRoute, "key">) => ({
  provider,
  base_url: baseUrl,
  models: models.join(" "),
  priority,
  key_hint: key?.hint ?? null
})

export interface ListedRoute extends RouteFields {
  readonly id: string
  readonly hint: string
}

/** Those in use, oldest first. */
export const listAddedRoutes = (sql: Sql): Promise<ReadonlyArray<ListedRoute>> =>
  sql<Array<ListedRoute>>`
    select id, provider, base_url as "baseUrl", models, priority, key_hint as hint
    from added_routes where removed_at is null order by created_at, id`

/** Of all that there ever were: what calls by a removed one cost and earned stays. */
export const listAddedProviders = (
  sql: Sql
): Promise<ReadonlyArray<{ readonly id: string; readonly provider: string }>> =>
  sql<Array<{ id: string; provider: string }>>`select id, provider from added_routes`
