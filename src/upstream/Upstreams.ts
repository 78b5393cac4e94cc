/** The providers' connections: one pool per origin, one circuit breaker per route. */
import { Context, Effect, Layer } from "effect"
import { Pool } from "undici"
import type { ProviderSettings, Route } from "../config/settings.ts"
import { CircuitBreaker, type BreakerState } from "./CircuitBreaker.ts"
import { chooseRoutes, orderRoutes } from "./choose-route.ts"
import { receive } from "./receive.ts"
import { readRetryAfter } from "./read-retry-after.ts"
import type { BedrockCredentialsError } from "./sign-bedrock.ts"
import { Sweeper } from "./Sweeper.ts"
import { UpstreamExchange, UpstreamFault, type UpstreamHead } from "./UpstreamExchange.ts"

/** A request as it goes out over one route. */
export interface UpstreamRequest {
  readonly origin: string
  /** From the origin on, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** One try at one route, for the call's log line. */
export interface Attempt {
  readonly route: string
  /** The answer's status, or why there was none. */
  readonly outcome: number | UpstreamFault["reason"]
  readonly ms: number
}

export interface UpstreamAnswer {
  readonly head: UpstreamHead
  readonly exchange: UpstreamExchange
  readonly route: Route
}

export interface UpstreamCall {
  readonly provider: ProviderSettings
  /** When the whole call must be over, ms since 1970. */
  readonly deadlineMs: number
  /** The answer will be read whole, not as it comes. */
  readonly readWhole: boolean
  readonly attempts: Array<Attempt>
  /** Shapes the request for a route: its address, its credentials. */
  readonly shape: (route: Route) => Effect.Effect<UpstreamRequest, BedrockCredentialsError>
}

export type UpstreamFailure = UpstreamFault | BedrockCredentialsError

/** Statuses that prove that the provider has done no work. */
const isRefusal = (status: number): boolean => status === 429 || status === 503 || status === 529
const isOwnFault = (status: number): boolean => status >= 500

/**
 * A new connection costs the first event two or three trips to another continent. Providers close idle ones later than this,
 * or say in `keep-alive` when they will, which is heeded.
 */
const idleConnectionMs = 30_000

/** How many routes one call may be tried on. */
const attemptsMax = 3

export class Upstreams extends Context.Service<
  Upstreams,
  {
    /** The first answer that is worth giving: from the next route where one proves that it did nothing. */
    call(call: UpstreamCall): Effect.Effect<UpstreamAnswer, UpstreamFailure>
    /** A route broke off an answer it had begun. */
    reportBroken(route: Route): void
    /** Seconds until an open circuit of this provider is tried again; 0 when one is closed. */
    retryAfterSeconds(provider: ProviderSettings, nowMs: number): number
    breakers(nowMs: number): ReadonlyArray<{ readonly route: string; readonly state: BreakerState }>
    /** Forgets what is known of routes that these providers no longer have. */
    keepOnly(providers: Readonly<Record<string, ProviderSettings>>): void
  }
>()("tollgate/upstream/Upstreams") {
  static readonly layer = Layer.effect(
    Upstreams,
    Effect.gen(function* () {
      const sweeper = yield* Sweeper
      const connections = new Connections()
      yield* Effect.addFinalizer(() => Effect.promise(() => connections.destroy()))

      const attempt = (call: UpstreamCall, route: Route): Effect.Effect<UpstreamAnswer, UpstreamFailure> =>
        Effect.flatMap(call.shape(route), (request) => {
          const breaker = connections.breakerOf(route)
          const startedMs = Date.now()
          breaker.begin(startedMs)
          const { firstByteTimeoutMs, idleTimeoutMs } = call.provider
          const { deadlineMs, readWhole } = call
          const limits = { firstByteTimeoutMs, idleTimeoutMs, deadlineMs, readWhole }
          const exchange = new UpstreamExchange(limits, startedMs, sweeper.watch)
          connections.dispatch(request, call.provider, exchange)
          const told = (outcome: Attempt["outcome"]): number => {
            const nowMs = Date.now()
            call.attempts.push({ route: route.id, outcome, ms: nowMs - startedMs })
            return nowMs
          }
          return Effect.mapBoth(exchange.head, {
            onFailure: (fault) => {
              const nowMs = told(fault.reason)
              if (fault.reason !== "cut") breaker.failed(nowMs)
              return fault
            },
            onSuccess: (head) => {
              connections.answered(route, head, told(head.status))
              return { head, exchange, route }
            }
          })
        })

      const tryRoutes = (
        call: UpstreamCall,
        routes: ReadonlyArray<Route>
      ): Effect.Effect<UpstreamAnswer, UpstreamFailure> => {
        const [route, ...others] = routes
        if (route === undefined) {
          return Effect.fail(new UpstreamFault({ reason: "connect", detail: "no route" }))
        }
        if (others.length === 0) return attempt(call, route)
        return attempt(call, route).pipe(
          Effect.flatMap((answer) => {
            if (!isRefusal(answer.head.status)) return Effect.succeed(answer)
            answer.exchange.abort()
            return tryRoutes(call, others)
          }),
          Effect.catchIf(
            (error) => error._tag === "UpstreamFault" && error.reason === "connect",
            () => tryRoutes(call, others)
          )
        )
      }

      return Upstreams.of({
        call: (call) =>
          Effect.suspend(() => {
            const nowMs = Date.now()
            const ordered = orderRoutes(call.provider.routes, Math.random)
            const condition = (route: Route) => connections.conditionOf(route, nowMs)
            return tryRoutes(call, chooseRoutes(ordered, condition, attemptsMax))
          }),
        reportBroken: (route) => connections.breakerOf(route).failed(Date.now()),
        retryAfterSeconds: (provider, nowMs) =>
          Math.min(...provider.routes.map((route) => connections.breakerOf(route).retryAfterSeconds(nowMs))),
        breakers: (nowMs) => connections.breakers(nowMs),
        keepOnly: (providers) => connections.keepOnly(providers)
      })
    })
  )
}

/** What is known of a route; a route that leads elsewhere after a reload begins anew. */
interface RouteState {
  readonly baseUrl: string
  readonly breaker: CircuitBreaker
  restsUntilMs: number
}

class Connections {
  readonly #pools = new Map<string, Pool>()
  readonly #routes = new Map<string, RouteState>()

