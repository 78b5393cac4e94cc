/** Server-sent events: a reader after the WHATWG rules that takes bytes as they come, and the writers of a frame. */

/** One event; `event` is empty where the stream names none. */
export interface SseEvent {
  readonly event: string
  readonly data: string
}

/** More than any event of a provider holds; beyond it the stream is rubbish. */
export const eventBytesMax = 32 * 1024 * 1024

const lineFeed = 10
const carriageReturn = 13
const colon = 58
const space = 32

export class SseReader {
  /** The reader gave up: an event was larger than `eventBytesMax`. */
  overflowed = false
  /** The pieces of a line whose end has not come yet; joined once, so that a long line costs no more than its length. */
  #pieces: Array<Buffer> = []
  #pieceBytes = 0
  #dataBytes = 0
  #event = ""
  #data: string | undefined
  #firstLine = true
  /** The last chunk ended in a carriage return: a line feed that follows belongs to it. */
  #skipLineFeed = false

  push(chunk: Buffer): ReadonlyArray<SseEvent> {
    const events: Array<SseEvent> = []
    if (this.overflowed || chunk.length === 0) return events
    let start = this.#skipLineFeed && chunk[0] === lineFeed ? 1 : 0
    this.#skipLineFeed = false
    let feed = chunk.indexOf(lineFeed, start)
    let carriage = chunk.indexOf(carriageReturn, start)
    while (feed !== -1 || carriage !== -1) {
      const end = feed === -1 || (carriage !== -1 && carriage < feed) ? carriage : feed
      this.#endLine(chunk, start, end, events)
      start = end + 1
      if (end === carriage) {
        if (start === chunk.length) this.#skipLineFeed = true
        else if (chunk[start] === lineFeed) start++
        carriage = chunk.indexOf(carriageReturn, start)
      }
      if (feed !== -1 && feed < start) feed = chunk.indexOf(lineFeed, start)
    }
    if (start < chunk.length) {
      this.#pieces.push(chunk.subarray(start))
      this.#pieceBytes += chunk.length - start
      this.#checkSize()
    }
    return events
  }

  /** The stream is over. An event that only lacks its blank line is still given; half an event shows as broken data. */
  end(): ReadonlyArray<SseEvent> {
    const events: Array<SseEvent> = []
    if (this.overflowed) return events
    this.#endLine(Buffer.alloc(0), 0, 0, events)
    this.#dispatch(events)
    return events
  }

  #endLine(chunk: Buffer, start: number, end: number, events: Array<SseEvent>): void {
    if (this.#pieces.length === 0) return this.#line(chunk, start, end, events)
    this.#pieces.push(chunk.subarray(start, end))
    const line = Buffer.concat(this.#pieces)
    this.#pieces = []
    this.#pieceBytes = 0
    this.#line(line, 0, line.length, events)
  }

  #line(bytes: Buffer, from: number, end: number, events: Array<SseEvent>): void {
    let start = from
    if (this.#firstLine) {
      this.#firstLine = false
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3
    }
    if (start === end) return this.#dispatch(events)
    const found = bytes.indexOf(colon, start)
    const nameEnd = found === -1 || found > end ? end : found
    let valueStart = Math.min(nameEnd + 1, end)
    if (valueStart < end && bytes[valueStart] === space) valueStart++
    const name = bytes.toString("latin1", start, nameEnd)
    if (name === "data") {
      const value = bytes.toString("utf8", valueStart, end)
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
      this.#dataBytes += end - valueStart
      this.#checkSize()
    } else if (name === "event") {
      this.#event = bytes.toString("utf8", valueStart, end)
    }
  }

  #dispatch(events: Array<SseEvent>): void {
    if (this.#data !== undefined && this.#data !== "") events.push({ event: this.#event, data: this.#data })
    this.#event = ""
    this.#data = undefined
    this.#dataBytes = 0
  }

  #checkSize(): void {
    if (this.#pieceBytes + this.#dataBytes <= eventBytesMax) return
    this.overflowed = true
    this.#pieces = []
    this.#data = undefined
  }
}

/** A frame whose `event` line names it. */
export const namedFrame = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`

/** A frame of data alone. */
export const dataFrame = (data: string): string => `data: ${data}\n\n`

/** Some upstreams write their keep-alive as data that holds a comment, or nothing. */
export const isKeepAlive = (data: string): boolean => data.startsWith(":") || data.trim() === ""

/** The end of a chat stream, with whatever space an upstream puts around it. */
export const isDone = (data: string): boolean => data.trim() === "[DONE]"
