/** Bedrock's Converse: the metadata at the end tells counts and terms. */
import { noParticulars, type Particulars } from "../../domain/particulars.ts"
import { tokenCount } from "../../domain/usage.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { type ParticularsReader, termOf } from "../particulars/ParticularsReader.ts"
import { usageOfConverse } from "./usage.ts"

export class ConverseParticulars implements ParticularsReader {
  #usage: JsonObject = {}
  #tier: Json | undefined

  event({ metadata }: JsonObject): void {
    if (isJsonObject(metadata)) this.answer(metadata)
  }

  /** Metadata may come in several events, none of which tells all: https://github.com/anomalyco/opencode/pull/38712 */
  answer({ serviceTier, usage }: JsonObject): void {
    this.#usage = usageOfConverse(usage) ?? this.#usage
    if (isJsonObject(serviceTier)) this.#tier = serviceTier.type
  }

  get particulars(): Particulars {
    return {
      ...noParticulars,
      cacheReadTokens: tokenCount(this.#usage.cache_read_input_tokens) ?? 0,
      cacheWriteTokens: tokenCount(this.#usage.cache_creation_input_tokens) ?? 0,
      served: { tier: termOf(this.#tier) }
    }
  }
}
