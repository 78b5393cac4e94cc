/** The stream codec of a converted call: bytes are cut into events, which one stage at most turns, and the end writes. */
import type { Particulars } from "../../domain/particulars.ts"
import type { Usage } from "../../domain/usage.ts"
import { brokenOff, type StreamFailure } from "../errors/stream-failure.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { ParticularsReader } from "../particulars/ParticularsReader.ts"
import type { EventReader } from "./event-reader.ts"
import type { StreamCodec, StreamFault } from "./stream-codec.ts"
import type { StreamEnd } from "./StreamEnd.ts"
import type { StreamStage } from "./StreamStage.ts"

export class ConvertingCodec implements StreamCodec {
  failure: StreamFailure | undefined
  readonly stored = undefined
  readonly #reader: EventReader
  readonly #first: StreamStage | undefined
  readonly #end: StreamEnd
  readonly #particulars: ParticularsReader

  constructor(
    reader: EventReader,
    first: StreamStage | undefined,
    end: StreamEnd,
    particulars: ParticularsReader
  ) {
    this.#reader = reader
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
    return this.#end.contentSeen
  }

  get finished(): boolean {
    return this.#end.finished
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

  failed(fault: StreamFault, lostEvents: number): string | undefined {
    return this.#end.failed?.(fault, lostEvents)
  }

  push(chunk: Buffer): Buffer | undefined {
    return this.failure !== undefined || this.finished ? undefined : this.#convert(this.#reader.push(chunk))
  }

  end(): Buffer | undefined {
    if (this.failure !== undefined || this.finished) return undefined
    const rest = this.#convert(this.#reader.end())
    if (this.failure !== undefined || this.finished) return rest
    let text = ""
    for (const event of this.#first?.end() ?? []) text += this.#end.push(event)
    text += this.#end.end?.() ?? ""
    this.#noticeFailure()
    if (!this.finished) this.failure ??= brokenOff
    return joined(rest, text)
  }

  /** Who reads the upstream's own events knows what it told. */
  get #upstreams(): StreamStage | StreamEnd {
    return this.#first ?? this.#end
  }

  /** What was read before a failure still goes out; after it, nothing. */
  #convert(events: ReadonlyArray<JsonObject>): Buffer | undefined {
    let text = ""
    for (const event of events) {
      this.#particulars.event(event)
      if (this.#first === undefined) text += this.#end.push(event)
      else for (const made of this.#first.push(event)) text += this.#end.push(made)
      this.#noticeFailure()
      if (this.failure !== undefined || this.finished) break
    }
    if (!this.finished) this.failure ??= this.#reader.failure
    return joined(undefined, text)
  }

  #noticeFailure(): void {
    this.failure ??= this.#first?.failure ?? this.#end.failure
  }
}

const joined = (first: Buffer | undefined, text: string): Buffer | undefined => {
  if (text === "") return first
  const bytes = Buffer.from(text)
  return first === undefined ? bytes : Buffer.concat([first, bytes])
}
