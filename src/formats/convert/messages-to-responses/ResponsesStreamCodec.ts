/** The stream codec of a converted Responses call: bytes are cut into events, which one stage at most makes those of Messages. */
import type { Usage } from "../../../domain/usage.ts"
import type { JsonObject } from "../../json/json.ts"
import { BlockMeter } from "../../messages/BlockMeter.ts"
import type { OutputMeter } from "../../meter/output-meter.ts"
import type { EventReader } from "../../stream/event-reader.ts"
import type { StreamCodec, StreamFault } from "../../stream/stream-codec.ts"
import type { StreamFailure } from "../../errors/stream-failure.ts"
import type { ConversionContext } from "../conversion.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { brokenOff } from "../../errors/stream-failure.ts"
import { MessagesStreamToResponses } from "./MessagesStreamToResponses.ts"

export const secondsNow = (): number => Math.floor(Date.now() / 1000)

export class ResponsesStreamCodec implements StreamCodec {
  failure: StreamFailure | undefined
  readonly storedId = undefined
  readonly #reader: EventReader
  readonly #first: StreamStage | undefined
  readonly #responses: MessagesStreamToResponses
  readonly #blocks = new BlockMeter()

  constructor(
    reader: EventReader,
    first: StreamStage | undefined,
    context: ConversionContext,
    clock: () => number = secondsNow
  ) {
    this.#reader = reader
    this.#first = first
    this.#responses = new MessagesStreamToResponses(
      context,
      clock,
      first === undefined ? this.#blocks : undefined
    )
  }

  get contentSeen(): boolean {
    return this.#responses.contentSeen
  }

  get finished(): boolean {
    return this.#responses.finished
  }

  get isWhole(): boolean {
    return this.#first?.isWhole === true
  }

  get usage(): Usage | undefined {
    return this.#first === undefined ? this.#responses.usage : this.#first.usage
  }

  get usageIsFinal(): boolean {
    if (this.#first === undefined) return this.#responses.usageIsFinal
    return this.#first.usageIsFinal ?? this.finished
  }

  get usageIsNonsense(): boolean {
    return (this.#first ?? this.#responses).usageIsNonsense ?? false
  }

  get meter(): OutputMeter {
    return this.#first?.meter ?? this.#blocks.output
  }

  get tail(): Buffer {
    return Buffer.from(this.#responses.tail)
  }

  get keepAlive(): string | undefined {
    return this.#responses.keepAlive
  }

  get nextSequenceNumber(): number {
    return this.#responses.sequence
  }

  begin(): string {
    return this.#responses.begin()
  }

  failed(error: StreamFault, lostEvents: number): string {
    return this.#responses.failed(error, lostEvents)
  }

  push(chunk: Buffer): Buffer | undefined {
    return this.failure !== undefined || this.finished ? undefined : this.#convert(this.#reader.push(chunk))
  }

  end(): Buffer | undefined {
    if (this.failure !== undefined || this.finished) return undefined
    const rest = this.#convert(this.#reader.end())
    if (this.failure !== undefined || this.finished) return rest
    let text = rest?.toString() ?? ""
    for (const event of this.#first?.end() ?? []) text += this.#responses.push(event)
    this.#noticeFailure()
    if (!this.finished) this.failure ??= brokenOff
    return bufferOf(text)
  }

  /** What was read before a failure still goes out; after it, nothing. */
  #convert(events: ReadonlyArray<JsonObject>): Buffer | undefined {
    let text = ""
    for (const event of events) {
      if (this.#first === undefined) text += this.#responses.push(event)
      else for (const made of this.#first.push(event)) text += this.#responses.push(made)
      this.#noticeFailure()
      if (this.failure !== undefined || this.finished) break
    }
    if (!this.finished) this.failure ??= this.#reader.failure
    return bufferOf(text)
  }

  #noticeFailure(): void {
    this.failure ??= this.#first?.failure ?? this.#responses.failure
  }
}

const bufferOf = (text: string): Buffer | undefined => (text === "" ? undefined : Buffer.from(text))
