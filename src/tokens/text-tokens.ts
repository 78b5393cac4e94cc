/**
 * Tokens of a text by what it is made of, without a tokenizer: an estimate, and a bound that the exact count of
 * ordinary and of most extraordinary texts stays below.
 */
import type { TextMeter } from "../formats/meter/TextMeter.ts"
import type { TokenizerTraits } from "./tokenizer-traits.ts"

/** Tokens of o200k for each character beyond ASCII, by kind. */
interface WideWeights {
  readonly accented: number
  readonly foreign: number
  readonly signs: number
  readonly hangul: number
  readonly rare: number
  readonly wide4: number
}

const usual: WideWeights = { accented: 0.6, foreign: 0.35, signs: 0.72, hangul: 0.8, rare: 2.3, wide4: 2.2 }
const most: WideWeights = { accented: 0.4, foreign: 0.66, signs: 1.55, hangul: 2, rare: 2.8, wide4: 4.2 }

/** What a digit of a longer number lacks to a token of its own. */
const digitRemainder = 0.64

/** What the metered text probably is in tokens of the family. */
export const meteredTokens = (meter: TextMeter, traits: TokenizerTraits): number =>
  traits.ratio * (meter.asciiUsual / 100 + wide(meter, usual))

/** What the metered text hardly exceeds in tokens of the family. */
export const meteredTokensMax = (meter: TextMeter, traits: TokenizerTraits): number =>
  traits.ratioMax *
  (meter.asciiMost / 100 +
    (traits.singleDigits ? digitRemainder * meter.digits : 0) +
    traits.wideMax * wide(meter, most))

const wide = (meter: TextMeter, weights: WideWeights): number =>
  weights.accented * meter.accented +
  weights.foreign * meter.foreign +
  weights.signs * meter.signs +
  weights.hangul * meter.hangul +
  weights.rare * meter.rare +
  weights.wide4 * meter.wide4
