/** Bodies of image and speech calls, parsed and checked. */
import { isUtf8 } from "node:buffer"
import { Effect, Result } from "effect"
import { type InvalidRequest, nestedTooDeeply, refusable, refuse } from "../formats/fields.ts"
import { isJsonObject, type JsonObject } from "../formats/json.ts"
import { type CallError, invalidRequest } from "./CallError.ts"

/** Parses the body and reads from it what the endpoint needs; what it refuses names the field. */
export const readMediaBody = <A>(
  body: Buffer,
  read: (body: JsonObject) => A
): Effect.Effect<{ readonly parsed: JsonObject; readonly request: A }, CallError> =>
  Effect.suspend(() => {
    const result = refusable(() => {
      const parsed = parse(body)
      return { parsed, request: read(parsed) }
    })
    return Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : Effect.fail(errorOfInvalid(result.failure))
  })

export const errorOfInvalid = ({ details, field, message }: InvalidRequest): CallError =>
  invalidRequest(message, field, details)

const parse = (body: Buffer): JsonObject => {
  if (!isUtf8(body)) return refuse("body", "is not valid UTF-8")
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString("utf8"))
  } catch {
    return refuse("body", "is not valid JSON")
  }
  if (!isJsonObject(parsed)) return refuse("body", "must be a JSON object")
  return nestedTooDeeply(parsed) ? refuse("body", "is nested too deeply") : parsed
}
