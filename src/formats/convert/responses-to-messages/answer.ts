/** A Responses upstream's whole answer as a Messages answer. */
import { Result } from "effect"
import { type JsonObject, objectsOf, stringOf } from "../../json/json.ts"
import { toolUse } from "../../messages/blocks.ts"
import { responseFailure } from "../../responses/read-response.ts"
import { responsesCounts } from "../../responses/usage.ts"
import {
  keptArguments,
  messageShell,
  messagesUsageOf,
  stopDetails
} from "../chat-to-messages/answer-parts.ts"
import { isBlankText } from "../blank-text.ts"
import { type ConversionContext, estimatedUsage } from "../conversion.ts"
import type { StreamFailure } from "../../errors/stream-failure.ts"
import { originalName } from "../tool-names.ts"
import { isEncrypted, sayingsOf, signatureOfItem, stopReasonOf, thoughtOf } from "./answer-parts.ts"

export const responsesResponseToMessages = (
  body: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> => {
  const failure = responseFailure(body)
  if (failure !== undefined) return Result.fail(failure)
  const items = objectsOf(body.output)
  const content = items.flatMap((item) => blocksOf(item, context))
  const refusal = items
    .flatMap(({ content: parts }) => objectsOf(parts).map((part) => stringOf(part.refusal)))
    .join("")
  const held = { tools: content.some(({ type }) => type === "tool_use"), refusal: refusal !== "" }
  const reason = stopReasonOf(body, held)
  return Result.succeed({
    ...messageShell(context),
    content,
    stop_reason: reason,
    ...stopDetails(reason, refusal),
    usage: messagesUsageOf(
      responsesCounts(body.usage) ?? estimatedUsage(context, context.outputEstimate ?? 0)
    )
  })
}

const blocksOf = (item: JsonObject, context: ConversionContext): ReadonlyArray<JsonObject> => {
  switch (item.type) {
    case "message":
      return sayingsOf(item.content)
        .filter(({ text }) => !isBlankText(text))
        .map(({ text }) => ({ type: "text", text }))
    case "reasoning":
      return thinkingBlocks(item, context)
    case "function_call":
      return [
        toolUse(
          stringOf(item.call_id),
          originalName(context.toolNames, stringOf(item.name)),
          keptArguments(stringOf(item.arguments))
        )
      ]
    default:
      return []
  }
}

const thinkingBlocks = (item: JsonObject, context: ConversionContext): ReadonlyArray<JsonObject> => {
  if (context.thinking === "none") return []
  const thinking = context.thinking === "shown" ? thoughtOf(item) : ""
  if (thinking === "" && !isEncrypted(item)) return []
  return [{ type: "thinking", thinking, signature: signatureOfItem(item, context.family) }]
}
