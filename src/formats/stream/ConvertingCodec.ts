/** The stream codec of a converted call: bytes are cut into events, which one stage at most turns, and the end writes. */
import type { Particulars } from "../../domain/particulars.ts"
import type { Usage } from "../../domain/usage.ts"
import { brokenOff, type StreamFailure } from "../errors/stream-failure.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { ParticularsReader } from "../particulars/ParticularsReader.ts"
import type { EventReader } from "./event-reader.ts"
import { messagesDelta } from "./event-writers.ts"
import { type EventSink, type PiecePlace, plainOf } from "./pieces.ts"
import type { CodedFailure, StreamCodec, StreamProgress } from "./stream-codec.ts"
import type { StreamEnd } from "./StreamEnd.ts"
import type { StreamStage } from "./StreamStage.ts"

export class ConvertingCodec implements StreamCodec, EventSink {
  failure: StreamFailure | undefined
  readonly stored = undefined
  readonly #reader: EventReader
  readonly #first: StreamStage | undefined
  readonly #end: StreamEnd
  readonly #particulars: ParticularsReader
  /** What the client is to get of the bytes that are being read. */
  #text = ""

  constructor(
    makeReader: (sink: EventSink) => EventReader,
    first: StreamStage | undefined,
    end: StreamEnd,
    particulars: ParticularsReader
  ) {
    this.#reader = makeReader(this)
    this.#first = first
    this.#end = end
    this.#particulars = particulars
  }

  get tail(): Buffer {
    return Buffer.from(this.#end.tail)
  }

  get keepAlive(): string | undefined {
    return this.#end.keepAlive
  }

  get nextSequenceNumber(): number {
    return this.#end.nextSequenceNumber ?? 0
  }

  get contentSeen(): boolean {
    return this.#end.progress.contentSeen
  }

  get finished(): boolean {
    return this.#end.progress.finished
  }

  get isWhole(): boolean {
    return this.#upstreams.isWhole === true
  }

  get usage(): Usage | undefined {
    return this.#upstreams.usage
  }

  get usageIsFinal(): boolean {
    return this.#upstreams.usageIsFinal ?? this.finished
  }

  get usageIsNonsense(): boolean {
    return this.#upstreams.usageIsNonsense ?? false
  }

  get particulars(): Particulars {
    return this.#particulars.particulars
  }

  get meter(): OutputMeter {
    return this.#upstreams.meter
  }

  begin(): string {
    return this.#end.begin?.() ?? ""
  }

  failed(failure: CodedFailure, lostEvents: number): string | undefined {
    return this.#end.failed?.(failure, lostEvents)
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.#isOver) return undefined
    this.#reader.push(chunk)
    return this.#given()
  }

  end(): Buffer | undefined {
    if (this.#isOver) return undefined
    this.#reader.end()
    if (!this.finished) this.failure ??= this.#reader.failure
    if (!this.#isOver) {
      for (const event of this.#first?.end() ?? []) this.#text += this.#end.push(event)
      this.#text += this.#end.end?.() ?? ""
      this.#noticeFailure()
      if (!this.finished) this.failure ??= brokenOff
    }
    return this.#given()
  }

  event(event: JsonObject): void {
    if (this.#isOver) return
    this.#particulars.event(event)
    if (this.#first === undefined) this.#text += this.#end.push(event)
    else for (const made of this.#first.push(event)) this.#text += this.#end.push(made)
    this.#noticeFailure()
  }

  piece(place: PiecePlace, json: string): boolean {
    if (this.#isOver) return true
    const made = this.#first === undefined ? place : this.#first.piece(place, json)
    if (made === undefined) return false
    const text = this.#end.piece(made, json)
    if (text === undefined && this.#first === undefined) return false
    // The first stage has counted it: the end gets it as the event that it would have made of it.
    this.#text += text ?? this.#end.push(messagesDelta(made, plainOf(json)))
    this.#noticeFailure()
    return true
  }

  /** Who reads the upstream's own events knows what it told. */
  get #upstreams(): StreamProgress {
    return this.#first ?? this.#end.progress
  }

  get #isOver(): boolean {
    return this.failure !== undefined || this.finished
  }

  /** What was read before a failure still goes out; after it, nothing. */
  #given(): Buffer | undefined {
    if (!this.finished) this.failure ??= this.#reader.failure
    const text = this.#text
    this.#text = ""
    return text === "" ? undefined : Buffer.from(text)
  }

  #noticeFailure(): void {
    this.failure ??= this.#first?.failure ?? this.#end.progress.failure
  }
}
