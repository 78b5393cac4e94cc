/** The connections to all providers: routes that lead to the same place in the same way share theirs. */
import { createHash } from "node:crypto"
import type { Route } from "../config/settings.ts"
import type { ConnectionNumbers } from "../telemetry/connection-numbers.ts"
import { ConnectionCounts } from "./http1/ConnectionCounts.ts"
import { ConnectionPool, type PooledRequest } from "./http1/ConnectionPool.ts"
import type { AnswerListener, Delivery } from "./http1/Delivery.ts"
import { endpointOf } from "./http1/Endpoint.ts"

export class ConnectionPools {
  readonly #pools = new Map<string, ConnectionPool>()
  /** By route, since calls are many and routes are few. */
  readonly #poolOfRoute = new WeakMap<Route, ConnectionPool>()
  /** Of providers that are configured no more, as long as calls by them are under way. */
  readonly #retired = new Set<ConnectionPool>()
  /** By origin; they outlive their pools, since a counter must never fall. */
  readonly #counts = new Map<string, ConnectionCounts>()
  readonly #tellFault: (fault: unknown) => void
  /** Of the routes that are configured; any where nothing has been told of them. */
  #kept: ReadonlySet<string> | undefined
  #isClosed = false

  /** `tellFault` hears of what was thrown while an answer was read; that call alone has failed of it. */
  constructor(tellFault: (fault: unknown) => void) {
    this.#tellFault = tellFault
  }

  send(route: Route, request: PooledRequest, connectTimeoutMs: number, listener: AnswerListener): Delivery {
    const pool = this.#poolOfRoute.get(route) ?? this.#findPool(route)
    // A call that was under way as its route was removed may still come to it.
    if (pool.isRetired) this.#retired.add(pool)
    return pool.send(request, connectTimeoutMs, listener)
  }

  /** Once a second. */
  tick(nowMs: number): void {
    for (const pool of this.#pools.values()) pool.tick(nowMs)
    for (const pool of this.#retired) if (pool.isEmpty) this.#retired.delete(pool)
  }

  /** Those of all other routes end with the calls that are under way. */
  keepOnly(routes: Iterable<Route>): void {
    this.#kept = new Set(Array.from(routes, keyOf))
    for (const [key, pool] of this.#pools) {
      if (this.#kept.has(key)) continue
      this.#pools.delete(key)
      this.#retired.add(pool)
      pool.retire()
    }
  }

  numbers(): ReadonlyArray<ConnectionNumbers> {
    const pools = [...this.#pools.values(), ...this.#retired]
    return [...this.#counts].map(([origin, { failed, opened, reused, sentAgain }]) => {
      const own = pools.filter((pool) => pool.origin === origin)
      const sum = (read: (pool: ConnectionPool) => number) =>
        own.reduce((total, pool) => total + read(pool), 0)
      return {
        origin,
        open: sum((pool) => pool.open),
        idle: sum((pool) => pool.idle),
        connecting: sum((pool) => pool.connecting),
        opened,
        reused,
        sentAgain,
        failed: Object.fromEntries(failed)
      }
    })
  }

  close(): void {
    this.#isClosed = true
    for (const pool of [...this.#pools.values(), ...this.#retired]) pool.close()
  }

  #findPool(route: Route): ConnectionPool {
    const key = keyOf(route)
    const pool = this.#pools.get(key) ?? this.#makePool(key, route)
    this.#poolOfRoute.set(route, pool)
    return pool
  }

  #makePool(key: string, route: Route): ConnectionPool {
    const endpoint = endpointOf(route.baseUrl, route.passage)
    const counts = this.#counts.get(endpoint.origin) ?? new ConnectionCounts()
    this.#counts.set(endpoint.origin, counts)
    const pool = new ConnectionPool(endpoint, counts, this.#tellFault)
    if (this.#kept?.has(key) === false) pool.retire()
    else this.#pools.set(key, pool)
    if (this.#isClosed) pool.close()
    return pool
  }
}

/** Where a route leads and how; a digest, since passwords and keys are in it. */
const keyOf = ({ baseUrl, passage }: Route): string =>
  createHash("sha256")
    .update(
      JSON.stringify([
        new URL(baseUrl).origin,
        passage?.proxy,
        passage?.authorities,
        passage?.certificate,
        passage?.key,
        passage?.publicOr
      ])
    )
    .digest("base64")
