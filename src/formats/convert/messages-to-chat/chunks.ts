/** The chunks of a chat stream. */
import type { Json, JsonObject } from "../../json/json.ts"
import { ChatWriter } from "../../stream/event-writers.ts"
import type { ConversionContext } from "../conversion.ts"
import { completionShell } from "./answer-parts.ts"

export const chunkChoice = (delta: JsonObject, finishReason: Json = null): JsonObject => ({
  index: 0,
  delta,
  logprobs: null,
  finish_reason: finishReason
})

export const chunkShell = (context: ConversionContext): JsonObject =>
  completionShell("chat.completion.chunk", context)

export const completionChunk = (context: ConversionContext, choice: JsonObject): JsonObject => ({
  ...chunkShell(context),
  choices: [choice],
  ...(context.includeUsage && { usage: null })
})

export const chunkWriter = (context: ConversionContext): ChatWriter =>
  new ChatWriter((delta) => completionChunk(context, chunkChoice(delta)))
