/** The providers' connections: one pool per origin, one circuit breaker per route. */
import { Clock, Context, Effect, Layer } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import { CircuitBreaker, type BreakerState } from "./CircuitBreaker.ts"
import { chooseRoutes, orderRoutes } from "./choose-route.ts"
import { ConnectionPool } from "./http1/ConnectionPool.ts"
import { endpointOf } from "./http1/Endpoint.ts"
import type { AnswerHead } from "./http1/read-head.ts"
import { readRetryAfter } from "./read-retry-after.ts"
import type { BedrockCredentialsError } from "./sign-bedrock.ts"
import { Sweeper } from "./Sweeper.ts"
import { isRefusal, tryRoutes, type UpstreamAnswer, type UpstreamFailure } from "./try-routes.ts"
import { UpstreamExchange, type UpstreamFault } from "./UpstreamExchange.ts"

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
  /** The answer's status, or why there was none: `left` where the caller did not wait for it. */
  readonly outcome: number | UpstreamFault["reason"] | "credentials" | "left"
  readonly ms: number
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

const outcomeOf = (failure: UpstreamFailure) =>
  failure._tag === "BedrockCredentialsError" ? "credentials" : failure.reason
const isOwnFault = (status: number): boolean => status >= 500

/** Our account with the provider is closed or empty: others go first for a while, since only its operator can mend it. */
const isLockedOut = (status: number): boolean => status === 401 || status === 402
const lockedOutMs = 60_000

const closeIdleEveryMs = 1_000

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
      yield* Effect.addFinalizer(() => Effect.sync(() => connections.close()))
      yield* Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        Effect.sync(() => connections.closeIdle(nowMs))
      ).pipe(Effect.delay(closeIdleEveryMs), Effect.forever, Effect.forkScoped)

      const attempt = (call: UpstreamCall, route: Route): Effect.Effect<UpstreamAnswer, UpstreamFailure> => {
        const state = connections.stateOf(route)
        const startedMs = Date.now()
        const told = (outcome: Attempt["outcome"]): number => {
          const nowMs = Date.now()
          call.attempts.push({ route: route.id, outcome, ms: nowMs - startedMs })
          return nowMs
        }
        let exchange: UpstreamExchange | undefined
        const send = (request: UpstreamRequest) => {
          const { deadlineMs, provider, readWhole } = call
          const { firstByteTimeoutMs, idleTimeoutMs } = provider
          const limits = { firstByteTimeoutMs, idleTimeoutMs, deadlineMs, readWhole }
          exchange = new UpstreamExchange(limits, Date.now(), sweeper.watch, () => told("left"))
          connections.send(request, provider, exchange)
          return exchange.head
        }
        // Before the request is signed, which takes its time: meanwhile others would be let through as well.
        state.breaker.begin(startedMs)
        return Effect.mapBoth(Effect.flatMap(call.shape(route), send), {
          onFailure: (failure) => {
            const outcome = outcomeOf(failure)
            const nowMs = told(outcome)
            if (outcome !== "cut" && outcome !== "credentials") state.breaker.failed(nowMs)
            return failure
          },
          onSuccess: (head) => {
            answered(state, head, told(head.status))
            return { head, exchange: exchange!, route }
          }
        })
      }

      return Upstreams.of({
        call: (call) =>
          Effect.suspend(() => {
            const nowMs = Date.now()
            const ordered = orderRoutes(call.provider.routes, Math.random)
            const conditionOf = (route: Route) => connections.conditionOf(route, nowMs)
            const routes = chooseRoutes(ordered, conditionOf, attemptsMax)
            return tryRoutes((route) => attempt(call, route), routes)
          }),
        reportBroken: (route) => connections.known(route)?.breaker.failed(Date.now()),
        retryAfterSeconds: (provider, nowMs) => connections.retryAfterSeconds(provider, nowMs),
        breakers: (nowMs) => connections.breakers(nowMs),
        keepOnly: (providers) => connections.keepOnly(providers)
      })
    })
  )
}

/** What is known of a route; a route that leads elsewhere, or with another key, after a reload begins anew. */
interface RouteState {
  readonly baseUrl: string
  readonly apiKey: string
  readonly breaker: CircuitBreaker
  restsUntilMs: number
}

/** What an answer's status says of its route. */
const answered = (state: RouteState, { headers, status }: AnswerHead, nowMs: number): void => {
  if (isOwnFault(status)) state.breaker.failed(nowMs)
  else state.breaker.succeeded(nowMs)
  const restMs = isLockedOut(status) ? lockedOutMs : isRefusal(status) ? restOf(headers, nowMs) : 0
  if (restMs > 0) state.restsUntilMs = nowMs + restMs
}

/** The provider said when to come back: until then others go first. */
const restOf = (headers: AnswerHead["headers"], nowMs: number): number =>
  (readRetryAfter(headers["retry-after"], nowMs) ?? 0) * 1000

class Connections {
  readonly #pools = new Map<string, ConnectionPool>()
  readonly #routes = new Map<string, RouteState>()

  conditionOf(route: Route, nowMs: number) {
    const { breaker, restsUntilMs } = this.stateOf(route)
    return { admitted: breaker.admits(nowMs), resting: nowMs < restsUntilMs }
  }

  retryAfterSeconds({ routes }: ProviderSettings, nowMs: number): number {
    return Math.min(...routes.map((route) => this.known(route)?.breaker.retryAfterSeconds(nowMs) ?? 0))
  }

  breakers(nowMs: number) {
    return [...this.#routes].map(([route, { breaker }]) => ({ route, state: breaker.state(nowMs) }))
  }

  keepOnly(providers: Readonly<Record<string, ProviderSettings>>): void {
    const kept = new Set(Object.values(providers).flatMap(({ routes }) => routes.map(({ id }) => id)))
    for (const id of this.#routes.keys()) if (!kept.has(id)) this.#routes.delete(id)
  }

  /** Nothing of a route that is gone since: a call that goes on by it says nothing of the one in its place. */
  known({ apiKey, baseUrl, id }: Route): RouteState | undefined {
    const state = this.#routes.get(id)
    return state?.baseUrl === baseUrl && state.apiKey === apiKey ? state : undefined
  }

  stateOf(route: Route): RouteState {
    const known = this.known(route)
    if (known !== undefined) return known
    const { apiKey, baseUrl, id } = route
    const state: RouteState = { baseUrl, apiKey, breaker: new CircuitBreaker(), restsUntilMs: 0 }
    this.#routes.set(id, state)
    return state
  }

  send(request: UpstreamRequest, { connectTimeoutMs }: ProviderSettings, exchange: UpstreamExchange): void {
    exchange.begin(this.#poolOf(request.origin).send(request, connectTimeoutMs, exchange))
  }

  closeIdle(nowMs: number): void {
    for (const pool of this.#pools.values()) pool.closeIdle(nowMs)
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close()
  }

  #poolOf(origin: string): ConnectionPool {
    const known = this.#pools.get(origin)
    if (known !== undefined) return known
    const pool = new ConnectionPool(endpointOf(origin))
    this.#pools.set(origin, pool)
    return pool
  }
}
