/** A call to a provider, what is told of its tries, and what comes of it. */
import type { Effect } from "effect"
import type { ProviderSettings, Route } from "../config/settings.ts"
import type { Attempt } from "../domain/call.ts"
import type { Asker } from "./Asker.ts"
import type { PooledRequest } from "./http1/ConnectionPool.ts"
import type { AnswerHead } from "./http1/read-head.ts"
import type { BedrockCredentialsError } from "./sign-bedrock.ts"
import type { UpstreamExchange, UpstreamFault } from "./UpstreamExchange.ts"

/** One try at one route, in our own words where it had no answer. */
export interface UpstreamAttempt extends Attempt {
  /** The answer's status, or why there was none or no whole one: `left` where nobody waited for it any more, or not yet. */
  readonly outcome: number | UpstreamFault["reason"] | "credentials" | "left"
  /** More of why, for the log alone: a code of the system's, of TLS or of a proxy, or our own words. */
  readonly detail?: string | undefined
}

export interface UpstreamCall {
  readonly provider: ProviderSettings
  readonly asker: Asker
  /** When the whole call must be over, by the steady clock. */
  readonly deadlineMs: number
  /** The answer will be read whole, not as it comes. */
  readonly readWhole: boolean
  /** After so long without an answer another route is asked beside; only of answers that are read as they come. */
  readonly hedgeAfterMs?: number | undefined
  /** In the order in which they were begun. */
  readonly attempts: Array<UpstreamAttempt>
  /** Shapes the request for a route: its address, its credentials. */
  readonly shape: (route: Route) => Effect.Effect<PooledRequest, BedrockCredentialsError>
}

/** The head of an answer, whatever its status; the exchange has its body. */
export interface UpstreamAnswer {
  readonly head: AnswerHead
  readonly exchange: UpstreamExchange
  readonly route: Route
  readonly asker: Asker
  /** It began well and came to nothing: that is then what became of the attempt. */
  readonly noteBroken: () => void
}

/** Why there is no answer. A provider that tells of a failure has answered. */
export type AttemptFault = UpstreamFault | BedrockCredentialsError

export type Attempted = Effect.Effect<UpstreamAnswer, AttemptFault>
