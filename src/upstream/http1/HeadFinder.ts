/**
 * Finds the heads of an answer in the bytes of its connection: those that only inform, and its own. Each byte is copied and looked
 * at a few times at most, however small the pieces are, and what can not become a head any more is known at once: it would
 * be waited for until the call's time is over.
 */

/** Of all heads of one answer together. Node's own limit is 16 KiB; some providers' policies and cookies come near it. */
const bytesMax = 32 * 1024
const firstBytes = 1024

const lineFeed = 0x0a
const carriageReturn = 0x0d
const headStart = Buffer.from("HTTP/1.")
const headEnd = Buffer.from("\r\n\r\n")
/** A head's text goes up to the end of its last line. */
const lineEndBytes = 2

export class HeadFinder {
  #bytesLeft = bytesMax
  /** Of a head that has begun in a former piece. */
  #part: Buffer | undefined
  #partBytes = 0
  #position = 0
  #isBroken = false

  /** A head has begun and is still to end. */
  get isWithin(): boolean {
    return this.#part !== undefined
  }

  /** What has come is no head, or too long. */
  get isBroken(): boolean {
    return this.#isBroken
  }

  /** Behind the head found last. */
  get position(): number {
    return this.#position
  }

  /** The text of the next head in `bytes` from `from` on; `undefined` where it is still to end, or broken. */
  find(bytes: Buffer, from: number): string | undefined {
    const start = this.#partBytes < 2 ? this.#passEmptyLines(bytes, from) : from
    if (this.#bytesLeft < 0) this.#isBroken = true
    if (this.#isBroken || start === bytes.length) return undefined
    if (this.#part !== undefined) return this.#findEnd(this.#part, bytes, start)
    const end = bytes.indexOf(headEnd, start)
    if (end !== -1) return this.#found(bytes, start, end, end + headEnd.length)
    return this.#findEnd(Buffer.allocUnsafe(firstBytes), bytes, start)
  }

  /** Some servers send an empty line too many. */
  #passEmptyLines(bytes: Buffer, from: number): number {
    let start = from
    if (this.#part?.[0] === carriageReturn && bytes[start] === lineFeed) {
      this.#forgetPart()
      this.#bytesLeft--
      start++
    }
    while (bytes[start] === carriageReturn && bytes[start + 1] === lineFeed) start += lineEndBytes
    this.#bytesLeft -= start - from
    return start
  }

  #findEnd(former: Buffer, bytes: Buffer, start: number): string | undefined {
    const known = this.#partBytes
    const part = this.#append(former, bytes.subarray(start, start + this.#bytesLeft + headEnd.length - known))
    const end = part.indexOf(headEnd, Math.max(0, known - headEnd.length + 1))
    if (end !== -1) {
      this.#forgetPart()
      return this.#found(part, 0, end, start + end + headEnd.length - known)
    }
    this.#isBroken = part.length > this.#bytesLeft || !canGoOn(part, known)
    return undefined
  }

  #forgetPart(): void {
    this.#part = undefined
    this.#partBytes = 0
  }

  #found(bytes: Buffer, start: number, end: number, position: number): string | undefined {
    this.#bytesLeft -= end - start
    this.#isBroken = this.#bytesLeft < 0
    this.#position = position
    return this.#isBroken ? undefined : bytes.toString("latin1", start, end + lineEndBytes)
  }

  /** Answers all that has come of the head. */
  #append(former: Buffer, bytes: Buffer): Buffer {
    const known = this.#partBytes
    const length = known + bytes.length
    let part = former
    if (length > part.length) {
      part = Buffer.allocUnsafe(Math.max(length, 2 * part.length))
      former.copy(part, 0, 0, known)
    }
    bytes.copy(part, known)
    this.#part = part
    this.#partBytes = length
    return part.subarray(0, length)
  }
}

/** It begins as an answer does, and none of its lines ends without a carriage return. */
const canGoOn = (part: Buffer, known: number): boolean => {
  if (part.length === 1 && part[0] === carriageReturn) return true
  const startBytes = Math.min(part.length, headStart.length)
  if (part.compare(headStart, 0, startBytes, 0, startBytes) !== 0) return false
  for (let at = part.indexOf(lineFeed, known); at !== -1; at = part.indexOf(lineFeed, at + 1))
    if (part[at - 1] !== carriageReturn) return false
  return true
}
