/** The providers: their connections, and which route a call takes by what is known of each. */
import { Clock, Context, Effect, Layer } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { ConnectionNumbers } from "../telemetry/connection-numbers.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import type { Asker } from "./Asker.ts"
import type { CircuitState } from "./Circuit.ts"
import { chooseRoutes, orderRoutes } from "./choose-route.ts"
import { ConnectionPools } from "./ConnectionPools.ts"
import { RouteHealths } from "./RouteHealths.ts"
import type { BedrockCredentialsError } from "./sign-bedrock.ts"
import { Sweeper } from "./Sweeper.ts"
import { tryRoutes, type UpstreamAnswer, type UpstreamFailure } from "./try-routes.ts"
import { UpstreamExchange, type UpstreamFault } from "./UpstreamExchange.ts"

/** A request as it goes out over one route. */
export interface UpstreamRequest {
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
  readonly asker: Asker
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

const tickEveryMs = 1_000

/** How many routes one call may be tried on. */
const attemptsMax = 3

export class Upstreams extends Context.Service<
  Upstreams,
  {
    /** The first answer that is worth giving: from the next route where one proves that it did nothing. */
    call(call: UpstreamCall): Effect.Effect<UpstreamAnswer, UpstreamFailure>
    /** A route broke off an answer it had begun. */
    reportBroken(answer: Pick<UpstreamAnswer, "route" | "asker">): void
    /** Seconds until an open circuit of this provider lets this asker try again; 0 when one is closed. */
    retryAfterSeconds(provider: ProviderSettings, asker: Asker, nowMs: number): number
    breakers(nowMs: number): ReadonlyArray<{ readonly route: string; readonly state: CircuitState }>
    connections(): ReadonlyArray<ConnectionNumbers>
    /** Forgets what is known of routes that these providers no longer have, and closes their connections. */
    keepOnly(providers: Readonly<Record<string, ProviderSettings>>): void
  }
>()("tollgate/upstream/Upstreams") {
  static readonly layer = Layer.effect(
    Upstreams,
    Effect.gen(function* () {
      const sweeper = yield* Sweeper
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const pools = new ConnectionPools((fault) =>
        run(Effect.logError(`An answer was broken off by a fault of the gateway: ${describeFault(fault)}`))
      )
      const healths = new RouteHealths()
      yield* Effect.addFinalizer(() => Effect.sync(() => pools.close()))
      yield* Effect.flatMap(Clock.currentTimeMillis, (nowMs) => Effect.sync(() => pools.tick(nowMs))).pipe(
        Effect.delay(tickEveryMs),
        Effect.forever,
        Effect.forkScoped
      )

      const attempt = (call: UpstreamCall, route: Route): Effect.Effect<UpstreamAnswer, UpstreamFailure> => {
        const health = healths.of(route)
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
          exchange.begin(pools.send(route, request, provider.connectTimeoutMs, exchange))
          return exchange.head
        }
        // Before the request is signed, which takes its time: meanwhile others would be let through as well.
        health.begin(call.asker, startedMs)
        return Effect.mapBoth(Effect.flatMap(call.shape(route), send), {
          onFailure: (failure) => {
            const outcome = outcomeOf(failure)
            const nowMs = told(outcome)
            if (outcome !== "credentials") health.failed(call.asker, outcome, nowMs)
            return failure
          },
          onSuccess: (head) => {
            health.answered(call.asker, head, told(head.status))
            return { head, exchange: exchange!, route, asker: call.asker }
          }
        })
      }

      return Upstreams.of({
        call: (call) =>
          Effect.suspend(() => {
            const nowMs = Date.now()
            const ordered = orderRoutes(call.provider.routes, Math.random)
            const conditionOf = (route: Route) => healths.of(route).condition(call.asker, nowMs)
            const routes = chooseRoutes(ordered, conditionOf, attemptsMax)
            return tryRoutes((route) => attempt(call, route), routes)
          }),
        reportBroken: ({ asker, route }) => healths.known(route)?.failed(asker, "broken", Date.now()),
        retryAfterSeconds: ({ routes }, asker, nowMs) =>
          Math.min(...routes.map((route) => healths.known(route)?.retryAfterSeconds(asker, nowMs) ?? 0)),
        breakers: (nowMs) => healths.states(nowMs),
        connections: () => pools.numbers(),
        keepOnly: (providers) => {
          healths.keepOnly(providers)
          pools.keepOnly(Object.values(providers).flatMap(({ routes }) => routes))
        }
      })
    })
  )
}
