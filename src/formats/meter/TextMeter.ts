/**
 * Weighs text by what it is made of, cheaply enough for every event of every stream. `tokens/` makes tokens of the
 * sums. No text is kept.
 *
 * An agent sends its whole history again with each call: what a long piece of text weighs is remembered by its digest, which
 * processors have instructions for.
 */
import { hash } from "node:crypto"
import { remember } from "../../collections/remember.ts"
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
import {
  backslash,
  characterBytes,
  escapeBytesMax,
  escapeLength,
  letterU,
  unescaped,
  unitAt
} from "./code-units.ts"
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
  /** What the next piece of a text comes after. */
  #before = textStart

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
    this.#addPieces(bytes, { start: 0, end: bytes.length }, false)
  }

  /**
   * Adds a text as it stands in a string of JSON, in valid UTF-8; false where that is not what JSON has in a string: of such a
   * text only a part is added.
   */
  addJsonText(bytes: Uint8Array, place: TextPlace): boolean {
    return this.#addPieces(bytes, place, true)
  }

  /** The same for a little of it: whatever the bytes are, they are added. */
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
    this.#before = textStart
    for (let rest = text; rest !== "";) {
      const { read, written } = encoder.encodeInto(rest, pieceMemory)
      this.#addPiece(written, written, false)
      rest = rest.slice(read)
    }
  }

  #addPieces(bytes: Uint8Array, { end, start }: TextPlace, isJson: boolean): boolean {
    this.#before = textStart
    for (let at = start; at < end;) {
      const length = Math.min(end - at, pieceMemory.length)
      scratch.set(bytes.subarray(at, at + length))
      // What goes on behind the piece is left for the next.
      const added = this.#addPiece(length, at + length === end ? length : length - escapeBytesMax, isJson)
      if (added === -1) return false
      at += added
    }
    return true
  }

  /** Adds a piece as `#weighPiece` does, and as quickly as its digest is made where it was added before. */
  #addPiece(length: number, end: number, isJson: boolean): number {
    if (length < rememberedMin) return this.#weighPiece(length, end, isJson)
    // The same bytes weigh something else behind another character, with more of them to come, or without escapes.
    scratch[length] = this.#before
    scratch[length + 1] = ((length - end) << 1) | Number(isJson)
    const name = hash("sha256", scratch.subarray(0, length + 2), "binary")
    let known = weighed.get(name)
    if (known === undefined) {
      const meter = new TextMeter()
      meter.#before = this.#before
      known = { meter, added: meter.#weighPiece(length, end, isJson) }
      remember(weighed, name, known, rememberedMax)
    }
    this.#addMeter(known.meter)
    return known.added
  }

  /** Adds what another has added, and goes on behind it. */
  #addMeter(other: TextMeter): void {
    this.asciiUsual += other.asciiUsual
    this.asciiMost += other.asciiMost
    this.digits += other.digits
    this.accented += other.accented
    this.foreign += other.foreign
    this.signs += other.signs
    this.hangul += other.hangul
    this.rare += other.rare
    this.wide4 += other.wide4
    this.#before = other.#before
  }

  /**
   * Adds what the scratch memory holds up to `end` of the `length` bytes that are in it, four at a time where they are plain.
   * Answers how many were added, since the last character may reach over the end; -1 where one can not be.
   */
  #weighPiece(length: number, end: number, isJson: boolean): number {
    const weights = isJson ? pairWeightsInJson : pairWeightsInMemory
    let before = this.#before
    let index = 0
    while (index < end) {
      const foursEnd = Math.min(end, index + blockLength) - 4
      let block = 0
      for (; index <= foursEnd; index += 4) {
        const four = scratchView.getInt32(index, true)
        const first = weights[four & 0xffff]!
        const last = weights[four >>> 16]!
        if ((first | last) < 0) break
        const seam = pairWeightsInMemory[((four & 0x7f) << 8) | before]!
        block = (block + seam + first + pairWeightsInMemory[(four >>> 8) & 0xffff]! + last) | 0
        before = four >>> 24
      }
      // Up to what is not plain, and that.
      for (let isSought = index <= foursEnd || index > end - 4; isSought && index < end;) {
        const byte = scratch[index]!
        if (byte >= 128) {
          this.#addWide(unitAt(scratch, index))
          index += characterBytes(byte)
          before = afterWide
          isSought = scratch[index]! >= 128
          continue
        }
        let unit = byte
        if (!isJson || (byte >= 32 && byte !== backslash)) index++
        else {
          const escapeBytes = byte === backslash ? escapeLength(scratch, index) : 0
          if (escapeBytes === 0 || index + escapeBytes > length) return -1
          unit = unescaped(scratch, index + 1)
          index += escapeBytes
          isSought = false
        }
        if (unit < 128) block = (block + pairWeights[(before << 7) | unit]!) | 0
        else this.#addWide(unit)
        before = unit < 128 ? unit : afterWide
      }
      this.#addBlock(block)
    }
    this.#before = before
    return index
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

/** Characters up to which a text is read as it is. */
const shortText = 512
const encoder = new TextEncoder()
/** Where pieces are weighed, and behind each two bytes that tell it from the same bytes elsewhere. */
const scratch = new Uint8Array(16_384 + 2)
const pieceMemory = scratch.subarray(0, -2)
const scratchView = new DataView(scratch.buffer)

/** Bytes of a piece from which on its digest and a look take less time than to weigh it. */
const rememberedMin = 2_048
/** Up to 128 MB of text, in 2 MB. */
const rememberedMax = 8_192

interface Weighed {
  readonly meter: TextMeter
  readonly added: number
}
/** By the digests of pieces. */
const weighed = new Map<string, Weighed>()
