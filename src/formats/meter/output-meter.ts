/**
 * Weighs text by what it is made of, cheaply enough for every event of every stream. `tokens/` makes tokens of the
 * sums. No text is kept.
 */
import { nestedTooDeeply } from "../json/fields.ts"
import { isJsonObject, type Json } from "../json/json.ts"
import type { TextPlace } from "../json/long-texts.ts"
import {
  afterWide,
  blockLength,
  digitsOf,
  mostOf,
  pairWeights,
  pairWeightsInJson,
  pairWeightsInMemory,
  textStart,
  usualOf
} from "./text-weights.ts"
import { backslash, escapeBytesMax, escapeLength, letterU, unescaped, unitAt } from "./code-units.ts"
import { accented, foreign, hangul, signs, wideKindOf } from "./wide-characters.ts"

export class TextMeter {
  /** ASCII in hundredths of a token: the usual amount, and one seldom exceeded. */
  asciiUsual = 0
  asciiMost = 0
  /** Digits among the ASCII: some tokenizers make a token of each. */
  digits = 0
  /** Latin letters with diacritics that some language uses. */
  accented = 0
  /** Letters of Cyrillic, Greek, Hebrew and Arabic that some language uses. */
  foreign = 0
  /** Characters in daily use of Chinese, Japanese, Thai, Hindi and the like, and usual punctuation. */
  signs = 0
  /** Korean syllables in daily use. */
  hangul = 0
  /** All other characters of the basic plane: seldom used, and up to three tokens each. */
  rare = 0
  /** Four bytes each in UTF-8: emoji and historic scripts. */
  wide4 = 0

  addText(text: string): void {
    if (text.length > shortText) return this.#addLongText(text)
    const length = text.length
    let before = textStart
    for (let start = 0; start < length; start += blockLength) {
      const end = Math.min(length, start + blockLength)
      let block = 0
      for (let index = start; index < end; index++) {
        const unit = text.charCodeAt(index)
        if (unit < 128) {
          block = (block + pairWeights[(before << 7) | unit]!) | 0
          before = unit
        } else {
          this.#addWide(unit)
          before = afterWide
        }
      }
      this.#addBlock(block)
    }
  }

  /** Adds plain UTF-8. */
  addUtf8(bytes: Uint8Array): void {
    let before = textStart
    for (let start = 0; start < bytes.length;) {
      const end = endOfPiece(bytes, start)
      scratch.set(bytes.subarray(start, end))
      before = this.#addScratch(end - start, before)
      start = end
    }
  }

  /**
   * The same, quicker where there is much of it, and false when that is not what JSON has in a string: of such a text only a
   * part is added. The bytes are valid UTF-8.
   */
  addJsonText(bytes: Uint8Array, { end, start }: TextPlace): boolean {
    let before = textStart
    for (let at = start; at < end;) {
      const length = Math.min(end - at, scratch.length)
      scratch.set(bytes.subarray(at, at + length))
      // What goes on behind the piece is left for the next.
      const pieceEnd = at + length === end ? length : length - escapeBytesMax
      let index = 0
      while (index < pieceEnd) {
        const foursEnd = Math.min(pieceEnd, index + blockLength) - 4
        let block = 0
        for (; index <= foursEnd; index += 4) {
          const four = scratchView.getInt32(index, true)
          const begin = pairWeightsInJson[four & 0xffff]!
          const end = pairWeightsInJson[four >>> 16]!
          if ((begin | end) < 0) break
          const seam = pairWeightsInMemory[((four & 0x7f) << 8) | before]!
          block = (block + seam + begin + pairWeightsInMemory[(four >>> 8) & 0xffff]! + end) | 0
          before = four >>> 24
        }
        // Up to what is not plain, and that.
        for (let isPlain = index <= foursEnd || index > pieceEnd - 4; isPlain && index < pieceEnd;) {
          let unit = scratch[index]!
          if (unit < 32) return false
          isPlain = unit !== backslash && unit < 128
          if (unit === backslash) {
            const escapeBytes = escapeLength(scratch, index)
            if (escapeBytes === 0 || index + escapeBytes > length) return false
            unit = unescaped(scratch, index + 1)
            index += escapeBytes
          } else {
            if (unit >= 128) unit = unitAt(scratch, index)
            index++
          }
          if (unit < 128) block = (block + pairWeights[(before << 7) | unit]!) | 0
          else this.#addWide(unit)
          before = unit < 128 ? unit : afterWide
        }
        this.#addBlock(block)
      }
      at += index
    }
    return true
  }

  /** Adds the UTF-8 bytes `start` to `end` of `bytes`: text as it stands in a JSON string, escapes included. */
  protected addJsonBytes(bytes: Uint8Array, start: number, end: number): void {
    let before = textStart
    for (let index = start; index < end;) {
      // An escape may reach over the end of the block.
      const blockEnd = Math.min(end, index + blockLength)
      let block = 0
      for (; index < blockEnd; index++) {
        let unit = bytes[index]!
        if (unit === backslash) {
          unit = unescaped(bytes, index + 1)
          index += bytes[index + 1] === letterU ? 5 : 1
        } else if (unit >= 128) unit = unitAt(bytes, index)
        if (unit < 128) {
          block = (block + pairWeights[(before << 7) | unit]!) | 0
          before = unit
        } else {
          this.#addWide(unit)
          before = afterWide
        }
      }
      this.#addBlock(block)
    }
  }

