/** What the whole and the streamed answer of a Messages upstream share on their way to a chat client. */
import type { UsageInParts } from "../../../domain/usage.ts"
import { nestedTooDeeply } from "../../json/nesting.ts"
import { isJsonObject, type Json, type JsonObject, stringOf } from "../../json/json.ts"
import { type MessagesCounts, usageInParts } from "../../messages/usage.ts"
import { thinkingBlock } from "../../messages/blocks.ts"
import { type ConversionContext, completionIdOf } from "../conversion.ts"
import { isMark, redactedFor, signatureFor } from "../reasoning-marks.ts"

export const completionShell = (object: string, context: ConversionContext): JsonObject => ({
  id: completionIdOf(context),
  object,
  created: context.now,
  model: context.modelId
})

/** Usage in the words of the chat protocol, where cached input is a part of the prompt. */
export const chatUsageOf = (usage: UsageInParts): JsonObject => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: {
    cached_tokens: usage.cacheReadTokens,
    cache_write_tokens: usage.cacheWriteTokens
  },
  completion_tokens_details: { reasoning_tokens: usage.reasoningTokens }
})

/** What a chat client is told of these counts. */
export const shownUsage = (
  counts: MessagesCounts,
  { inputEstimate, outputEstimate = 0 }: ConversionContext
): JsonObject =>
  chatUsageOf(
    usageInParts(counts, {
      inputTokens: inputEstimate,
      outputTokens: counts.outputTokens ?? outputEstimate
    })
  )

/** A tool call's input as the string that chat clients parse. */
export const argumentsOf = (input: Json | undefined): string =>
  isJsonObject(input) && !nestedTooDeeply(input) ? JSON.stringify(input) : "{}"

/** Why the model refused, in its provider's words. */
export const explanationOf = (stopDetails: Json | undefined): string | null =>
  isJsonObject(stopDetails) && typeof stopDetails.explanation === "string" ? stopDetails.explanation : null

/** A block of thinking for a client that may give it to any model: only Claude's own comes without a mark of whose it is. */
export const signedThought = (block: JsonObject, family: string): JsonObject => {
  const thought = thinkingBlock(block)
  const signed = stringOf(thought.signature) || stringOf(thought.data)
  if (signed === "" || isMark(signed)) return thought
  return thought.type === "thinking"
    ? { ...thought, signature: signatureFor(family, signed) }
    : { ...thought, data: redactedFor(family, signed) }
}
