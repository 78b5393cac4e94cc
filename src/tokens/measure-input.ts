/**
 * Both counts that a call needs of its input, in one walk and without a tokenizer: the upper bound that its hold covers,
 * which what the provider reports may exceed only for texts made to do so, and the best guess.
 */
import type { Model } from "../domain/catalogue.ts"
import type { JsonObject } from "../formats/json/json.ts"
import { placeOfText } from "../formats/json/long-texts.ts"
import { TextMeter } from "../formats/meter/TextMeter.ts"
import { type HostedTool, readHostedTools } from "../formats/particulars/hosted-tools.ts"
import {
  frameTokens,
  mediaTokens,
  mediaTokensMax,
  opaqueCharactersPerToken,
  opaqueCharactersPerTokenMin
} from "./frame-tokens.ts"
import { readRequest } from "./read-request.ts"
import type { Part } from "./request-parts.ts"
import { meteredTokens, meteredTokensMax } from "./text-tokens.ts"
import { punctuationShare, schemaRatio, type TokenizerTraits, traitsOf } from "./tokenizer-traits.ts"

export interface InputMeasure {
  readonly bound: number
  readonly guess: number
  /** How often the provider may read it for one answer, and write, at most. */
  readonly rounds: number
  /** The tools among it that the provider runs. */
  readonly hostedTools: ReadonlyArray<HostedTool>
}

/**
 * `bytes` are those of the body, where places in them may stand for texts (`formats/json/long-texts.ts`). Throws a
 * `SyntaxError` when such a text is not what JSON has in a string.
 */
export const measureInput = (body: JsonObject, model: Model, bytes: Buffer = noBytes): InputMeasure => {
  const traits = traitsOf(model)
  const meters: Record<Part, TextMeter> = {
    prompt: new TextMeter(),
    tools: new TextMeter(),
    schema: new TextMeter(),
    unknown: new TextMeter()
  }
  const { prompt, schema, tools, unknown } = meters
  let texts = 0
  const parts = readRequest(body, (text, part) => {
    texts++
    const meter = meters[part]
    const place = placeOfText(text)
    if (place === undefined) meter.addText(text)
    else if (!meter.addJsonText(bytes, place)) throw new SyntaxError("a text is not as JSON has it")
  })
  for (const document of parts.documents) if (document._tag === "Text") prompt.addUtf8(document.bytes)
  // Who can not be told to stop is told to think where that is all that is asked.
  parts.thinking ||= parts.thoughtsTold && model.upstream.refuses.has("thinking_disabled")
  const marks = parts.punctuation
  const toolsMax = toolRatioMax(traits)
  const bound =
    meteredTokensMax(prompt, traits) +
    meteredTokensMax(unknown, traits) +
    toolsMax * meteredTokensMax(tools, traits) +
    meteredTokensMax(schema, traits) +
    traits.ratioMax *
      (texts * textSlack +
        parts.typeCharacters / typeCharactersPerToken +
        marks.prompt +
        marks.unknown +
        toolsMax * marks.tools +
        marks.schema) +
    frameTokens(parts, traits.frameMax) +
    parts.customTools * customToolTokensMax +
    (parts.jsonMode ? jsonModeTokensMax : 0) +
    mediaTokensMax(parts, traits) +
    parts.opaqueCharacters / opaqueCharactersPerTokenMin
  const guess =
    meteredTokens(prompt, traits) +
    traits.ratio * marks.prompt +
    traits.toolRatio * (meteredTokens(tools, traits) + traits.ratio * marks.tools * punctuationShare) +
    schemaRatio(traits) * (meteredTokens(schema, traits) + traits.ratio * marks.schema * punctuationShare) +
    frameTokens(parts, traits.frame) +
    mediaTokens(parts, traits) +
    parts.opaqueCharacters / opaqueCharactersPerToken
  // A provider takes no more than the model's window; only what its own tools fetch comes on top.
  const window = model.contextWindow ?? Infinity
  const read = Math.ceil(Math.min(bound, window))
  return {
    bound: (parts.compaction && read >= compactedMin ? 2 * read : read) + parts.serverToolTokens,
    guess: Math.max(1, Math.round(Math.min(guess, window))),
    rounds: parts.serverToolTokens > 0 || parts.compaction || isGiven(body["fallbacks"]) ? roundsMax : 1,
    hostedTools: readHostedTools(parts.hostedTools, body)
  }
}

/** What a conversion says of a custom tool: that it takes a text. */
const customToolTokensMax = 90

/** What a conversion says instead to models that know no such mode. */
const jsonModeTokensMax = 40

const noBytes = Buffer.alloc(0)

/** Where tools are shown in a shorter notation, it still saves less on some tools than on others. */
const toolRatioMax = (traits: TokenizerTraits): number => Math.min(1, traits.toolRatio * 1.4)

/** They are a few words each. */
const typeCharactersPerToken = 3

/** Tools that the provider runs, conversations it sums up and models it falls back to each take a turn of their own. */
const roundsMax = 16

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** No shorter conversation is summed up by the provider. */
const compactedMin = 50_000

/** A text of a word or two may lie above what holds on average. */
const textSlack = 0.5
