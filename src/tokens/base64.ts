/** Single bytes out of base64 text, so that a header can be read without decoding what follows it. */
import { base64Start } from "../formats/images/media-type.ts"

const valueOf = new Uint8Array(128)
for (let digit = 0; digit < 64; digit++) {
  valueOf["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(digit)] = digit
}
valueOf[45] = 62
valueOf[95] = 63

export class Base64Bytes {
  readonly #text: string
  readonly #start: number

  /** `text` is base64 or a data URL that holds base64. */
  constructor(text: string) {
    this.#text = text
    this.#start = base64Start(text)
  }

  get length(): number {
    return Math.floor(((this.#text.length - this.#start) * 3) / 4)
  }

  /** The byte at `offset`; 0 beyond the end. */
  at(offset: number): number {
    const position = this.#start + Math.floor(offset / 3) * 4
    const phase = offset % 3
    const first = this.#digit(position + phase)
    const second = this.#digit(position + phase + 1)
    if (phase === 0) return (first << 2) | (second >> 4)
    if (phase === 1) return ((first & 15) << 4) | (second >> 2)
    return ((first & 3) << 6) | second
  }

  /** The big-endian number of `size` bytes at `offset`. */
  big(offset: number, size: number): number {
    let value = 0
    for (let index = 0; index < size; index++) value = value * 256 + this.at(offset + index)
    return value
  }

  /** The little-endian number of `size` bytes at `offset`. */
  little(offset: number, size: number): number {
    let value = 0
    for (let index = size - 1; index >= 0; index--) value = value * 256 + this.at(offset + index)
    return value
  }

  decode(): Buffer {
    return Buffer.from(this.#start === 0 ? this.#text : this.#text.slice(this.#start), "base64")
  }

  #digit(position: number): number {
    const unit = position < this.#text.length ? this.#text.charCodeAt(position) : 0
    return unit < 128 ? valueOf[unit]! : 0
  }
}
