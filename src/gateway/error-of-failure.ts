/** A failure that an upstream reported inside its answer, as an error of the contract. */
import type { Route } from "../config/settings.ts"
import type { StreamFailure } from "../formats/errors/stream-failure.ts"
import { CallError } from "./CallError.ts"
import { hideRoute } from "./hide-route.ts"

const statusOf: Readonly<Record<StreamFailure["type"], number>> = {
  api_error: 502,
  rate_limit_error: 429,
  invalid_request_error: 400,
  request_too_large: 413
}

export const errorOfFailure = (failure: StreamFailure, route: Route): CallError =>
  new CallError({
    ...failure,
    status: statusOf[failure.type],
    message: hideRoute(failure.message, route)
  })
