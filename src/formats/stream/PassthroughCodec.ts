/**
 * Passes an SSE stream on byte for byte, but for carriage returns that end a line alone, while reading what must be known of
 * it. Only whole events are passed on; one that arrives in pieces waits for its blank line.
 */
import { noParticulars, type Particulars } from "../../domain/particulars.ts"
import type { Usage } from "../../domain/usage.ts"
import { errorIn, errorInsteadOfAnswer, mapStreamError } from "../errors/upstream-errors.ts"
import { type JsonObject, parseObject } from "../json/json.ts"
import { OutputMeter } from "../meter/output-meter.ts"
import {
  dataOf,
  eventBytesMax,
  eventLinesMax,
  isReadWhole,
  largeEventBytes,
  notJson
} from "./event-bounds.ts"
import { GrowingBytes } from "./GrowingBytes.ts"
import { LineFeeds } from "./LineFeeds.ts"
import type { PiecePlace } from "./pieces.ts"
import { type PieceForm, PieceScanner } from "./PieceScanner.ts"
import { isKeepAlive } from "./sse.ts"
import type { StoredAnswer } from "../../domain/stored-answer.ts"
import type { StreamCodec } from "./stream-codec.ts"
import type { StreamFailure } from "../errors/stream-failure.ts"

/** What becomes of an event: passed on, left out, told in other bytes, or the successful end, kept back with all that follows it. */
export type Verdict = "pass" | "strip" | Buffer | "finish"

const lineFeed = 10
const carriageReturn = 13
const empty = Buffer.alloc(0)

export abstract class PassthroughCodec implements StreamCodec {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  usage: Usage | undefined
  usageIsNonsense = false
  stored: StoredAnswer | undefined
  /** The beginning of an event whose end has not come. */
  readonly #begun = new GrowingBytes()
  #linesBegun = 0
  readonly #feeds = new LineFeeds()
  #tail: Array<Buffer> = []
  readonly #meter = new OutputMeter()
  readonly #pieces: PieceScanner | undefined

  /** Most events are pieces, which are weighed as they stand; any other is read by `read`, and the first of pieces that are alike. */
  constructor(pieces?: PieceForm) {
    this.#pieces = pieces && new PieceScanner(pieces)
  }

  get meter(): OutputMeter {
    return this.#meter
  }

  get particulars(): Particulars {
    return noParticulars
  }

