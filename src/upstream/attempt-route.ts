/** One try at one route: the request shaped and sent, the head of its answer awaited, and the route's health told of what came of it. */
import { Effect } from "effect"
import type { Route } from "../config/settings.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { ConnectionPools } from "./ConnectionPools.ts"
import type { RouteHealths } from "./RouteHealths.ts"
import type { Watched } from "./Sweeper.ts"
import type { PooledRequest } from "./http1/ConnectionPool.ts"
import type { Attempted, AttemptFault, UpstreamAttempt, UpstreamCall } from "./UpstreamCall.ts"
import { UpstreamExchange } from "./UpstreamExchange.ts"

export interface Means {
  readonly pools: ConnectionPools
  readonly healths: RouteHealths
  readonly watch: (watched: Watched) => () => void
}

const outcomeOf = (fault: AttemptFault) =>
  fault._tag === "BedrockCredentialsError" ? "credentials" : fault.reason

const detailOf = (fault: AttemptFault) =>
  fault._tag === "BedrockCredentialsError" ? undefined : fault.detail

export const attemptRoute = (
  { healths, pools, watch }: Means,
  call: UpstreamCall,
  route: Route
): Attempted => {
  const { asker, attempts, deadlineMs, provider, readWhole } = call
  const health = healths.of(route)
  const startedMs = steadyMs()
  const place = attempts.push({ route: route.id, outcome: "left", ms: 0 }) - 1
  const told = (outcome: UpstreamAttempt["outcome"], detail?: string): number => {
    const nowMs = steadyMs()
    attempts[place] = {
      route: route.id,
      outcome,
      ms: nowMs - startedMs,
      ...(detail !== undefined && { detail })
    }
    return nowMs
  }
  let exchange: UpstreamExchange | undefined
  const send = (request: PooledRequest) => {
    const { firstByteTimeoutMs, idleTimeoutMs } = provider
    const limits = { firstByteTimeoutMs, idleTimeoutMs, deadlineMs, readWhole }
    exchange = new UpstreamExchange(limits, steadyMs(), watch, {
      left: () => void told("left"),
      ended: (head, error) => health.cameWhole(asker, head, error, steadyMs())
    })
    exchange.begin(pools.send(route, request, provider.connectTimeoutMs, exchange))
    return exchange.head
  }
  // Before the request is signed, which takes its time: meanwhile others would be let through as well.
  health.begin(asker, startedMs)
  return Effect.mapBoth(Effect.flatMap(call.shape(route), send), {
    onFailure: (fault) => {
      const outcome = outcomeOf(fault)
      const nowMs = told(outcome, detailOf(fault))
      if (outcome === "credentials") health.record.failed(nowMs, outcome, asker.family)
      else health.failed(asker, outcome, nowMs)
      return fault
    },
    onSuccess: (head) => {
      const nowMs = told(head.status)
      health.answered(asker, head, nowMs, readWhole ? undefined : nowMs - startedMs)
      return { head, exchange: exchange!, route, asker, noteBroken: () => void told("broken") }
    }
  })
}
