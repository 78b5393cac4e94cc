/**
 * The local answer to count_tokens, for providers that have no such call: o200k's tokenizer and each family's ratio to
 * it. Slower than the estimate by far, so it belongs on codec workers.
 */
import type * as O200k from "gpt-tokenizer/encoding/o200k_base"
import { createRequire } from "node:module"
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { TextMeter } from "../formats/meter/TextMeter.ts"
import { frameTokens, mediaTokens, opaqueCharactersPerToken } from "./frame-tokens.ts"
import { readRequest } from "./read-request.ts"
import type { Part } from "./request-parts.ts"
import { meteredTokens } from "./text-tokens.ts"
import { punctuationShare, schemaRatio, type TokenizerTraits, traitsOf } from "./tokenizer-traits.ts"

let tokenizer: typeof O200k | undefined

/** With the first count, which it delays by some tenths of a second: the vocabulary takes 55 MB of each thread that has it. */
const loadTokenizer = (): typeof O200k => {
  if (tokenizer !== undefined) return tokenizer
  tokenizer = createRequire(import.meta.url)("gpt-tokenizer/encoding/o200k_base") as typeof O200k
  tokenizer.setMergeCacheSize(Infinity)
  return tokenizer
}

/**
 * After so many characters it forgets the words that it knows, all at once. By itself it would forget one for each that is new, once it
 * knows 100,000, and look for that one from the first on: a megabyte of made-up words took 11 s in place of 2.
 */
const knownCharactersMax = 1_000_000
let knownCharacters = 0

/** The rest is weighed: there are texts that take the tokenizer more than two seconds for each million tokens. */
export const exactTokensMax = 300_000

export const countInputTokens = (body: JsonObject, model: Model): number => {
  const traits = traitsOf(model)
  const texts: Record<Part, number> = { prompt: 0, tools: 0, schema: 0, unknown: 0 }
  let left = exactTokensMax
  const tokensOf = (text: string): number => {
    const { counted, tokens } = countUpTo(text, left)
    left -= tokens
    return counted === text.length ? tokens : tokens + weighedTokens(text.slice(counted), traits)
  }
  const parts = readRequest(body, (text, part) => {
    if (part !== "unknown") texts[part] += tokensOf(text)
  })
  for (const document of parts.documents) {
    if (document._tag === "Text") texts.prompt += tokensOf(Buffer.from(document.bytes).toString())
  }
  const { prompt, tools, schema } = parts.punctuation
  const tokens =
    traits.ratio *
      (texts.prompt +
        prompt +
        traits.toolRatio * (texts.tools + tools * punctuationShare) +
        schemaRatio(traits) * (texts.schema + schema * punctuationShare)) +
    frameTokens(parts, traits.frame) +
    mediaTokens(parts, traits) +
    parts.opaqueCharacters / opaqueCharactersPerToken
  return Math.max(1, Math.round(tokens))
}

/** The longest piece given to the tokenizer at once, whose time is quadratic in the length of an unbroken run. */
const pieceLengthMax = 512

const asText = { disallowedSpecial: new Set<string>() }

/** Tokens of `text` by o200k; names of its special tokens are plain text. */
export const exactTextTokens = (text: string): number => countUpTo(text, Infinity).tokens

/** The tokens of the first `counted` characters, of all of them unless they have as many tokens as that. */
const countUpTo = (
  text: string,
  tokensMax: number
): { readonly tokens: number; readonly counted: number } => {
  const { clearMergeCache, countTokens } = loadTokenizer()
  let tokens = 0
  let counted = 0
  while (counted < text.length && tokens < tokensMax) {
    const end = pieceEnd(text, counted)
    knownCharacters += end - counted
    if (knownCharacters > knownCharactersMax) {
      clearMergeCache()
      knownCharacters = end - counted
    }
    tokens += countTokens(text.slice(counted, end), asText)
    counted = end
  }
  return { tokens, counted }
}

/** About as many, in no time, in tokens of o200k. */
const weighedTokens = (text: string, traits: TokenizerTraits): number => {
  const meter = new TextMeter()
  meter.addText(text)
  return meteredTokens(meter, traits) / traits.ratio
}

/** Cuts before the last blank after a word, where a cut changes nothing, else anywhere but inside a character. */
const pieceEnd = (text: string, start: number): number => {
  const last = start + pieceLengthMax
  if (last >= text.length) return text.length
  for (let end = last; end > start; end--) {
    if (text.charCodeAt(end) === 32 && text.charCodeAt(end - 1) > 32 && text.charCodeAt(end + 1) > 32)
      return end
  }
  const unit = text.charCodeAt(last)
  return unit >= 0xdc00 && unit <= 0xdfff ? last - 1 : last
}