  get tail(): Buffer {
    const held = this.finished ? [...this.#tail, this.#begun.whole()] : []
    return held.length === 0 ? empty : Buffer.concat(held)
  }

  /** From here on an event is read by its outline. */
  protected readonly readBytesMax: number = largeEventBytes

  /** Whether an event says something new, which is weighed: of that an outline leaves out what is long. */
  protected tellsNews(_json: string): boolean {
    return false
  }

  /** Hears of pieces of `place` that were passed on unread, the last of them under `number` where its form counts. */
  protected passedPieces(_place: PiecePlace, _number: number | undefined): void {}

  /** Reads an event from the bytes of its data where that suffices. */
  protected readBytes(_data: Buffer): Verdict | undefined {
    return undefined
  }

  /** Reads one event. `data` is its data as text, empty for comments and bare `event:` lines. */
  protected abstract read(data: string, isOutline: boolean): Verdict
  /** The upstream has closed without the protocol's last event: was that a successful end? */
  protected abstract endsWell(): boolean

  push(came: Buffer): Buffer | undefined {
    if (this.failure !== undefined) return undefined
    const chunk = this.#feeds.of(came)
    if (this.#begun.size === 0) return this.#pass(chunk)
    const isWhole = this.#begun.size < 2 || bringsBlankLine(this.#begun, chunk)
    this.#keep(chunk)
    if (this.failure !== undefined) return undefined
    if (isWhole) return this.#pass(this.#takeBegun())
    this.#linesBegun += countLines(chunk)
    if (this.#linesBegun > eventLinesMax) this.fail(tooLarge)
    return undefined
  }

  end(): Buffer | undefined {
    if (this.failure !== undefined || this.finished) return undefined
    // An event that only lacks its blank line is whole; half an event is not JSON and fails.
    this.#keep(this.#feeds.end())
    const rest = this.#takeBegun()
    const error = errorInsteadOfAnswer(rest)
    if (error !== undefined && !this.endsWell()) {
      this.failAs(error)
      return undefined
    }
    const blank = rest.length === 0 ? "" : rest.at(-1) === lineFeed ? "\n" : "\n\n"
    const last = rest.length === 0 ? undefined : this.#pass(Buffer.concat([rest, Buffer.from(blank)]))
    if (this.failure !== undefined) return undefined
    if (this.finished) {
      this.#tail = [rest]
      return undefined
    }
    if (!this.endsWell()) {
      this.fail("The model provider closed the stream before its end.")
      return last
    }
    this.finished = true
    return last?.subarray(0, last.length - blank.length)
  }

  protected fail(message: string): Verdict {
    return this.failAs({ type: "api_error", message })
  }

  protected failAs(failure: StreamFailure): Verdict {
    // After the successful end nothing can go wrong any more, and clients that were told so would take it for a failure.
    if (this.finished) return "strip"
    this.failure = failure
    return "strip"
  }

  /** The event's data as an object; sets `failure` when it is none. */
  protected parse(data: string): JsonObject | undefined {
    const event = parseObject(data)
    if (event === undefined) this.fail("The model provider sent an event that can not be read.")
    return event
  }

  #judge(data: string | Buffer, isError: boolean, isOutline: boolean): Verdict {
    if (typeof data !== "string") {
      const verdict = isError ? undefined : this.readBytes(data)
      if (verdict !== undefined) return verdict
      const isWhole = !isOutline || isReadWhole(data, (json) => this.tellsNews(json))
      return this.#judge(dataOf(data, isWhole ? data.length : this.readBytesMax), isError, !isWhole)
    }
    if (isKeepAlive(data)) return "strip"
    if (!isError) return this.read(data, isOutline)
    const event = this.parse(data)
    // The data may hold the error, or be it.
    return event === undefined ? "strip" : this.failAs(mapStreamError(errorIn(event) ?? event))
  }

  /** Passes on all whole events of `bytes` and keeps the rest. */
  #pass(bytes: Buffer): Buffer | undefined {
    const parts: Array<Buffer> = []
    let passFrom = 0
    // From here on all is kept back for the tail, and the next of that begins there.
    let passTo = this.finished ? 0 : undefined
    let heldFrom = 0
    // A character for each byte, so that places in it are places in the bytes.
    const isSearched = this.#pieces !== undefined && bytes.length <= 2 * largeEventBytes
    const latin = isSearched ? bytes.toString("latin1") : ""
    let eventStart = this.#passPieces(bytes, latin, 0)
    let lineStart = eventStart
    // The bytes of one line, or the text of several.
    let data: string | Buffer | undefined
    let isError = false
    let isOutline = false
    for (
      let feed = bytes.indexOf(lineFeed, lineStart);
      feed !== -1;
      feed = bytes.indexOf(lineFeed, lineStart)
    ) {
      const lineEnd = feed > lineStart && bytes[feed - 1] === carriageReturn ? feed - 1 : feed
      if (lineEnd > lineStart) {
        const start = dataStart(bytes, lineStart, lineEnd)
        if (start !== -1) {
          isOutline ||= lineEnd - start > this.readBytesMax
          data = withLine(data, bytes.subarray(start, lineEnd), this.readBytesMax)
        } else isError ||= isErrorName(bytes, lineStart, lineEnd)
        lineStart = feed + 1
        continue
      }
      lineStart = feed + 1
      const verdict = data === undefined ? "pass" : this.#judge(data, isError, isOutline)
      this.#pieces?.learn(verdict === "pass" ? latin.slice(eventStart, lineStart) : "")
      data = undefined
      isError = isOutline = false
      if (this.failure !== undefined) return join(parts, bytes, passFrom, eventStart)
      if (verdict === "finish") {
        this.finished = true
        if (passTo === undefined) passTo = heldFrom = eventStart
      }
      const isTaken = verdict !== "pass" && verdict !== "finish"
      if (isTaken && passTo !== undefined) {
        this.#hold(bytes, heldFrom, eventStart)
        heldFrom = lineStart
      } else if (isTaken) {
        if (eventStart > passFrom) parts.push(bytes.subarray(passFrom, eventStart))
        if (verdict !== "strip") parts.push(verdict)
        passFrom = lineStart
      }
      eventStart = lineStart = this.#passPieces(bytes, latin, lineStart)
    }
    // A copy, since a few bytes would keep the whole network buffer alive.
    if (eventStart < bytes.length) this.#keep(Buffer.from(bytes.subarray(eventStart)))
    if (passTo === undefined) return join(parts, bytes, passFrom, eventStart)
    this.#hold(bytes, heldFrom, eventStart)
    return join(parts, bytes, passFrom, passTo)
  }

  #hold(bytes: Buffer, from: number, to: number): void {
    if (to > from) this.#tail.push(Buffer.from(bytes.subarray(from, to)))
  }

