/** What operators say of routes to providers. */
import {
  type AddedRoute,
  noRouteChanges,
  type RouteChanges,
  type RouteSetting
} from "../../domain/route-changes.ts"
import { announceEvent } from "../announce-event.ts"
import type { Sql } from "../Database.ts"
import { recordAction } from "../record-action.ts"

export const readRouteChanges = async (sql: Sql): Promise<RouteChanges> => {
  const settings = await sql<Array<{ route: string; paused: boolean; weight: number | null }>>`
    select route, paused, weight from route_settings`
  const added = await sql<Array<AddedRow>>`
    select id, provider, base_url, sealed_key, seal_key_id, models, priority
    from added_routes where removed_at is null order by created_at, id`
  if (settings.length === 0 && added.length === 0) return noRouteChanges
  return {
    settings: new Map(
      settings.map(({ paused, route, weight }) => [route, { isPaused: paused, weight: weight ?? undefined }])
    ),
    added: added.map(toAdded)
  }
}

interface AddedRow {
  readonly id: string
  readonly provider: string
  readonly base_url: string
  readonly sealed_key: Uint8Array | null
  readonly seal_key_id: string | null
  readonly models: Array<string>
  readonly priority: number
}

const toAdded = (row: AddedRow): AddedRoute => ({
  id: row.id,
  provider: row.provider,
  baseUrl: row.base_url,
  sealedKey: row.sealed_key ?? undefined,
  sealKeyId: row.seal_key_id ?? undefined,
  models: row.models,
  priority: row.priority
})

/** What is not given stays as it is. The id of the event that tells of it; `undefined`: the route was removed before. */
export const writeRouteSetting = (
  sql: Sql,
  route: string,
  change: Partial<RouteSetting>,
  actor: string
): Promise<bigint | undefined> =>
  sql.begin(async (transaction) => {
    const [added] = await transaction<Array<{ removed: boolean }>>`
      select removed_at is not null as removed from added_routes where id = ${route} for share`
    if (added?.removed === true) return undefined
    // One that is configured alone has no row to hold before.
    await transaction`
      insert into route_settings (route, paused) values (${route}, false) on conflict (route) do nothing`
    const [before] = await transaction<[{ paused: boolean; weight: number | null }]>`
      select paused, weight from route_settings where route = ${route} for update`
    const former: RouteSetting = { isPaused: before.paused, weight: before.weight ?? undefined }
    const { isPaused, weight } = { ...former, ...change }
    await transaction`
      update route_settings set paused = ${isPaused}, weight = ${weight ?? null}, updated_at = now() where route = ${route}`
    await recordAction(transaction, {
      actor,
      action: "route.set",
      subject: route,
      detail: {
        paused: isPaused,
        weight: weight ?? null,
        former_paused: before.paused,
        former_weight: before.weight
      }
    })
    return await announceEvent(transaction, "routes")
  })

/** Before it is made. */
export const recordRouteTest = (sql: Sql, route: string, actor: string): Promise<void> =>
  sql.begin((transaction) => recordAction(transaction, { actor, action: "route.test", subject: route }))
