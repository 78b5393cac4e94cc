/** One call over several routes: the next is asked where one proves that it has done nothing. */
import { Effect } from "effect"
import type { Route } from "../config/settings.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { Attempted, AttemptFault, UpstreamAnswer } from "./UpstreamCall.ts"
import { UpstreamFault } from "./UpstreamExchange.ts"

/** The provider has too much to do, or we have asked too often. */
export const isBusy = (status: number): boolean => status === 429 || status === 503 || status === 529

/** Our account with the provider is closed or empty. */
export const isLockedOut = (status: number): boolean => status === 401 || status === 402

/** Statuses that prove that the provider has done no work, for no reason that lies in the call: another route may do it. */
export const isPassedOver = (status: number): boolean => isBusy(status) || isLockedOut(status)

/** Nothing has gone out to the provider. */
const isUnsent = (fault: AttemptFault): boolean =>
  fault._tag === "BedrockCredentialsError" || fault.reason === "connect"

export interface Trying {
  readonly attempt: (route: Route) => Attempted
  /** Of a route after the first: while others were asked, it may have been closed, or be tried by another call. */
  readonly mayTry: (route: Route) => boolean
  /** It has failed, and another one is asked. */
  readonly passOver: (route: Route) => void
}

/** `refusal`: of a route before these. It waits, and is passed on where no other route can even be asked. */
export const tryRoutes = (
  trying: Trying,
  [route, ...others]: ReadonlyArray<Route>,
  refusal?: UpstreamAnswer
): Attempted => {
  if (route === undefined) return Effect.fail(noRoute())
  const attempted = trying.attempt(route)
  if (others.length === 0 && refusal === undefined) return attempted
  return attempted.pipe(
    Effect.onInterrupt(() => Effect.sync(() => refusal?.exchange.abort())),
    Effect.matchEffect({
      onFailure: (fault) => {
        const next = isUnsent(fault) ? others.filter(trying.mayTry) : []
        if (next.length > 0) {
          trying.passOver(route)
          return tryRoutes(trying, next, refusal)
        }
        if (isUnsent(fault) && refusal !== undefined) return Effect.sync(() => takenUp(refusal))
        refusal?.exchange.abort()
        return Effect.fail(fault)
      },
      onSuccess: (answer) => {
        refusal?.exchange.abort()
        const next = isPassedOver(answer.head.status) ? others.filter(trying.mayTry) : []
        if (next.length === 0) return Effect.succeed(answer)
        answer.exchange.pause()
        trying.passOver(route)
        return tryRoutes(trying, next, answer)
      }
    })
  )
}

/** An answer that was laid aside while others were asked. */
const takenUp = (answer: UpstreamAnswer): UpstreamAnswer => {
  answer.exchange.resume(steadyMs())
  return answer
}

const noRoute = () => new UpstreamFault({ reason: "connect", detail: "no route" })
