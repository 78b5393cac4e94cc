/** What operators say of routes to providers. */
import {
  type AddedRoute,
  noRouteChanges,
  type RouteChanges,
  type RouteSetting
} from "../domain/route-changes.ts"
import { announceEvent } from "./announce-event.ts"
import type { Sql } from "./Database.ts"
import { recordAction } from "./record-action.ts"

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

/** The id of the event that tells of it. */
export const writeRouteSetting = (
  sql: Sql,
  route: string,
  { isPaused, weight }: RouteSetting,
  actor: string
): Promise<bigint> =>
  sql.begin(async (transaction) => {
    const [before] = await transaction<Array<{ paused: boolean; weight: number | null }>>`
      select paused, weight from route_settings where route = ${route} for update`
    await transaction`
      insert into route_settings (route, paused, weight) values (${route}, ${isPaused}, ${weight ?? null})
      on conflict (route) do update set paused = excluded.paused, weight = excluded.weight, updated_at = now()`
    await recordAction(transaction, {
      actor,
      action: "route.set",
      subject: route,
      detail: {
        paused: isPaused,
        weight: weight ?? null,
        former_paused: before?.paused ?? false,
        former_weight: before?.weight ?? null
      }
    })
    return await announceEvent(transaction, "routes")
  })

/** Before it is made. */
export const recordRouteTest = (sql: Sql, route: string, actor: string): Promise<void> =>
  sql.begin((transaction) => recordAction(transaction, { actor, action: "route.test", subject: route }))
