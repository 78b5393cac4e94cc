/** One call over several routes: the next is asked where one proves that it has done nothing. */
import { Effect } from "effect"
import type { Route } from "../config/settings.ts"
import type { AnswerHead } from "./http1/read-head.ts"
import type { Asker } from "./Asker.ts"
import type { BedrockCredentialsError } from "./sign-bedrock.ts"
import { type UpstreamExchange, UpstreamFault } from "./UpstreamExchange.ts"

export interface UpstreamAnswer {
  readonly head: AnswerHead
  readonly exchange: UpstreamExchange
  readonly route: Route
  readonly asker: Asker
}

export type UpstreamFailure = UpstreamFault | BedrockCredentialsError

export type Attempted = Effect.Effect<UpstreamAnswer, UpstreamFailure>

/** The provider has too much to do, or we have asked too often. */
export const isBusy = (status: number): boolean => status === 429 || status === 503 || status === 529

/** Our account with the provider is closed or empty. */
export const isLockedOut = (status: number): boolean => status === 401 || status === 402

/** Statuses that prove that the provider has done no work, for no reason that lies in the call: another route may do it. */
export const isPassedOver = (status: number): boolean => isBusy(status) || isLockedOut(status)

/** Nothing has gone out to the provider. */
const isUnsent = (failure: UpstreamFailure): boolean =>
  failure._tag === "BedrockCredentialsError" || failure.reason === "connect"

/** `refusal`: of a route before these. It waits, and is passed on where no other route can even be asked. */
export const tryRoutes = (
  attempt: (route: Route) => Attempted,
  [route, ...others]: ReadonlyArray<Route>,
  refusal?: UpstreamAnswer
): Attempted => {
  if (route === undefined) return Effect.fail(noRoute())
  const isLast = others.length === 0
  if (isLast && refusal === undefined) return attempt(route)
  return attempt(route).pipe(
    Effect.onInterrupt(() => Effect.sync(() => refusal?.exchange.abort())),
    Effect.matchEffect({
      onFailure: (failure) => {
        if (isUnsent(failure) && !isLast) return tryRoutes(attempt, others, refusal)
        if (isUnsent(failure) && refusal !== undefined) return Effect.sync(() => takenUp(refusal))
        refusal?.exchange.abort()
        return Effect.fail(failure)
      },
      onSuccess: (answer) => {
        refusal?.exchange.abort()
        if (isLast || !isPassedOver(answer.head.status)) return Effect.succeed(answer)
        answer.exchange.pause()
        return tryRoutes(attempt, others, answer)
      }
    })
  )
}

/** An answer that was laid aside while others were asked. */
const takenUp = (answer: UpstreamAnswer): UpstreamAnswer => {
  answer.exchange.resume(Date.now())
  return answer
}

const noRoute = () => new UpstreamFault({ reason: "connect", detail: "no route" })
