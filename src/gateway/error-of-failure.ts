/** A failure that an upstream reported inside its answer, as an error of the contract. */
import type { ProviderSettings } from "../config/settings.ts"
import type { StreamFailure } from "../formats/errors/stream-failure.ts"
import { CallError } from "./CallError.ts"
import { hideSecrets } from "./hide-secrets.ts"

const statusOf: Readonly<Record<StreamFailure["type"], number>> = {
  api_error: 502,
  rate_limit_error: 429,
  invalid_request_error: 400,
  request_too_large: 413
}

export const errorOfFailure = (failure: StreamFailure, provider: ProviderSettings): CallError =>
  new CallError({ ...hideSecrets(failure, provider), status: statusOf[failure.type] })
