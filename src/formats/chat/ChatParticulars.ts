/** Chat completions: `service_tier` stands in the answer and in each chunk, counts in the usage, searches there, in citations or in calls. */
import { noParticulars, type Particulars } from "../../domain/particulars.ts"
import type { UsageInParts } from "../../domain/usage.ts"
import { chatCounts, replacesUsage, sentUsage } from "./usage.ts"
import { builtinName, hostedName } from "../particulars/hosted-tools.ts"
import { UseCounts } from "../particulars/UseCounts.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../json/json.ts"
import { type ParticularsReader, termOf } from "../particulars/ParticularsReader.ts"

export class ChatParticulars implements ParticularsReader {
  #counts: UsageInParts | undefined
  #tier: Json | undefined
  readonly #uses = new UseCounts()
  #citesSeen = false

  event(chunk: JsonObject): void {
    this.answer(chunk)
  }

  answer(answer: JsonObject): void {
    this.#tier = answer.service_tier ?? this.#tier
    const { choices } = answer
    if (Array.isArray(choices)) for (const choice of choices as ReadonlyArray<Json>) this.#choice(choice)
    if (!this.#citesSeen && objectsOf(answer.web_search).length > 0) this.#search()
    const usage = sentUsage(answer)
    if (!isJsonObject(usage)) return
    const counts = chatCounts(usage)
    if (counts !== undefined && replacesUsage(counts, this.#counts)) this.#counts = counts
    this.#uses.tell("live_search", usage.num_sources_used)
    this.#uses.tell("web_search", usage.num_search_queries)
    if (isJsonObject(usage.plugins)) this.#plugins(usage.plugins)
  }

  get particulars(): Particulars {
    const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = this.#counts ?? noParticulars
    return {
      ...noParticulars,
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens,
      served: { tier: termOf(this.#tier) },
      toolUses: this.#uses.uses
    }
  }

  #choice(choice: Json): void {
    const message = isJsonObject(choice) ? (choice.message ?? choice.delta) : undefined
    if (!isJsonObject(message)) return
    if (!this.#citesSeen && message.annotations !== undefined) this.#cites(message.annotations)
    // Moonshot charges for each call of a tool of its own, whose results come with the call after it.
    if (message.tool_calls !== undefined)
      for (const call of objectsOf(message.tool_calls)) this.#uses.see(hostedName(builtinName(call) ?? ""))
  }

  #cites(annotations: Json): void {
    if (objectsOf(annotations).some(({ type }) => type === "url_citation")) this.#search()
  }

  /** A model that searches does so once for an answer; what it cites, or with Z.ai what it found, is all that tells of it. */
  #search(): void {
    this.#citesSeen = true
    this.#uses.see("web_search")
  }

  /** Alibaba's counts: `{"search": {"count": 1}}`. */
  #plugins(plugins: JsonObject): void {
    for (const [name, plugin] of Object.entries(plugins))
      if (isJsonObject(plugin))
        this.#uses.tell(name === "search" ? "web_search" : hostedName(name), plugin.count)
  }
}