  /** Weighs the pieces that stand at `from`; answers where they end. They are passed on like what is around them. */
  #passPieces(bytes: Buffer, latin: string, from: number): number {
    const pieces = this.#pieces
    if (pieces === undefined) return from
    let end = from
    while (pieces.find(latin, end)) {
      end = pieces.eventEnd
      this.meter.addBytes(bytes, pieces.start, pieces.end)
    }
    if (end === from) return from
    this.contentSeen = true
    this.passedPieces(pieces.place, pieces.number)
    return end
  }

  #keep(piece: Buffer): void {
    if (this.#begun.size + piece.length > eventBytesMax) this.fail(tooLarge)
    else this.#begun.add(piece)
  }

  #takeBegun(): Buffer {
    this.#linesBegun = 0
    return this.#begun.take()
  }
}

const tooLarge = "The model provider sent an event that is too large."

const blankLines = [Buffer.from("\n\n"), Buffer.from("\n\r\n")]

/** Whether an event ends in `chunk`, or where it follows on what has begun. */
const bringsBlankLine = (begun: GrowingBytes, chunk: Buffer): boolean => {
  const last = begun.fromEnd(1)
  const [first, second] = chunk
  const isSeam =
    last === lineFeed
      ? first === lineFeed || (first === carriageReturn && second === lineFeed)
      : last === carriageReturn && first === lineFeed && begun.fromEnd(2) === lineFeed
  return isSeam || blankLines.some((blank) => chunk.includes(blank))
}

const countLines = (chunk: Buffer): number => {
  let lines = 0
  for (let feed = chunk.indexOf(lineFeed); feed !== -1; feed = chunk.indexOf(lineFeed, feed + 1)) lines++
  return lines
}

/** Where the value of a `data:` line begins, with or without a byte order mark before it; -1 in any other line. */
const dataStart = (bytes: Buffer, lineStart: number, end: number): number => {
  const isMarked = bytes[lineStart] === 0xef && bytes[lineStart + 1] === 0xbb && bytes[lineStart + 2] === 0xbf
  const start = isMarked ? lineStart + 3 : lineStart
  const isData =
    bytes[start] === 100 && bytes[start + 1] === 97 && bytes[start + 2] === 116 && bytes[start + 3] === 97
  if (!isData || bytes[start + 4] !== 58) return -1
  return Math.min(end, bytes[start + 5] === 32 ? start + 6 : start + 5)
}

/** The data so far with one line more. */
const withLine = (data: string | Buffer | undefined, line: Buffer, bytesMax: number): string | Buffer => {
  if (data === undefined) return line
  const before = typeof data === "string" ? data : dataOf(data, bytesMax)
  const more = dataOf(line, bytesMax)
  return before.length + more.length > bytesMax ? notJson : `${before}\n${more}`
}

const errorName = /^event:\s*error\s*$/i

const isErrorName = (bytes: Buffer, start: number, end: number): boolean =>
  end - start <= 16 && errorName.test(bytes.toString("latin1", start, end))

const join = (parts: Array<Buffer>, bytes: Buffer, from: number, to: number): Buffer | undefined => {
  if (parts.length === 0) return to > from ? bytes.subarray(from, to) : undefined
  if (to > from) parts.push(bytes.subarray(from, to))
  return Buffer.concat(parts)
}
