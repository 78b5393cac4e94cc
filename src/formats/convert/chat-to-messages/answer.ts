/** A chat upstream's whole answer as a Messages answer. */
import { Result } from "effect"
import { argumentsText, type ChatContent, readChatContent, thinkingBlocksOf } from "../../chat/content.ts"
import { chatCounts, sentUsage } from "../../chat/usage.ts"
import { mapStreamError } from "../../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../../json/json.ts"
import { type StreamFailure, brokenOff, unreadable } from "../../errors/stream-failure.ts"
import { thinkingBlock, toolUse } from "../../messages/blocks.ts"
import { isBrokenFinish } from "../../chat/broken-finish.ts"
import {
  firstChoice,
  keptArguments,
  matchedStop,
  messageShell,
  messagesUsageOf,
  stopDetails
} from "./answer-parts.ts"
import { isBlankText } from "../blank-text.ts"
import { responsesCitations } from "../citations.ts"
import { type ConversionContext, estimatedUsage } from "../conversion.ts"
import { markReasoning } from "../reasoning-marks.ts"
import { messagesStopReason } from "../stop-reasons.ts"
import { receivedSignature } from "../thought-signature.ts"
import { originalName, receivedToolId } from "../tool-names.ts"
import { uniqueCallIds } from "../UniqueNames.ts"

export const chatResponseToMessages = (
  body: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> => {
  if (isJsonObject(body.error)) return Result.fail(mapStreamError(body.error))
  if (!Array.isArray(body.choices)) return Result.fail(unreadable)
  const choices = body.choices as ReadonlyArray<Json>
  const choice = firstChoice(choices) ?? choices.find(isJsonObject)
  // As in a stream, where no choice comes to its end.
  if (choice === undefined) return Result.fail(brokenOff)
  if (isBrokenFinish(choice.finish_reason)) return Result.fail(brokenOff)
  const message = objectOf(choice.message)
  const said = readChatContent(message)
  const { text, refusal } = said
  const tools = toolBlocks(message, context)
  const stopSequence = matchedStop(choice)
  const content = [
    ...thinkingBlocks(message, said, context),
    ...(isBlankText(text) ? [] : [textBlock(text, message, context)]),
    ...(refusal === "" ? [] : [refusalBlock(refusal, context)]),
    ...tools
  ]
  const stopReason = messagesStopReason(choice.finish_reason, {
    tools: tools.length > 0,
    refusal: refusal !== "",
    stopSequence: stopSequence !== null
  })
  return Result.succeed({
    ...messageShell(context),
    content,
    stop_reason: stopReason,
    stop_sequence: stopSequence,
    ...stopDetails(stopReason, refusal),
    usage: messagesUsageOf(
      chatCounts(sentUsage(body)) ?? estimatedUsage(context, context.outputEstimate ?? 0)
    )
  })
}

/** Citations stand on the way as those of Messages do, each in the form of the client that knows it. */
const textBlock = (
  text: string,
  { annotations }: JsonObject,
  { keepsCitations }: ConversionContext
): JsonObject => {
  const citations = keepsCitations ? responsesCitations(annotations) : []
  return { type: "text", text, ...(citations.length > 0 && { citations }) }
}

/** Each block under its own signature, where the upstream gives blocks. */
const thinkingBlocks = (
  message: JsonObject,
  { signature, thinking }: ChatContent,
  { family }: ConversionContext
): ReadonlyArray<JsonObject> => {
  const blocks = thinkingBlocksOf(message).map((block) => markedBlock(thinkingBlock(block), family))
  if (thinking === "" || blocks.some(({ type }) => type === "thinking")) return blocks
  return [markedBlock({ type: "thinking", thinking, signature }, family), ...blocks]
}

const markedBlock = (block: JsonObject, family: string): JsonObject =>
  block.type === "thinking"
    ? { ...block, signature: markReasoning(family, "thought", stringOf(block.signature)) }
    : { ...block, data: markReasoning(family, "redacted", stringOf(block.data)) }

const refusalBlock = (refusal: string, { tellsRefusals }: ConversionContext): JsonObject =>
  tellsRefusals ? { type: "refusal", refusal } : { type: "text", text: refusal }

const toolBlocks = (message: JsonObject, context: ConversionContext): ReadonlyArray<JsonObject> => {
  const legacy: ReadonlyArray<JsonObject> = isJsonObject(message.function_call)
    ? [{ function: message.function_call }]
    : []
  const blocks: Array<JsonObject> = []
  const ids = uniqueCallIds()
  for (const call of [...objectsOf(message.tool_calls), ...legacy]) {
    const called = objectOf(call.function)
    const name = stringOf(called.name)
    if (name === "") continue
    const signature = receivedSignature(call)
    if (signature !== undefined)
      blocks.push({ type: "redacted_thinking", data: markReasoning(context.family, "call", signature) })
    const written = argumentsText(called.arguments)
    const id = ids.take(receivedToolId(stringOf(call.id)) || `toolu_${context.callId}_${blocks.length}`)
    blocks.push({
      ...toolUse(id, originalName(context.toolNames, name), keptArguments(written)),
      ...(context.keepsArguments && { arguments: written })
    })
  }
  return blocks
}
