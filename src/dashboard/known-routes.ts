/** The routes to providers that there are: those of the configuration and those that operators added, as they are set. No keys. */
import type { Settings } from "../config/settings.ts"
import { listAddedProviders, listAddedRoutes } from "../storage/routes/AddedRouteStore.ts"
import type { Sql } from "../storage/Database.ts"
import { readRouteChanges } from "../storage/routes/RouteStore.ts"

interface KnownRoute {
  readonly id: string
  readonly provider: string
  readonly added: boolean
  readonly models: ReadonlyArray<string>
  readonly key_hint: string
  readonly base_url: string
  readonly priority: number
  /** As configured. */
  readonly weight: number
}

export const readRoutes = async (sql: Sql, settings: Settings) => {
  const changes = await readRouteChanges(sql)
  const added = (await listAddedRoutes(sql)).map(
    ({ baseUrl, hint, id, models, priority, provider }): KnownRoute => ({
      id,
      provider,
      added: true,
      models,
      key_hint: hint,
      base_url: baseUrl,
      priority,
      weight: 1
    })
  )
  // The simulator stands in only for providers without a route of their own.
  const hasOwn = (name: string) => added.some(({ provider }) => provider === name)
  const configured = Object.values(settings.providers)
    .filter(({ name }) => settings.simulatorUrl === undefined || !hasOwn(name))
    .flatMap(({ name, routes }) =>
      routes.map(({ baseUrl, id, priority, weight }): KnownRoute => ({
        id,
        provider: name,
        added: false,
        models: [],
        key_hint: "",
        base_url: baseUrl,
        priority,
        weight
      }))
    )
  return [...configured, ...added].map((route) => {
    const { isPaused = false, weight } = changes.settings.get(route.id) ?? {}
    return Object.assign(route, {
      weight: weight ?? route.weight,
      own_weight: weight ?? null,
      paused: isPaused
    })
  })
}

/** Of which provider each route is, those that were added and removed again too. */
export const readRouteProviders = async (
  sql: Sql,
  { providers }: Settings
): Promise<ReadonlyMap<string, string>> => {
  const configured = Object.values(providers).flatMap(({ name, routes }) =>
    routes.map(({ id }) => [id, name] as const)
  )
  const added = (await listAddedProviders(sql)).map(({ id, provider }) => [id, provider] as const)
  return new Map([...configured, ...added])
}
