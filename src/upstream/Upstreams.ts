/** The providers: their connections, and which route a call takes by what is known of each. */
import { Context, Effect, Layer } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { RouteCondition, RouteTally } from "../domain/route-health.ts"
import type { RouteNumbers } from "../telemetry/route-numbers.ts"
import type { ConnectionNumbers } from "../telemetry/connection-numbers.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { Asker } from "./Asker.ts"
import type { CircuitState } from "./Circuit.ts"
import { chooseBeside, chooseRoutes, orderRoutes } from "./choose-route.ts"
import { attemptRoute, type Means } from "./attempt-route.ts"
import { hedged } from "./hedge.ts"
import { ConnectionPools } from "./ConnectionPools.ts"
import { RouteHealths } from "./RouteHealths.ts"
import { Sweeper } from "./Sweeper.ts"
import { tryRoutes } from "./try-routes.ts"
import type { Attempted, UpstreamAnswer, UpstreamCall } from "./UpstreamCall.ts"

export interface RoutesTold {
  readonly tallies: ReadonlyArray<RouteTally>
  readonly conditions: ReadonlyArray<RouteCondition>
}

const tickEveryMs = 1_000

/** How many routes one call may be tried on. */
const attemptsMax = 3

export class Upstreams extends Context.Service<
  Upstreams,
  {
    /** The first answer that is worth giving: from the next route where one proves that it did nothing. */
    call(call: UpstreamCall): Attempted
    /** One try at this route, whatever is known of it; nothing is learnt from it. */
    callAlone(call: UpstreamCall, route: Route): Attempted
    /** A route broke off an answer it had begun; `what`: with the status that it told in it. */
    reportBroken(answer: Pick<UpstreamAnswer, "route" | "asker" | "noteBroken">, what?: string): void
    /** A route's error is none that the caller could mend. */
    reportRefused(answer: Pick<UpstreamAnswer, "route" | "asker" | "head">): void
    /** Seconds until an open circuit of this provider lets this asker try again; 0 when one is closed. */
    retryAfterSeconds(provider: ProviderSettings, asker: Asker, nowMs: number): number
    circuits(nowMs: number): ReadonlyArray<{ readonly route: string; readonly state: CircuitState }>
    /** What has become of the calls tried on each route lately. */
    routes(nowMs: number): ReadonlyArray<RouteNumbers>
    /** What has been counted of each route since this was last asked, and those that calls do not simply go by. */
    takeHealth(nowMs: number): RoutesTold
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
      yield* Effect.sync(() => pools.tick(steadyMs())).pipe(
        Effect.delay(tickEveryMs),
        Effect.forever,
        Effect.forkScoped
      )

      const means: Means = { pools, healths, watch: sweeper.watch }
      return Upstreams.of({
        call: (call) =>
          Effect.suspend(() => {
            const ordered = orderRoutes(call.provider.routes, Math.random)
            const readinessOf = (route: Route) => healths.of(route).readiness(call.asker, steadyMs())
            let tried: Route | undefined
            const attempt = (route: Route) => {
              tried = route
              return attemptRoute(means, call, route)
            }
            const mayTry = (route: Route) => readinessOf(route).admitted
            const passOver = (route: Route) => healths.known(route)?.record.passedOver(call.asker.family)
            const trying = { attempt, mayTry, passOver }
            const first = tryRoutes(trying, chooseRoutes(ordered, readinessOf, attemptsMax))
            if (call.hedgeAfterMs === undefined || call.readWhole) return first
            const hedge = {
              attempted: first,
              passOver: () => {
                if (tried !== undefined) passOver(tried)
              }
            }
            return hedged(hedge, call.hedgeAfterMs, () => {
              const beside = chooseBeside(ordered, call.attempts, readinessOf)
              if (beside === undefined) return undefined
              return { attempted: attemptRoute(means, call, beside), passOver: () => passOver(beside) }
            })
          }),
        callAlone: (call, route) => attemptRoute({ ...means, healths: new RouteHealths() }, call, route),
        reportBroken: ({ asker, noteBroken, route }, what) => {
          noteBroken()
          healths.known(route)?.brokeOff(asker, steadyMs(), what)
        },
        reportRefused: ({ asker, head, route }) => healths.known(route)?.refused(asker, head, steadyMs()),
        retryAfterSeconds: ({ routes }, asker, nowMs) =>
          Math.min(...routes.map((route) => healths.known(route)?.retryAfterSeconds(asker, nowMs) ?? 0)),
        circuits: (nowMs) => healths.states(nowMs),
        routes: (nowMs) => healths.numbers(nowMs),
        takeHealth: (nowMs) => ({ tallies: healths.takeTallies(), conditions: healths.conditions(nowMs) }),
        connections: () => pools.numbers(),
        keepOnly: (providers) => {
          healths.keepOnly(providers)
          pools.keepOnly(Object.values(providers).flatMap(({ routes }) => routes))
        }
      })
    })
  )
}
