/** A Messages upstream's whole answer as a response: what its stream would have ended in. */
import { Result } from "effect"
import { mapStreamError } from "../../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { parseExactJson } from "../../json/parse-exact-json.ts"
import type { ConversionContext } from "../conversion.ts"
import { brokenOff, unreadable, type StreamFailure } from "../../errors/stream-failure.ts"
import { MessagesStreamToResponses, secondsNow } from "./MessagesStreamToResponses.ts"

export const messagesResponseToResponses = (
  body: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> => {
  if (isJsonObject(body.error)) return Result.fail(mapStreamError(body.error))
  if (!Array.isArray(body.content)) return Result.fail(unreadable)
  const stream = new MessagesStreamToResponses(context, secondsNow)
  stream.push({ type: "message_start", message: body })
  const delta = { stop_reason: body.stop_reason ?? "end_turn" }
  stream.push({ type: "message_delta", delta, usage: body.usage ?? null })
  stream.push({ type: "message_stop" })
  if (stream.failure !== undefined || !stream.finished) return Result.fail(stream.failure ?? brokenOff)
  const [, data] = stream.tail.split("\ndata: ")
  const { response } = parseExactJson(data!) as { readonly response: Json }
  return Result.succeed(response as JsonObject)
}
