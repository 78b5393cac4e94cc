/** Token counts as chat upstreams report them, under the several names they have for the same things. */
import { tokenCount, type Usage, type UsageInParts } from "../../domain/usage.ts"
import { isNonsense } from "../meter/nonsense-usage.ts"
import { eachObject } from "../json/each-object.ts"
import { isJsonObject, type Json, type JsonObject, listOf, objectOf } from "../json/json.ts"

/** The billed usage of an answer or of a chunk; `undefined` where it has none. */
export const chatUsage = (body: JsonObject): Usage | undefined => billedUsage(sentUsage(body))

/** The same of a usage as it was sent. */
export const billedUsage = (sent: Json | undefined): Usage | undefined => {
  const counts = chatCounts(sent)
  return counts && { inputTokens: counts.inputTokens, outputTokens: counts.outputTokens }
}

/** The billed input, whatever is told of the output. */
export const chatInput = (body: JsonObject): number | undefined => {
  const usage = sentUsage(body)
  return isJsonObject(usage) ? inputOf(usage) : undefined
}

/**
 * Whether a usage may replace the one before it. Behind a real count some upstreams send one of nothing but zeros, which
 * says nothing; one that stands alone is believed.
 */
export const replacesUsage = (next: Usage, known: Usage | undefined): boolean =>
  known === undefined || next.inputTokens + next.outputTokens > 0

/**
 * Whether a stream's usage is of its whole output. Some upstreams count as they go, and the last count is only good until
 * more comes, so it must be `late`; others write zeros until the answer is whole.
 */
export const isFinalUsage = (usage: Usage | undefined, late: boolean, whole: boolean): boolean =>
  usage !== undefined && late && (usage.outputTokens > 0 || whole)

/** The usage as it was sent: Moonshot tells it in the choice that ends a stream, Groq in a member of its own. */
export const sentUsage = (body: JsonObject): Json | undefined => {
  if (isJsonObject(body.usage)) return body.usage
  const { usage: groqs } = objectOf(body.x_groq)
  if (isJsonObject(groqs)) return groqs
  const choices = listOf(body.choices)
  const telling = choices.findLast((choice) => isJsonObject(objectOf(choice).usage))
  return objectOf(telling).usage
}

/** The same answer without any usage, wherever it is looked for. */
export const withoutUsage = (body: JsonObject): JsonObject => ({
  ...body,
  usage: undefined,
  x_groq: undefined,
  choices: eachObject(body.choices, (choice) => ({ ...choice, usage: undefined }))
})

export const chatCounts = (usage: unknown): UsageInParts | undefined => {
  if (!isJsonObject(usage) || isNonsense(usage)) return undefined
  const inputTokens = inputOf(usage)
  const completion = tokenCount(usage.completion_tokens ?? usage.output_tokens)
  const total = tokenCount(usage.total_tokens)
  if (inputTokens === undefined || (completion === undefined && total === undefined)) return undefined
  // Some upstreams leave reasoning out of the completion but not out of the total.
  const outputTokens = Math.max(completion ?? 0, (total ?? 0) - inputTokens)
  const details = firstObject(usage.prompt_tokens_details, usage.input_tokens_details)
  const reasoned = firstObject(usage.completion_tokens_details, usage.output_tokens_details)
  const cacheReadTokens = Math.min(
    firstCount(
      details.cached_tokens,
      usage.prompt_cache_hit_tokens,
      usage.cached_tokens,
      usage.num_cached_tokens,
      usage.cache_read_input_tokens
    ) ?? 0,
    inputTokens
  )
  const write =
    firstCount(
      details.cache_write_tokens,
      details.cache_creation_tokens,
      details.cache_creation_input_tokens,
      usage.cache_creation_input_tokens
    ) ?? 0
  const reasoningTokens = tokenCount(reasoned.reasoning_tokens) ?? outputTokens - (completion ?? 0)
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens: Math.min(write, inputTokens - cacheReadTokens),
    reasoningTokens: Math.min(reasoningTokens, outputTokens)
  }
}

/**
 * Some local servers use the Messages protocol's names (https://github.com/earendil-works/pi/issues/2326), by which what
 * was read from a cache or written to one is apart.
 */
const inputOf = (usage: JsonObject): number | undefined => {
  const { cache_creation_input_tokens: written, cache_read_input_tokens: read } = usage
  const prompt = usage.prompt_tokens ?? undefined
  if (prompt !== undefined) return promptOf(usage)
  const input = tokenCount(usage.input_tokens)
  return input === undefined
    ? undefined
    : tokenCount(input + (tokenCount(read) ?? 0) + (tokenCount(written) ?? 0))
}

/**
 * What was read from a cache is a part of the prompt, and no more than that. For some of xAI's models it is apart:
 * github.com/vercel/ai/pull/12485. Nobody else tells how many sources were used.
 */
const promptOf = (usage: JsonObject): number | undefined => {
  const prompt = tokenCount(usage.prompt_tokens)
  const cached = tokenCount(firstObject(usage.prompt_tokens_details).cached_tokens) ?? 0
  const isApart = prompt !== undefined && cached > prompt && typeof usage.num_sources_used === "number"
  return isApart ? tokenCount(prompt + cached) : prompt
}

const firstCount = (...values: ReadonlyArray<Json | undefined>): number | undefined =>
  values.map(tokenCount).find((count) => count !== undefined)

const firstObject = (...values: ReadonlyArray<Json | undefined>): JsonObject =>
  values.find(isJsonObject) ?? {}
