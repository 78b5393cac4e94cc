/**
 * What each ASCII character adds to a text's tokens, given the one before it: letters that continue a word little,
 * letters that words seldom have in this order more, marks most. In hundredths of a token of o200k.
 */
import { backslash } from "./code-units.ts"

interface Weights {
  /** The first letter of a word. */
  readonly word: number
  readonly letter: number
  /** A letter that seldom follows the one before, as in hashes and base64. */
  readonly oddLetter: number
  readonly number: number
  readonly digit: number
  /** A blank before a digit does not merge with it, as one before a word does. */
  readonly blankBeforeDigit: number
  readonly blankAfterBlank: number
  readonly newline: number
  readonly mark: number
  readonly repeatedMark: number
  readonly control: number
}

// Fitted to prose, code, JSON and data, as o200k counts them.
const usual: Weights = {
  word: 65,
  letter: 10,
  oddLetter: 55,
  number: 100,
  digit: 27,
  blankBeforeDigit: 100,
  blankAfterBlank: 2,
  newline: 130,
  mark: 45,
  repeatedMark: 5,
  control: 200
}

// Fitted to lie above every text of `test/tokens/corpora.ts`, random letters, base64 and noise included, and as low as
// that allows on prose and code.
const most: Weights = {
  word: 106,
  letter: 19,
  oddLetter: 88,
  number: 112,
  digit: 36,
  blankBeforeDigit: 70,
  blankAfterBlank: 21,
  newline: 133,
  mark: 72,
  repeatedMark: 15,
  control: 250
}

/** For each letter from a to z, the letters that often follow it in words of many languages. */
const followers = (
  "bcdgilmnprstuvky aeiloruys aehiklotru aeiorsuy acdeilmnprstvwxy aefiloru aehilnorsu aeiotu acdefglmnoprstvz " +
  "aeou aeinsy adefiklostuvy abeimopu acdefgiknostuvy bcdfgilmnoprstuvw aehiloprstu u acdegiklmnorstuvy " +
  "acehiklmopqstuw aehilorstuwy abcdegilmnprst aeio aehinor acepti aeilmnopst aeioz"
).split(" ")

const isLower = (unit: number) => unit >= 97 && unit <= 122
const isUpper = (unit: number) => unit >= 65 && unit <= 90
const isDigit = (unit: number) => unit >= 48 && unit <= 57
const isBlank = (unit: number) => unit === 32 || unit === 9
const isNewline = (unit: number) => unit === 10 || unit === 13

const isItselfInJson = (byte: number) => byte >= 32 && byte < 128 && byte !== backslash

/** What comes before the first character of a text, and after a wide one: index into the tables like any character. */
export const textStart = 0
export const afterWide = 1

const weigh = (before: number, unit: number, weights: Weights): number => {
  if (isLower(unit) || isUpper(unit)) {
    if (isLower(unit) && before === afterWide) return weights.letter
    // An upper-case letter after a lower-case one begins another word.
    const continues = isLower(unit) ? isLower(before) || isUpper(before) : isUpper(before)
    if (!continues) return weights.word
    const follows = followers[(before & 31) - 1]!.includes(String.fromCharCode(unit | 32))
    return follows ? weights.letter : weights.oddLetter
  }
  if (isDigit(unit)) {
    if (isDigit(before)) return weights.digit
    return weights.number + (isBlank(before) ? weights.blankBeforeDigit : 0)
  }
  if (isNewline(unit)) return isNewline(before) ? weights.blankAfterBlank : weights.newline
  if (isBlank(unit)) return isBlank(before) || isNewline(before) ? weights.blankAfterBlank : 0
  if (unit < 32) return weights.control
  return unit === before ? weights.repeatedMark : weights.mark
}

/**
 * By `before * 128 + character`, three numbers in one: the usual weight in the low 13 bits, one seldom exceeded in the
 * next 13, and above them 1 for a digit. So one look-up and one addition weigh a character, and the sum of
 * `blockLength` of them fits in 32 bits.
 */
export const pairWeights = Int32Array.from({ length: 128 * 128 }, (_, index) => {
  const before = index >> 7
  const unit = index & 127
  return weigh(before, unit, usual) | (weigh(before, unit, most) << 13) | (isDigit(unit) ? 1 << 26 : 0)
})

/**
 * The same by `character * 256 + before`: two bytes of UTF-8 as they lie in memory, which are then weighed four at a time in
 * 40 % less time. Negative where one of them is of a wide character.
 */
export const pairWeightsInMemory = new Int32Array(256 * 256).fill(-1)
for (let unit = 0; unit < 128; unit++)
  for (let before = 0; before < 128; before++)
    pairWeightsInMemory[(unit << 8) | before] = pairWeights[(before << 7) | unit]!

/** The same, but negative where one of the two is not itself in a string of JSON: an escape, a control character, a part of a wide one. */
export const pairWeightsInJson = pairWeightsInMemory.map((weight, index) =>
  isItselfInJson(index & 255) && isItselfInJson(index >> 8) ? weight : -1
)

export const blockLength = 32
export const usualOf = (block: number): number => block & 0x1fff
export const mostOf = (block: number): number => (block >>> 13) & 0x1fff
export const digitsOf = (block: number): number => block >>> 26
