/**
 * Takes a chunked body apart (RFC 9112, section 7.1). Extensions and trailers are passed over, and so are blanks around
 * extensions and behind sizes, which some servers pad.
 */
import { headerName } from "./header-syntax.ts"

type State =
  | "size"
  | "size-blank"
  | "extension-start"
  | "extension"
  | "size-line-feed"
  | "data"
  | "data-return"
  | "data-line-feed"
  | "trailer"
  | "trailer-name"
  | "trailer-value"
  | "trailer-line-feed"
  | "last-line-feed"
  | "ended"
  | "broken"

/** Without zeros in front, which are as good as none. */
const sizeDigitsMax = 12
/** Of all around one size, and of all trailers. */
const besidesBytesMax = 16 * 1024

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const colon = 0x3a
const semicolon = 0x3b
/** By character code: those that a name may hold. */
const isNameCharacter = Array.from({ length: 256 }, (_, code) => headerName.test(String.fromCharCode(code)))

export class ChunkDecoder {
  #state: State = "size"
  #bytesLeft = 0
  #sizeDigits = 0
  #hasSize = false
  #besidesBytes = 0
  #position = 0

  get isEnded(): boolean {
    return this.#state === "ended"
  }

  /** What has come is no chunked body. */
  get isBroken(): boolean {
    return this.#state === "broken"
  }

  /** How far the last piece was read: to where the body ended. */
  get position(): number {
    return this.#position
  }

  /** The data of all chunks in `bytes` from `start` on, as one piece with memory of its own. */
  decode(bytes: Buffer, start: number): Buffer | undefined {
    const data = Buffer.allocUnsafe(bytes.length - start)
    let dataBytes = 0
    let at = start
    while (at < bytes.length && !this.isEnded && !this.isBroken) {
      if (this.#state !== "data") {
        this.#state = this.#after(bytes[at++]!)
        continue
      }
      const end = Math.min(bytes.length, at + this.#bytesLeft)
      dataBytes += bytes.copy(data, dataBytes, at, end)
      this.#bytesLeft -= end - at
      at = end
      if (this.#bytesLeft === 0) this.#state = "data-return"
    }
    this.#position = at
    if (dataBytes === 0) return undefined
    const piece = data.subarray(0, dataBytes)
    // Where nearly all is sizes and extensions, few bytes of data would keep many times their size in memory.
    return dataBytes < data.length / 2 ? Buffer.from(piece) : piece
  }

  /** The state behind one byte of what surrounds the data. */
  #after(byte: number): State {
    switch (this.#state) {
      case "size":
        return this.#afterSize(byte)
      case "size-blank":
        return this.#behindSize(byte)
      case "extension-start":
        if (isBlank(byte)) return this.#beside(byte, "extension-start")
        return isNameCharacter[byte] ? "extension" : "broken"
      case "extension":
        return byte === carriageReturn ? "size-line-feed" : this.#beside(byte, "extension")
      case "size-line-feed":
        this.#sizeDigits = 0
        this.#hasSize = false
        this.#besidesBytes = 0
        return byte !== lineFeed ? "broken" : this.#bytesLeft === 0 ? "trailer" : "data"
      case "data-return":
        return byte === carriageReturn ? "data-line-feed" : "broken"
      case "data-line-feed":
        return byte === lineFeed ? "size" : "broken"
      case "trailer":
        if (byte === carriageReturn) return "last-line-feed"
        // A trailer that goes on in the next line, as was allowed once.
        if (isBlank(byte) && this.#besidesBytes > 0) return this.#beside(byte, "trailer-value")
        return isNameCharacter[byte] ? this.#beside(byte, "trailer-name") : "broken"
      case "trailer-name":
        if (byte === colon) return "trailer-value"
        return isNameCharacter[byte] ? this.#beside(byte, "trailer-name") : "broken"
      case "trailer-value":
        return byte === carriageReturn ? "trailer-line-feed" : this.#beside(byte, "trailer-value")
      case "trailer-line-feed":
        return byte === lineFeed ? "trailer" : "broken"
      case "last-line-feed":
        return byte === lineFeed ? "ended" : "broken"
      case "data":
      case "ended":
      case "broken":
        return this.#state
    }
  }

  #afterSize(byte: number): State {
    const digit = hexDigit(byte)
    if (digit === undefined) return this.#hasSize ? this.#behindSize(byte) : "broken"
    this.#hasSize = true
    this.#bytesLeft = this.#bytesLeft * 16 + digit
    if (this.#bytesLeft === 0) return this.#beside(byte, "size")
    return ++this.#sizeDigits > sizeDigitsMax ? "broken" : "size"
  }

  #behindSize(byte: number): State {
    if (byte === carriageReturn) return "size-line-feed"
    if (byte === semicolon) return "extension-start"
    return isBlank(byte) ? this.#beside(byte, "size-blank") : "broken"
  }

  /** Within what nobody uses, for so long. */
  #beside(byte: number, state: State): State {
    const isText = byte >= space || byte === tab
    return isText && ++this.#besidesBytes <= besidesBytesMax ? state : "broken"
  }
}

const isBlank = (byte: number): boolean => byte === space || byte === tab

const hexDigit = (byte: number): number | undefined => {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const small = byte | 0x20
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : undefined
}
