/**
 * Responses: every use of a hosted tool is an item of the output; the last event tells the tier and the counts. What it took
 * to write an SVG is told with the image, "separate from image rendering usage" and in no other count.
 */
import { noParticulars, type OtherTokens, type Particulars } from "../../domain/particulars.ts"
import type { UsageInParts } from "../../domain/usage.ts"
import { hostedName, isHostedShell } from "../particulars/hosted-tools.ts"
import { otherTokens } from "../particulars/other-tokens.ts"
import { UseCounts } from "../particulars/UseCounts.ts"
import { isJsonObject, type JsonObject, objectsOf } from "../json/json.ts"
import { responsesCounts } from "./usage.ts"
import { type ParticularsReader, termOf } from "../particulars/ParticularsReader.ts"

export class ResponsesParticulars implements ParticularsReader {
  #counts: UsageInParts | undefined
  #tier: string | undefined
  #uses = new UseCounts()
  #authors: Array<OtherTokens> = []

  event({ item, response, type }: JsonObject): void {
    if (type === "response.output_item.done" && isJsonObject(item)) this.#see(item)
    else if ((type === "response.completed" || type === "response.incomplete") && isJsonObject(response))
      this.answer(response)
  }

  answer({ output, service_tier: tier, usage }: JsonObject): void {
    this.#tier = termOf(tier)
    this.#counts = responsesCounts(usage)
    if (!Array.isArray(output) || output.length === 0) return
    // The whole of it: what was seen on the way is part of that.
    this.#uses = new UseCounts()
    this.#authors = []
    for (const item of objectsOf(output)) this.#see(item)
  }

  #see(item: JsonObject): void {
    countUse(this.#uses, item)
    const { svg_usage: usage, type } = item
    if (type === "image_generation_call" && isJsonObject(usage))
      this.#authors.push(otherTokens(usage.model, usage, true))
  }

  get particulars(): Particulars {
    const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = this.#counts ?? noParticulars
    return {
      ...noParticulars,
      cacheReadTokens,
      cacheWriteTokens,
      reasoningTokens,
      served: { tier: this.#tier },
      toolUses: this.#uses.uses,
      others: this.#authors
    }
  }
}

/** Of searches only those that ask the index are sold; opening what it found, and looking through that, is not. */
const countUse = (uses: UseCounts, item: JsonObject): void => {
  const { action, type } = item
  if (typeof type !== "string" || !type.endsWith("_call")) return
  const name = isHostedShell(item) ? "shell" : hostedName(type)
  const isSold = name !== "web_search" || !isJsonObject(action) || (action.type ?? "search") === "search"
  if (isSold) uses.see(name)
}
