/** Token counts as the Messages protocol reports them. */
import type { Particulars } from "../../domain/particulars.ts"
import { tokenCount, type Usage, type UsageInParts } from "../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

export interface MessagesCounts {
  /** Input that was neither read from a cache nor written to one. */
  readonly inputTokens: number | undefined
  readonly cacheReadTokens: number | undefined
  readonly cacheWriteTokens: number | undefined
  readonly outputTokens: number | undefined
  /** The part of the output that was thinking, where it is told. */
  readonly thinkingTokens: number | undefined
  /** What other samplings took than those that wrote the answer, which none of the others counts. */
  readonly aside: CachedUsage | undefined
}

/** What was read from caches and written to them is a part of the input. */
interface CachedUsage extends Usage, Pick<Particulars, "cacheReadTokens" | "cacheWriteTokens"> {}

export const noCounts: MessagesCounts = {
  inputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  outputTokens: undefined,
  thinkingTokens: undefined,
  aside: undefined
}

/** What the official types have beside the counts, for answers of providers that tell none of it. */
export const untoldUsage = {
  cache_creation: null,
  inference_geo: null,
  output_tokens_details: null,
  server_tool_use: null,
  service_tier: null,
  speed: null
} as const satisfies JsonObject

/** The billed usage of a whole answer; `undefined` where the upstream did not count. */
export const messagesUsage = (body: JsonObject): Usage | undefined =>
  billedCounts(mergeCounts(noCounts, body.usage))

/** The billed input of a whole answer, whatever it tells of its output. */
export const messagesInput = (body: JsonObject): number | undefined =>
  begunUsage(mergeCounts(noCounts, body.usage))?.inputTokens

/**
 * The counts after one more `usage` of a stream: a later value replaces an earlier one, an absent one leaves it. An
 * input side of nothing but zeros is what some upstreams send with the final output count; it says nothing.
 */
export const mergeCounts = (known: MessagesCounts, usage: unknown): MessagesCounts => {
  if (!isJsonObject(usage)) return known
  const input = tokenCount(usage.input_tokens)
  const read = tokenCount(usage.cache_read_input_tokens)
  const write = tokenCount(usage.cache_creation_input_tokens)
  const details = usage.output_tokens_details
  const output = {
    outputTokens: tokenCount(usage.output_tokens) ?? known.outputTokens,
    thinkingTokens:
      (isJsonObject(details) ? tokenCount(details.thinking_tokens) : undefined) ?? known.thinkingTokens,
    aside: asideOf(usage.iterations) ?? known.aside
  }
  if (known.inputTokens !== undefined && (input ?? 0) + (read ?? 0) + (write ?? 0) === 0)
    return { ...known, ...output }
  return {
    inputTokens: input ?? known.inputTokens,
    cacheReadTokens: read ?? known.cacheReadTokens,
    cacheWriteTokens: write ?? known.cacheWriteTokens,
    ...output
  }
}

/** `usage` tells how much was written; at the start of a stream, that is only a beginning. */
export const tellsOutput = (usage: unknown): boolean =>
  isJsonObject(usage) && tokenCount(usage.output_tokens) !== undefined

export const billedCounts = (counts: MessagesCounts): Usage | undefined => {
  if (counts.inputTokens === undefined || counts.outputTokens === undefined) return undefined
  const { aside, cacheReadTokens = 0, cacheWriteTokens = 0 } = counts
  const input = counts.inputTokens + cacheReadTokens + cacheWriteTokens + (aside?.inputTokens ?? 0)
  // Parts that are plausible one by one may add up to what no call can have.
  const inputTokens = tokenCount(input)
  const outputTokens = tokenCount(counts.outputTokens + (aside?.outputTokens ?? 0))
  return inputTokens === undefined || outputTokens === undefined ? undefined : { inputTokens, outputTokens }
}

/** What a stream has told so far: some upstreams tell its input before they say anything of its output. */
export const begunUsage = (counts: MessagesCounts): Usage | undefined =>
  billedCounts({ ...counts, outputTokens: counts.outputTokens ?? 0 })

/** What a stream is shown to have taken that told no more than that. Zeros of input stand for nothing yet. */
export const shownCounts = (counts: MessagesCounts, outputSeen: number): MessagesCounts => ({
  ...counts,
  inputTokens: begunUsage(counts)?.inputTokens === 0 ? undefined : counts.inputTokens,
  outputTokens: Math.max(counts.outputTokens ?? 0, outputSeen)
})

/** What of the billed input was read from caches, and written to them. */
export const cachedCounts = ({
  aside,
  cacheReadTokens = 0,
  cacheWriteTokens = 0
}: MessagesCounts): Pick<Particulars, "cacheReadTokens" | "cacheWriteTokens"> => ({
  cacheReadTokens: cacheReadTokens + (aside?.cacheReadTokens ?? 0),
  cacheWriteTokens: cacheWriteTokens + (aside?.cacheWriteTokens ?? 0)
})

/** What is billed by these counts, with its parts; `estimate` is for who told none. */
export const usageInParts = (counts: MessagesCounts, estimate: Usage): UsageInParts => ({
  ...(billedCounts(counts) ?? estimate),
  ...cachedCounts(counts),
  reasoningTokens: counts.thinkingTokens ?? 0
})

/**
 * A call is a row of samplings, and the usage around them is of those that wrote the answer. Billed besides are those that
 * summed the conversation up and those that declined under way: platform.claude.com, "Compaction" and "Refusals and
 * fallback". An advisor's tokens are not of the model that was asked for, and have another price.
 */
const asideOf = (iterations: Json | undefined): CachedUsage | undefined => {
  if (!Array.isArray(iterations)) return undefined
  const samplings = iterations.filter(isJsonObject)
  const answered = samplings.find(({ type }) => type === "fallback_message")?.model
  const sum = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 }
  for (const sampling of samplings) {
    if (!isAside(sampling, answered)) continue
    const read = tokenCount(sampling.cache_read_input_tokens) ?? 0
    const written = tokenCount(sampling.cache_creation_input_tokens) ?? 0
    sum.inputTokens += (tokenCount(sampling.input_tokens) ?? 0) + read + written
    sum.cacheReadTokens += read
    sum.cacheWriteTokens += written
    sum.outputTokens += tokenCount(sampling.output_tokens) ?? 0
  }
  return sum
}

/** What is declined before a word was written is not billed. */
export const isAside = (
  { model, output_tokens: output, type }: JsonObject,
  answered: Json | undefined
): boolean =>
  type === "compaction" ||
  (type === "message" &&
    typeof answered === "string" &&
    typeof model === "string" &&
    model !== answered &&
    (tokenCount(output) ?? 0) > 0)
