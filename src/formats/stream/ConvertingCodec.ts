/** The stream codec of a converted call: bytes are cut into events, which pass through one or two stages and are written. */
import type { Usage } from "../../domain/usage.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { StreamCodec } from "./stream-codec.ts"
import { type StreamFailure, brokenOff } from "../errors/stream-failure.ts"
import type { StreamStage } from "./StreamStage.ts"
import type { EventReader } from "./event-reader.ts"
import type { EventWriter } from "./event-writers.ts"

/** The first reads the upstream's events, the last gives the client's. */
export type Stages = readonly [StreamStage, ...Array<StreamStage>]

export class ConvertingCodec implements StreamCodec {
  failure: StreamFailure | undefined
  readonly storedId = undefined
  readonly #reader: EventReader
  readonly #stages: Stages
  readonly #writer: EventWriter

  constructor(reader: EventReader, stages: Stages, writer: EventWriter) {
    this.#reader = reader
    this.#stages = stages
    this.#writer = writer
  }

  get tail(): Buffer {
    return Buffer.from(this.#writer.tail)
  }

  get keepAlive(): string | undefined {
    return this.#writer.keepAlive
  }

  get nextSequenceNumber(): number {
    return this.#writer.nextSequenceNumber ?? 0
  }

  get contentSeen(): boolean {
    return this.#stages.at(-1)!.contentSeen
  }

  get finished(): boolean {
    return this.#stages.at(-1)!.finished
  }

  get isWhole(): boolean {
    return this.#stages[0].isWhole === true
  }

  get usage(): Usage | undefined {
    return this.#stages[0].usage
  }

  get usageIsFinal(): boolean {
    return this.#stages[0].usageIsFinal ?? this.finished
  }

  get usageIsNonsense(): boolean {
    return this.#stages[0].usageIsNonsense ?? false
  }

  get meter(): OutputMeter {
    return this.#stages[0].meter
  }

  push(chunk: Buffer): Buffer | undefined {
    return this.failure !== undefined || this.finished ? undefined : this.#convert(this.#reader.push(chunk))
  }

  end(): Buffer | undefined {
    if (this.failure !== undefined || this.finished) return undefined
    const rest = this.#convert(this.#reader.end())
    if (this.failure !== undefined || this.finished) return rest
    let text = ""
    for (const [place, stage] of this.#stages.entries()) text += this.#written(stage.end(), place + 1)
    this.#noticeFailure()
    if (!this.finished) this.failure ??= brokenOff
    return joined(rest, text)
  }

  /** What was read before a failure still goes out; after it, nothing. */
  #convert(events: ReadonlyArray<JsonObject>): Buffer | undefined {
    let text = ""
    for (const event of events) {
      text += this.#written([event], 0)
      this.#noticeFailure()
      if (this.failure !== undefined || this.finished) break
    }
    if (!this.finished) this.failure ??= this.#reader.failure
    return joined(undefined, text)
  }

  #written(events: ReadonlyArray<JsonObject>, place: number): string {
    let text = ""
    for (const event of events) {
      const stage = this.#stages[place]
      text += stage === undefined ? this.#writer.write(event) : this.#written(stage.push(event), place + 1)
    }
    return text
  }

  #noticeFailure(): void {
    for (const stage of this.#stages) this.failure ??= stage.failure
  }
}

const joined = (first: Buffer | undefined, text: string): Buffer | undefined => {
  if (text === "") return first
  const bytes = Buffer.from(text)
  return first === undefined ? bytes : Buffer.concat([first, bytes])
}
