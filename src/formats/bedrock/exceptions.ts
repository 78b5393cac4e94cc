/** What Bedrock's errors mean in the gateway's terms: those inside a stream and those of whole answers. */
import { isJsonObject, type Json, type JsonObject } from "../json.ts"
import type { StreamFailure } from "../stream-codec.ts"

/** Exceptions are named in lower camel case inside streams and in upper camel case in headers. */
const typeOf: Readonly<Record<string, StreamFailure["type"]>> = {
  throttlingexception: "rate_limit_error",
  servicequotaexceededexception: "rate_limit_error",
  validationexception: "invalid_request_error"
}

/** The failure that an exception inside a stream is. Only what the caller can act on keeps AWS's own words. */
export const streamException = (name: string, payload: Json | undefined): StreamFailure => {
  const type = typeOf[name.toLowerCase()] ?? "api_error"
  if (type === "api_error") return { type, message: `The model failed while answering (${name}).` }
  return { type, message: bedrockErrorMessage(payload) ?? name }
}

/** The words of an error's body, without the names of our account's resources. */
export const bedrockErrorMessage = (body: Json | undefined): string | undefined => {
  if (!isJsonObject(body)) return undefined
  const message = body.message ?? body.Message
  return typeof message === "string" && message !== ""
    ? message.replace(/arn:aws[\w-]*:\S*/g, "(resource)")
    : undefined
}

/** A JSON object, or `undefined` for anything else. */
export const parseObject = (text: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
