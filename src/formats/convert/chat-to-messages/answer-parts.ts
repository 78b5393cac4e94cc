/** What the whole and the streamed answer of a chat upstream share on their way to a Messages client. */
import type { UsageInParts } from "../../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject, parseObject } from "../../json/json.ts"
import { nestedTooDeeply } from "../../json/nesting.ts"
import { isLongNumber, parseExactJson } from "../../json/parse-exact-json.ts"
import { type ConversionContext, estimatedUsage, messageIdOf } from "../conversion.ts"
import { untoldUsage } from "../../messages/usage.ts"
import type { MessagesStopReason } from "../stop-reasons.ts"

/** The message around the content; a stream begins with it while the rest is still unknown. */
export const messageShell = (context: ConversionContext): JsonObject => ({
  id: messageIdOf(context),
  type: "message",
  role: "assistant",
  model: context.modelId,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
  diagnostics: null,
  usage: messagesUsageOf(estimatedUsage(context, 0))
})

/** Usage in the words of the Messages protocol: cached input is counted apart from the rest. */
export const messagesUsageOf = (usage: UsageInParts): JsonObject => ({
  ...untoldUsage,
  input_tokens: usage.inputTokens - usage.cacheReadTokens - usage.cacheWriteTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  output_tokens: usage.outputTokens,
  ...(usage.reasoningTokens > 0 && { output_tokens_details: { thinking_tokens: usage.reasoningTokens } })
})

/** What an answer says of its refusal beside the stop reason; null where it stopped for another reason. */
export const stopDetails = (reason: MessagesStopReason, refusal: string): JsonObject => ({
  stop_details:
    reason === "refusal" && refusal !== "" ? { type: "refusal", category: null, explanation: refusal } : null
})

/**
 * The arguments of a call in a chat client's history. What is no object, as when the answer was cut, becomes an empty one, with
 * which a session goes on (maximhq/bifrost, toolinput_test.go).
 */
export const parsedArguments = (text: string): JsonObject => argumentsIn(text) ?? {}

/**
 * The same elsewhere: what is no object is kept in one, so that callers and models see what was said and nobody takes it for
 * a call without arguments. The name is Anthropic's: https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming
 */
export const keptArguments = (text: string): JsonObject =>
  argumentsIn(text) ?? (/^\s*(null\s*)?$/.test(text) ? {} : { INVALID_JSON: text })

const argumentsIn = (text: string): JsonObject | undefined => {
  const value = parseObject(text, parseExactJson)
  return value === undefined || isLongNumber(value) || nestedTooDeeply(value) ? undefined : value
}

/** The first choice by its number: a stream's chunk may hold another one alone. */
export const firstChoice = (choices: ReadonlyArray<Json>): JsonObject | undefined =>
  choices.find((choice): choice is JsonObject => isJsonObject(choice) && (choice.index ?? 0) === 0)

/** The string that stopped the answer, where the upstream tells it. */
export const matchedStop = (choice: JsonObject): string | null => {
  const told = choice.stop_reason ?? choice.matched_stop
  return typeof told === "string" && choice.finish_reason === "stop" ? told : null
}
