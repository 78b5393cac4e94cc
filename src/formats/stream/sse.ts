/** Server-sent events: a reader after the WHATWG rules that takes bytes as they come, and the writers of a frame. */
import { eventBytesMax } from "./event-bounds.ts"
import { GrowingBytes } from "./GrowingBytes.ts"

/** One event; `event` is empty where the stream names none. */
export interface SseEvent {
  readonly event: string
  readonly data: string
}

/** Who takes the events of a stream as they are read. */
export interface FrameSink {
  frame(event: SseEvent): void
  /** Asked wherever an event may begin: takes what it can by itself, whole events only, and answers where that ends. */
  skip(chunk: Buffer, start: number): number
}

const lineFeed = 10
const carriageReturn = 13
const colon = 58
const space = 32

export class SseReader {
  /** The reader gave up: an event was too large. */
  overflowed = false
  /** The beginning of a line whose end has not come yet. */
  readonly #begun = new GrowingBytes()
  #dataBytes = 0
  #event = ""
  #data: string | undefined
  #firstLine = true
  /** The last chunk ended in a carriage return: a line feed that follows belongs to it. */
  #skipLineFeed = false
  readonly #sink: FrameSink

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  push(chunk: Buffer): void {
    if (this.overflowed || chunk.length === 0) return
    let start = this.#skipLineFeed && chunk[0] === lineFeed ? 1 : 0
    this.#skipLineFeed = false
    if (this.#begun.size === 0 && this.#isBetween) start = this.#sink.skip(chunk, start)
    let feed = chunk.indexOf(lineFeed, start)
    let carriage = chunk.indexOf(carriageReturn, start)
    while (feed !== -1 || carriage !== -1) {
      const end = feed === -1 || (carriage !== -1 && carriage < feed) ? carriage : feed
      this.#endLine(chunk, start, end)
      start = end + 1
      if (end === carriage) {
        if (start === chunk.length) this.#skipLineFeed = true
        else if (chunk[start] === lineFeed) start++
      }
      if (this.#isBetween) start = this.#sink.skip(chunk, start)
      if (carriage !== -1 && carriage < start) carriage = chunk.indexOf(carriageReturn, start)
      if (feed !== -1 && feed < start) feed = chunk.indexOf(lineFeed, start)
    }
    if (start < chunk.length) {
      this.#begun.add(chunk.subarray(start))
      this.#checkSize()
    }
  }

  /** The stream is over. An event that only lacks its blank line is still given; half an event shows as broken data. */
  end(): void {
    if (this.overflowed) return
    this.#endLine(Buffer.alloc(0), 0, 0)
    this.#dispatch()
  }

  /** Nothing of an event has come so far. */
  get #isBetween(): boolean {
    return this.#data === undefined && this.#event === ""
  }

  #endLine(chunk: Buffer, start: number, end: number): void {
    if (this.#begun.size === 0) return this.#line(chunk, start, end)
    this.#begun.add(chunk.subarray(start, end))
    const line = this.#begun.take()
    this.#line(line, 0, line.length)
  }

  #line(bytes: Buffer, from: number, end: number): void {
    let start = from
    if (this.#firstLine) {
      this.#firstLine = false
      if (bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) start += 3
    }
    if (start === end) return this.#dispatch()
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

  #dispatch(): void {
    const event = this.#event
    const data = this.#data
    this.#event = ""
    this.#data = undefined
    this.#dataBytes = 0
    if (data !== undefined && data !== "") this.#sink.frame({ event, data })
  }

  #checkSize(): void {
    if (Math.max(this.#begun.size, this.#dataBytes) <= eventBytesMax) return
    this.overflowed = true
    this.#begun.take()
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
