/** Messages, also inside Bedrock's frames: `usage` tells terms, caches, uses of tools and the samplings of other models. */
import type { OtherTokens, Particulars } from "../../domain/particulars.ts"
import { hostedName, unknownTool } from "../particulars/hosted-tools.ts"
import { otherTokens } from "../particulars/other-tokens.ts"
import { UseCounts } from "../particulars/UseCounts.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, objectsOf } from "../json/json.ts"
import { cachedCounts, isAside, mergeCounts, noCounts } from "./usage.ts"
import { type ParticularsReader, termOf } from "../particulars/ParticularsReader.ts"

export class MessagesParticulars implements ParticularsReader {
  #counts = noCounts
  #usage: JsonObject = {}
  readonly #uses = new UseCounts()

  event(event: JsonObject): void {
    switch (event.type) {
      case "message_start": {
        const { message } = event
        // Its sums of uses are of nothing yet.
        if (isJsonObject(message) && isJsonObject(message.usage))
          this.#merge({ ...message.usage, server_tool_use: null })
        return
      }
      case "content_block_start":
        if (isJsonObject(event.content_block)) this.#see(event.content_block)
        return
      case "message_delta":
        if (isJsonObject(event.usage)) this.#merge(event.usage)
    }
  }

  answer({ content, usage }: JsonObject): void {
    for (const block of objectsOf(content)) this.#see(block)
    if (isJsonObject(usage)) this.#merge(usage)
  }

  get particulars(): Particulars {
    const { inference_geo: region, iterations, service_tier: tier, speed } = this.#usage
    return {
      ...cachedCounts(this.#counts),
      reasoningTokens: this.#counts.thinkingTokens ?? 0,
      served: { tier: termOf(tier), speed: termOf(speed), region: termOf(region) },
      toolUses: this.#uses.uses,
      others: othersOf(objectsOf(iterations), this.#counts)
    }
  }

  #merge(usage: JsonObject): void {
    this.#counts = mergeCounts(this.#counts, usage)
    const told = Object.entries(usage).filter(([, value]) => !isAbsent(value))
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) }
    const sums: Json | undefined = usage.server_tool_use
    if (!isJsonObject(sums)) return
    for (const [name, uses] of Object.entries(sums)) this.#uses.tell(hostedName(name), uses)
  }

  #see({ name, type }: JsonObject): void {
    if (type === "server_tool_use" && typeof name === "string")
      this.#uses.see(hostedName(name) ?? unknownTool)
    else if (type === "mcp_tool_use") this.#uses.see("mcp")
  }
}

/**
 * What an advisor read and wrote is in no other count. Where another model has answered in the end, the counts of the whole
 * are its own; those of models that declined and of summing up are told apart and stand among what is billed.
 */
const othersOf = (
  samplings: ReadonlyArray<JsonObject>,
  { cacheReadTokens = 0, cacheWriteTokens = 0, inputTokens = 0, outputTokens = 0 }: typeof noCounts
): ReadonlyArray<OtherTokens> => {
  if (samplings.length === 0) return []
  const answered = samplings.find(({ type }) => type === "fallback_message")?.model
  const others = samplings.flatMap((sampling) => {
    if (sampling.type === "advisor_message") return [otherTokens(sampling.model, sampling, true)]
    const isNamed = typeof sampling.model === "string"
    return isNamed && isAside(sampling, answered) ? [otherTokens(sampling.model, sampling, false)] : []
  })
  if (typeof answered !== "string") return others
  const whole = {
    input_tokens: inputTokens,
    cache_read_input_tokens: cacheReadTokens,
    cache_creation_input_tokens: cacheWriteTokens,
    output_tokens: outputTokens
  }
  return [...others, otherTokens(answered, whole, false)]
}
