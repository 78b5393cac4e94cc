/** The contract's errors as each protocol's clients read them: as a body, and as the last event of a stream. */
import type { ErrorType } from "./errors/upstream-errors.ts"
import { codedFailure } from "./failure-codes.ts"
import type { JsonObject } from "./json/json.ts"
import { dataFrame, namedFrame } from "./stream/sse.ts"
import { tellTooLong } from "./too-long.ts"

export interface ErrorShown {
  readonly type: ErrorType
  readonly message: string
  readonly requestId: string
  readonly param?: string | undefined
  readonly code?: string | undefined
  readonly details?: JsonObject | undefined
}

/** How a protocol's clients are told of an error. */
export interface ErrorWords {
  /** As a whole answer. */
  body(error: ErrorShown): string
  /** As the last event of a stream; `sequence` is its number, where events have one. */
  frame(error: ErrorShown, sequence: number): string
}

export const messagesErrors: ErrorWords = {
  body: (error) => rendered(messagesError(error), error),
  frame: (error) => namedFrame("error", rendered(messagesError(error), error))
}

/** Also of images and speech, whose clients are the same. */
export const chatErrors: ErrorWords = {
  body: (error) => rendered(openaiError(error), error),
  frame: (error) => dataFrame(JSON.stringify({ error: openaiError(error), request_id: error.requestId }))
}

export const responsesErrors: ErrorWords = {
  body: chatErrors.body,
  /**
   * The event's number follows on from the last one sent. OpenAI documents the members at the top; what it sends has
   * them in `error`, without which its SDKs pass the event on as any other and throw nothing.
   */
  frame: (shown, sequence) => {
    const error = openaiError({ ...shown, code: shown.code ?? codedFailure(shown).code })
    const { code, message, param } = error
    return namedFrame(
      "error",
      JSON.stringify({ type: "error", code, message, param, sequence_number: sequence, error })
    )
  }
}

const rendered = (error: JsonObject, { requestId }: ErrorShown): string =>
  JSON.stringify({ type: "error", error, request_id: requestId })

const messagesError = (shown: ErrorShown): JsonObject => {
  const { details, message, type } = tellTooLong(shown, true)
  return { type, message, ...(details !== undefined && { details }) }
}

/** OpenAI's clients read `param` and `code`, so those stand there even when nothing is known. */
const openaiError = (shown: ErrorShown): JsonObject => {
  const { code, details, message, param, type } = tellTooLong(shown, false)
  return {
    type,
    message,
    param: param ?? null,
    code: code ?? null,
    ...(details !== undefined && { details })
  }
}
