/** A Converse answer as a Messages answer. */
import { Result } from "effect"
import { answerTool } from "../../bedrock/answer-tool.ts"
import { usageOfConverse } from "../../bedrock/usage.ts"
import { nestedTooDeeply } from "../../json/nesting.ts"
import { isLongNumber } from "../../json/parse-exact-json.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../../json/json.ts"
import { toolUse } from "../../messages/blocks.ts"
import { type StreamFailure, unreadable } from "../../errors/stream-failure.ts"
import { isBlankText, isVoidInput } from "../blank-text.ts"
import { keptArguments, messageShell, messagesUsageOf } from "../chat-to-messages/answer-parts.ts"
import { type ConversionContext, estimatedUsage } from "../conversion.ts"
import { asksForAnswerCall, withAnswerAsText } from "./answer-call.ts"
import {
  calledName,
  citationOf,
  endOf,
  isServerToolUse,
  redactedDataOf,
  stopReasonOfConverse
} from "./answer-parts.ts"
import { redactedFor, signatureFor } from "../reasoning-marks.ts"
import { originalName } from "../tool-names.ts"

/** With all that the model wrote. Fails where the answer is none: that is the upstream's fault. */
export const converseResponseToMessages = (
  answer: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> => {
  const output = objectOf(answer.output)
  const message = isJsonObject(output.message) ? output.message : undefined
  if (message === undefined || !Array.isArray(message.content)) return Result.fail(unreadable)
  const content = objectsOf(message.content).flatMap((block) => blockOf(block, context))
  const stopReason = stopReasonOfConverse(
    answer.stopReason,
    content.some((block) => block.type === "tool_use")
  )
  if (stopReason === undefined) return Result.fail(unreadable)
  return Result.succeed({
    ...messageShell(context),
    content,
    ...endOf(stopReason, context),
    usage:
      usageOfConverse(answer.usage) ?? messagesUsageOf(estimatedUsage(context, context.outputEstimate ?? 0))
  })
}

/** The same as the caller asked for it. */
export const converseAnswerToMessages = (
  answer: JsonObject,
  context: ConversionContext
): Result.Result<JsonObject, StreamFailure> =>
  Result.map(converseResponseToMessages(answer, context), (message) => {
    const told = context.oneCall ? withFirstCall(message) : message
    return asksForAnswerCall(context.toolNames) ? withAnswerAsText(told) : told
  })

const withFirstCall = (message: JsonObject): JsonObject => {
  const content = objectsOf(message.content)
  const first = content.find(({ type }) => type === "tool_use")
  return { ...message, content: content.filter((block) => block.type !== "tool_use" || block === first) }
}

const blockOf = (block: JsonObject, context: ConversionContext): ReadonlyArray<JsonObject> => {
  const { text, toolUse: called, reasoningContent, citationsContent } = block
  if (typeof text === "string") return isBlankText(text) ? [] : [{ type: "text", text }]
  if (isJsonObject(called)) {
    if (isServerToolUse(called)) return []
    const { toolUseId, name, input } = called
    const original = originalName(context.toolNames, calledName(stringOf(name)))
    const keeps = context.keepsArguments || original === answerTool
    return [{ ...toolUse(stringOf(toolUseId), original, {}), ...calledWith(input, keeps) }]
  }
  if (isJsonObject(reasoningContent)) return thinkingOf(reasoningContent, context)
  return isJsonObject(citationsContent) ? citedTextOf(citationsContent) : []
}

/** What the model wrote may be no object, though Bedrock says that it is one: it is told as a stream tells it, where that can be. */
const calledWith = (input: Json | undefined, keepsArguments: boolean): JsonObject => {
  if (isJsonObject(input) && !isLongNumber(input)) return { input: nestedTooDeeply(input) ? {} : input }
  const written = writtenOf(input)
  return keepsArguments ? { arguments: written } : { input: keptArguments(written) }
}

const writtenOf = (input: Json | undefined): string => {
  if (input === undefined || nestedTooDeeply(input)) return ""
  const written = typeof input === "string" ? input : JSON.stringify(input)
  return isVoidInput(written) ? "" : written
}

const thinkingOf = (reasoning: JsonObject, { family }: ConversionContext): ReadonlyArray<JsonObject> => {
  const { reasoningText, redactedContent } = reasoning
  if (typeof redactedContent === "string") {
    return [{ type: "redacted_thinking", data: redactedFor(family, redactedDataOf(redactedContent)) }]
  }
  if (!isJsonObject(reasoningText)) return []
  const thinking = stringOf(reasoningText.text)
  const signature = stringOf(reasoningText.signature)
  return thinking === "" && signature === ""
    ? []
    : [{ type: "thinking", thinking, signature: signatureFor(family, signature) }]
}

const citedTextOf = (cited: JsonObject): ReadonlyArray<JsonObject> => {
  const text = objectsOf(cited.content)
    .map((part) => stringOf(part.text))
    .join("")
  const citations = objectsOf(cited.citations)
    .map(citationOf)
    .filter((citation) => citation !== undefined)
  // Clients that send the block back are refused for one without a text, be it cited.
  return isBlankText(text) ? [] : [{ type: "text", text, ...(citations.length > 0 && { citations }) }]
}
