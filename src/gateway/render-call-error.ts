/** A CallError as its caller reads it: a whole answer, or the last event of a stream. */
import type { CallId } from "../domain/ids.ts"
import { endpoints } from "../formats/endpoints.ts"
import { chatErrors } from "../formats/render-error.ts"
import { idHeaders, jsonType } from "./answer-headers.ts"
import type { Call } from "./Call.ts"
import { type CallError, retryAfterOf, isFinal } from "./CallError.ts"
import type { ResponseHeaders } from "./Client.ts"

export interface RenderedError {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: string
}

export const renderCallError = (call: Call, error: CallError): RenderedError => ({
  status: error.status,
  headers: [jsonType, ...idHeaders(call), ...errorHeaders(error)],
  body: endpoints[call.endpoint].errors.body({ ...shownOf(error), requestId: call.id })
})

/** For paths that belong to no endpoint; the chat form has all that any client reads. */
export const renderPathError = (error: CallError, id: CallId): RenderedError => ({
  status: error.status,
  headers: [jsonType, ...idHeaders({ id }), ...errorHeaders(error)],
  body: chatErrors.body({ ...shownOf(error), requestId: id })
})

export const streamErrorFrame = (call: Call, error: CallError, sequence: number): string =>
  endpoints[call.endpoint].errors.frame({ ...shownOf(error), requestId: call.id }, sequence)

const shownOf = ({ code, details, message, param, type }: CallError) => ({
  type,
  message,
  param,
  code,
  details
})

const errorHeaders = (error: CallError): ResponseHeaders => {
  const retryAfter = retryAfterOf(error)
  return [
    ...(isFinal(error) ? [["x-should-retry", "false"] as const] : []),
    ...(retryAfter === undefined ? [] : [["retry-after", String(retryAfter)] as const]),
    ...(error.allow === undefined ? [] : [["allow", error.allow] as const])
  ]
}
