/** A Messages upstream's whole answer as a chat completion. */
import { Result } from "effect"
import { toolCalled } from "../../chat/tool-calls.ts"
import { mapStreamError } from "../../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject, stringOf } from "../../json/json.ts"
import { mergeCounts, noCounts } from "../../messages/usage.ts"
import { type StreamFailure, unreadable } from "../../errors/stream-failure.ts"
import type { ConversionContext } from "../conversion.ts"
import { customInputOf } from "../CustomInputReader.ts"
import { argumentsOf, shownUsage, completionShell, explanationOf, signedThought } from "./answer-parts.ts"
import { withFunctionCall } from "../../chat/older-functions.ts"
import { chatFinishReason } from "../stop-reasons.ts"
import { originalName } from "../tool-names.ts"
import { readOrigin } from "../tool-origin.ts"

export const messagesResponseToChat = (
  body: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> => {
  if (isJsonObject(body.error)) return Result.fail(mapStreamError(body.error))
  if (!Array.isArray(body.content)) return Result.fail(unreadable)
  const message = chatMessage(body.content as ReadonlyArray<Json>, body.stop_details, context)
  const hasCalls = message.tool_calls !== undefined
  const reason = body.stop_reason === "end_turn" && hasCalls ? "tool_use" : body.stop_reason
  const choice = { index: 0, message, logprobs: null, finish_reason: chatFinishReason(reason) }
  return Result.succeed({
    ...completionShell("chat.completion", context),
    choices: [context.givesFunctions ? withFunctionCall(choice) : choice],
    usage: shownUsage(mergeCounts(noCounts, body.usage), context)
  })
}

/**
 * Thinking goes into `reasoning_content`, and with its signatures into `thinking_blocks`, which a client may send back.
 * Blocks of the provider's own tools are none of the client's.
 */
const chatMessage = (
  content: ReadonlyArray<Json>,
  stopDetails: Json | undefined,
  context: ConversionContext
): JsonObject => {
  const calls: Array<JsonObject> = []
  const thoughts: Array<JsonObject> = []
  let text = ""
  let reasoning = ""
  for (const block of content.filter(isJsonObject)) {
    if (block.type === "text") text += stringOf(block.text)
    else if (block.type === "tool_use") calls.push(toolCall(block, context))
    else if (block.type === "thinking" || block.type === "redacted_thinking") {
      thoughts.push(signedThought(block, context.family))
      reasoning += stringOf(block.thinking)
    }
  }
  return {
    role: "assistant",
    content: text === "" ? null : text,
    refusal: explanationOf(stopDetails),
    ...(reasoning !== "" && { reasoning_content: reasoning }),
    ...(thoughts.length > 0 && { thinking_blocks: thoughts }),
    ...(calls.length > 0 && { tool_calls: calls })
  }
}

const toolCall = (block: JsonObject, { toolNames }: ConversionContext): JsonObject => {
  const { isCustom, name } = readOrigin(originalName(toolNames, stringOf(block.name)))
  const written = stringOf(block.arguments) || argumentsOf(block.input)
  return {
    id: stringOf(block.id),
    ...toolCalled(isCustom, name, isCustom ? customInputOf(written) : written)
  }
}
