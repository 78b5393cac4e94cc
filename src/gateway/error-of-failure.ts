/** What went wrong upstream as an error of the contract: a failure of the answer, or a fault for which there is none. */
import type { ProviderSettings } from "../config/settings.ts"
import type { StreamFailure } from "../formats/errors/stream-failure.ts"
import type { Pair } from "../formats/Pair.ts"
import type { AttemptFault } from "../upstream/UpstreamCall.ts"
import { answerBrokenOff, CallError, modelUnreachable, restarting, upstreamFailed } from "./CallError.ts"
import { hideSecrets } from "./hide-secrets.ts"

const statusOf: Readonly<Record<StreamFailure["type"], number>> = {
  api_error: 502,
  rate_limit_error: 429,
  invalid_request_error: 400,
  request_too_large: 413
}

/** One that stands inside of its answer. */
export const errorOfFailure = (
  failure: StreamFailure,
  provider: ProviderSettings,
  clientsField?: Pair["clientsField"]
): CallError =>
  new CallError({ ...toldToClient(failure, provider, clientsField), status: statusOf[failure.type] })

/** What of it the client may know, in its own words; without `clientsField` the provider's are the same. */
export const toldToClient = <Failure extends StreamFailure>(
  failure: Failure,
  provider: ProviderSettings,
  clientsField?: Pair["clientsField"]
): Failure => {
  const { param, ...told } = hideSecrets(failure, provider)
  const field = param === undefined || clientsField === undefined ? param : clientsField(param)
  return { ...told, ...(field !== undefined && { param: field }) } as Failure
}

/** `retryAfterSeconds` where an open circuit is the reason, until it is tried again. */
export const errorOfFault = (fault: AttemptFault, retryAfterSeconds = 0): CallError => {
  if (fault._tag === "BedrockCredentialsError") return modelUnreachable()
  switch (fault.reason) {
    case "cut":
      return restarting()
    case "timeout":
      return upstreamFailed("The model took too long to answer.")
    case "connect":
      return modelUnreachable(retryAfterSeconds > 0 ? retryAfterSeconds : undefined)
    default:
      return answerBrokenOff()
  }
}
