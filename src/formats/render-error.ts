/** The contract's errors as each protocol's clients read them: as a body, and as the last event of a stream. */
import type { ErrorType } from "./errors/upstream-errors.ts"
import type { JsonObject } from "./json/json.ts"
import { dataFrame, namedFrame } from "./stream/sse.ts"
import { tellTooLong } from "./too-long.ts"

export type EndpointFamily = "messages" | "chat" | "responses" | "images" | "speech"

export interface ErrorShown {
  readonly type: ErrorType
  readonly message: string
  readonly requestId: string
  readonly param?: string | undefined
  readonly code?: string | undefined
  readonly details?: JsonObject | undefined
}

export const renderErrorBody = (family: EndpointFamily, error: ErrorShown): string =>
  JSON.stringify({ type: "error", error: errorObject(family, error), request_id: error.requestId })

/** `sequence` is the number of the Responses event, which follows on from the last one sent. */
export const renderStreamError = (family: EndpointFamily, error: ErrorShown, sequence = 0): string => {
  switch (family) {
    case "messages":
      return namedFrame("error", renderErrorBody(family, error))
    case "responses":
      return namedFrame("error", JSON.stringify(responsesError(error, sequence)))
    default:
      return dataFrame(JSON.stringify({ error: errorObject(family, error), request_id: error.requestId }))
  }
}

/** OpenAI's clients read `param` and `code`, so those stand there even when nothing is known. */
const errorObject = (family: EndpointFamily, shown: ErrorShown): JsonObject => {
  const error = tellTooLong(shown, family === "messages")
  return {
    type: error.type,
    message: error.message,
    ...(family !== "messages" && { param: error.param ?? null, code: error.code ?? null }),
    ...(error.details !== undefined && { details: error.details })
  }
}

const responsesError = (error: ErrorShown, sequence: number): JsonObject => ({
  type: "error",
  code: error.code ?? error.type,
  message: error.message,
  param: error.param ?? null,
  sequence_number: sequence
})
