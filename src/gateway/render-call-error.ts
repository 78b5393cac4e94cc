/** A CallError as its caller reads it: a whole answer, or the last event of a stream. */
import type { CallId } from "../domain/ids.ts"
import { endpoints } from "../formats/endpoints.ts"
import { codedFailure } from "../formats/failure-codes.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
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

/**
 * How a stream ends that failed, in the codec's words where it has some of its own. `lostEvents` of the codec's last ones
 * have not been passed on, which leaves their numbers to others.
 */
export const streamErrorFrame = (
  call: Call,
  error: CallError,
  codec: StreamCodec,
  lostEvents = 0
): string => {
  const shown = { ...shownOf(error), requestId: call.id }
  const errorAt = (sequenceNumber: number) => endpoints[call.endpoint].errors.frame(shown, sequenceNumber)
  return (
    codec.failed?.(codedFailure(shown), lostEvents, errorAt) ??
    errorAt(Math.max(0, (codec.nextSequenceNumber ?? 0) - lostEvents))
  )
}

/** Half a character, as where a text was cut or sent so, is nothing that strict readers of JSON take. */
const shownOf = ({ code, details, message, param, type }: CallError) => ({
  type,
  message: message.toWellFormed(),
  param: param?.toWellFormed(),
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