  breakerOf(route: Route): CircuitBreaker {
    return this.#stateOf(route).breaker
  }

  conditionOf(route: Route, nowMs: number) {
    const { breaker, restsUntilMs } = this.#stateOf(route)
    return { admitted: breaker.admits(nowMs), resting: nowMs < restsUntilMs }
  }

  /** What an answer's status says of its route. */
  answered(route: Route, head: UpstreamHead, nowMs: number): void {
    const breaker = this.breakerOf(route)
    if (isOwnFault(head.status)) breaker.failed(nowMs)
    else breaker.succeeded(nowMs)
    if (isRefusal(head.status)) this.#rest(route, head, nowMs)
  }

  /** The provider said when to come back: until then others go first. */
  #rest(route: Route, { headers }: UpstreamHead, nowMs: number): void {
    const seconds = readRetryAfter(headers["retry-after"], nowMs)
    if (seconds !== undefined) this.#stateOf(route).restsUntilMs = nowMs + seconds * 1000
  }

  breakers(nowMs: number) {
    return [...this.#routes].map(([route, { breaker }]) => ({ route, state: breaker.state(nowMs) }))
  }

  keepOnly(providers: Readonly<Record<string, ProviderSettings>>): void {
    const kept = new Set(Object.values(providers).flatMap(({ routes }) => routes.map(({ id }) => id)))
    for (const id of this.#routes.keys()) if (!kept.has(id)) this.#routes.delete(id)
  }

  #stateOf({ baseUrl, id }: Route): RouteState {
    const known = this.#routes.get(id)
    if (known !== undefined && known.baseUrl === baseUrl) return known
    const state: RouteState = { baseUrl, breaker: new CircuitBreaker(), restsUntilMs: 0 }
    this.#routes.set(id, state)
    return state
  }

  dispatch(request: UpstreamRequest, provider: ProviderSettings, exchange: UpstreamExchange): void {
    this.#poolOf(request.origin, provider.connectTimeoutMs).dispatch(
      {
        method: "POST",
        path: request.path,
        headers: request.headers,
        body: request.body,
        headersTimeout: 0,
        bodyTimeout: 0
      },
      exchange
    )
  }

  destroy(): Promise<unknown> {
    return Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  #poolOf(origin: string, connectTimeoutMs: number): Pool {
    const key = `${origin} ${connectTimeoutMs}`
    const known = this.#pools.get(key)
    if (known !== undefined) return known
    // No limits of undici's own: its default of 300 s cuts long generations.
    const pool = new Pool(origin, {
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: connectTimeoutMs, onread: receive },
      // One connection carries one call, so that one which breaks or is read slowly concerns no other.
      allowH2: false,
      pipelining: 1,
      keepAliveTimeout: idleConnectionMs
    })
    this.#pools.set(key, pool)
    return pool
  }
}