  /** Bytes are read faster than the characters of a string, even when they must be written first. */
  #addLongText(text: string): void {
    let before = textStart
    for (let rest = text; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, scratch)
      before = this.#addScratch(written, before)
      rest = rest.slice(read)
    }
  }

  /** Adds the first `length` bytes of the scratch memory, four at a time; gives what the next text comes after. */
  #addScratch(length: number, textBefore: number): number {
    let before = textBefore
    const wholeWords = length >> 2
    for (let word = 0; word < wholeWords;) {
      const blockEnd = Math.min(wholeWords, word + blockWords)
      let block = 0
      for (; word < blockEnd; word++) {
        const four = scratchWords[word]!
        if ((four & wideBits) === 0) {
          block =
            (block +
              pairWeightsInMemory[((four & 0x7f) << 8) | before]! +
              pairWeightsInMemory[four & 0xffff]! +
              pairWeightsInMemory[(four >>> 8) & 0xffff]! +
              pairWeightsInMemory[four >>> 16]!) |
            0
          before = four >>> 24
        } else {
          for (let index = word << 2; index < (word + 1) << 2; index++) {
            block = (block + this.#weigh(index, before)) | 0
            before = asBefore(scratch[index]!)
          }
        }
      }
      this.#addBlock(block)
    }
    let block = 0
    for (let index = wholeWords << 2; index < length; index++) {
      block = (block + this.#weigh(index, before)) | 0
      before = asBefore(scratch[index]!)
    }
    this.#addBlock(block)
    return before
  }

  /** The weight of an ASCII character; other characters are counted at their first byte. */
  #weigh(index: number, before: number): number {
    const unit = scratch[index]!
    if (unit < 128) return pairWeights[(before << 7) | unit]!
    this.#addWide(unitAt(scratch, index))
    return 0
  }

  #addBlock(block: number): void {
    this.asciiUsual += usualOf(block)
    this.asciiMost += mostOf(block)
    this.digits += digitsOf(block)
  }

  #addWide(unit: number): void {
    // A character of four bytes is two code units, of which the first counts.
    if (unit >= 0xd800 && unit < 0xdc00) return void this.wide4++
    if (unit >= 0xdc00 && unit <= 0xdfff) return
    const kind = wideKindOf[unit]!
    if (kind === accented) this.accented++
    else if (kind === signs) this.signs++
    else if (kind === hangul) this.hangul++
    else if (kind === foreign) this.foreign++
    else this.rare++
  }
}

/** Weighs what an upstream has produced so far. */
export class OutputMeter extends TextMeter {
  /** Content events seen; most upstreams send at least one token in each. */
  events = 0
  /** Tool calls begun; each costs its frame beside its name and arguments. Whoever reads the stream counts them. */
  toolCalls = 0
  /** Characters of encrypted reasoning, which stand for tokens nobody outside sees. */
  opaqueCharacters = 0

  /** Adds the UTF-8 bytes `start` to `end` of `bytes`: text as it stands in a JSON string, escapes included. */
  addBytes(bytes: Uint8Array, start: number, end: number): void {
    this.events++
    this.addJsonBytes(bytes, start, end)
  }

  /** Adds the beginning of a tool call; without a name there is none yet. */
  addToolCall(name: string): void {
    if (name === "") return
    this.toolCalls++
    this.addText(name)
  }

  /** Adds what a tool is called with where that came as a whole object. */
  addArguments(input: Json | undefined): void {
    if (!isJsonObject(input) || nestedTooDeeply(input)) return
    for (const name in input) {
      if (Object.hasOwn(input, name)) return this.addText(JSON.stringify(input))
    }
  }

  override addText(text: string): void {
    this.events++
    super.addText(text)
  }
}

/** Characters up to which a text is read as it is. */
const shortText = 512
const encoder = new TextEncoder()
const scratch = new Uint8Array(16_384)
/** The same memory. Of four bytes the first is in the lowest bits on every machine that Node is built for but IBM Z. */
const scratchWords = new Int32Array(scratch.buffer)
const scratchView = new DataView(scratch.buffer)
const blockWords = blockLength >> 2
/** Set in no byte of ASCII. */
const wideBits = 0x80808080

const asBefore = (byte: number): number => (byte < 128 ? byte : afterWide)

/** As much as the scratch memory holds, no character cut. */
const endOfPiece = (bytes: Uint8Array, start: number): number => {
  let end = start + scratch.length
  if (end >= bytes.length) return bytes.length
  while (end > start + 1 && (bytes[end]! & 0xc0) === 0x80) end--
  return end
}
