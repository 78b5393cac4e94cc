/** What is known of every route. One that leads elsewhere, or with another key, after a reload begins anew. */
import type { RouteCondition, RouteTally } from "../domain/route-health.ts"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { RouteNumbers } from "../telemetry/route-numbers.ts"
import type { CircuitState } from "./Circuit.ts"
import { RouteHealth } from "./RouteHealth.ts"

interface Known {
  readonly baseUrl: string
  readonly apiKey: string
  readonly health: RouteHealth
}

export class RouteHealths {
  readonly #routes = new Map<string, Known>()

  of(route: Route): RouteHealth {
    const known = this.known(route)
    if (known !== undefined) return known
    const { apiKey, baseUrl, id } = route
    const health = new RouteHealth()
    this.#routes.set(id, { baseUrl, apiKey, health })
    return health
  }

  /** Nothing of a route that is gone since: a call that goes on by it says nothing of the one in its place. */
  known({ apiKey, baseUrl, id }: Route): RouteHealth | undefined {
    const known = this.#routes.get(id)
    return known?.baseUrl === baseUrl && known.apiKey === apiKey ? known.health : undefined
  }

  states(nowMs: number): ReadonlyArray<{ readonly route: string; readonly state: CircuitState }> {
    return [...this.#routes].map(([route, { health }]) => ({ route, state: health.state(nowMs) }))
  }

  numbers(nowMs: number): ReadonlyArray<RouteNumbers> {
    return Array.from(this.#routes, ([route, { health }]) => health.record.numbers(route, nowMs))
  }

  /** What has been counted since this was last asked. */
  takeTallies(): ReadonlyArray<RouteTally> {
    return [...this.#routes].flatMap(([route, { health }]) => health.record.takeTallies(route))
  }

  conditions(nowMs: number): ReadonlyArray<RouteCondition> {
    return [...this.#routes].flatMap(([route, { health }]) => {
      const notable = health.notable(nowMs)
      return notable === undefined ? [] : [{ route, ...notable }]
    })
  }

  keepOnly(providers: Readonly<Record<string, ProviderSettings>>): void {
    const kept = new Set(Object.values(providers).flatMap(({ routes }) => routes.map(({ id }) => id)))
    for (const id of this.#routes.keys()) if (!kept.has(id)) this.#routes.delete(id)
  }
}
