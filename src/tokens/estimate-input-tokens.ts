/**
 * The upper bound of a request's input tokens that a hold covers. Synchronous and quick: one walk over the body, no
 * tokenizer. What the provider reports may exceed it only for texts made to do so.
 */
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json.ts"
import { TextMeter } from "../formats/output-meter.ts"
import { frameTokens, mediaTokensMax } from "./frame-tokens.ts"
import { type Endpoint, readRequest } from "./read-request.ts"
import { meteredTokensMax } from "./text-tokens.ts"
import { type TokenizerTraits, traitsOf } from "./tokenizer-traits.ts"

/** Encrypted reasoning: characters for each token that it stands for. */
const opaqueCharactersPerToken = 4

export const estimateInputTokens = (_endpoint: Endpoint, body: JsonObject, model: Model): number => {
  const traits = traitsOf(model)
  const prompt = new TextMeter()
  const tools = new TextMeter()
  let texts = 0
  const parts = readRequest(body, (text, part) => {
    texts++
    if (part === "prompt") prompt.addText(text)
    else tools.addText(text)
  })
  for (const document of parts.documents) if (document._tag === "Text") prompt.addUtf8(document.bytes)
  const { punctuation } = parts
  const tokens =
    meteredTokensMax(prompt, traits) +
    toolRatioMax(traits) * meteredTokensMax(tools, traits) +
    traits.ratioMax *
      (texts * textSlack +
        punctuation.prompt +
        toolRatioMax(traits) * (punctuation.tools + punctuation.schema)) +
    frameTokens(parts, traits.frameMax) +
    mediaTokensMax(parts, traits) +
    parts.opaqueCharacters / opaqueCharactersPerToken
  // A provider takes no more than the model's window; only what its own tools fetch comes on top.
  return Math.ceil(Math.min(tokens, model.contextWindow ?? Infinity)) + parts.serverToolTokens
}

/** Where tools are shown in a shorter notation, it still saves less on some tools than on others. */
const toolRatioMax = (traits: TokenizerTraits): number => Math.min(1, traits.toolRatio * 1.4)

/** A text of a word or two may lie above what holds on average. */
const textSlack = 0.5
