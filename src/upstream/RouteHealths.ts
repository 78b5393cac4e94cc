/**
 * What is known of every route. One that leads elsewhere, or with another key, after a reload begins anew; what calls that
 * go on over the former one make of it is known to nobody.
 */
import type { RouteCondition, RouteTally } from "../domain/route-health.ts"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { RouteNumbers } from "../telemetry/route-numbers.ts"
import type { CircuitState } from "./Circuit.ts"
import { RouteHealth } from "./RouteHealth.ts"

/** Where a route leads, and by whose key: with another of them it is another route. */
type Identity = Pick<Route, "apiKey" | "baseUrl">

export class RouteHealths {
  readonly #routes = new Map<string, { readonly identity: Identity; readonly health: RouteHealth }>()
  /** By ids; any route where nothing has been told of them. */
  #present: ReadonlyMap<string, Identity> | undefined

  of(route: Route): RouteHealth {
    const known = this.known(route)
    if (known !== undefined) return known
    const health = new RouteHealth()
    if (this.#isPresent(route)) this.#routes.set(route.id, { identity: route, health })
    return health
  }

  /** Nothing of a route that is gone since: a call that goes on by it says nothing of the one in its place. */
  known(route: Route): RouteHealth | undefined {
    const known = this.#routes.get(route.id)
    return known !== undefined && isSame(known.identity, route) ? known.health : undefined
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
    const routes = Object.values(providers).flatMap((provider) => provider.routes)
    this.#present = new Map(routes.map((route) => [route.id, route]))
    for (const [id, { identity }] of this.#routes)
      if (!this.#isPresent({ ...identity, id })) this.#routes.delete(id)
  }

  #isPresent({ id, ...identity }: Identity & Pick<Route, "id">): boolean {
    if (this.#present === undefined) return true
    const present = this.#present.get(id)
    return present !== undefined && isSame(present, identity)
  }
}

const isSame = (one: Identity, other: Identity): boolean =>
  one.baseUrl === other.baseUrl && one.apiKey === other.apiKey
