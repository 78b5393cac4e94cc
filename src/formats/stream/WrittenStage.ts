/** The end of a stream whose last stage gives the client's own events: they are written as they come. */
import type { Usage } from "../../domain/usage.ts"
import type { StreamFailure } from "../errors/stream-failure.ts"
import type { JsonObject } from "../json/json.ts"
import type { OutputMeter } from "../meter/output-meter.ts"
import type { EventWriter } from "./event-writers.ts"
import type { StreamEnd } from "./StreamEnd.ts"
import type { StreamStage } from "./StreamStage.ts"

export class WrittenStage implements StreamEnd {
  readonly #stage: StreamStage
  readonly #writer: EventWriter

  constructor(stage: StreamStage, writer: EventWriter) {
    this.#stage = stage
    this.#writer = writer
  }

  get tail(): string {
    return this.#writer.tail
  }

  get contentSeen(): boolean {
    return this.#stage.contentSeen
  }

  get finished(): boolean {
    return this.#stage.finished
  }

  get isWhole(): boolean {
    return this.#stage.isWhole === true
  }

  get failure(): StreamFailure | undefined {
    return this.#stage.failure
  }

  get usage(): Usage | undefined {
    return this.#stage.usage
  }

  get usageIsFinal(): boolean {
    return this.#stage.usageIsFinal ?? this.finished
  }

  get usageIsNonsense(): boolean {
    return this.#stage.usageIsNonsense ?? false
  }

  get meter(): OutputMeter {
    return this.#stage.meter
  }

  push(event: JsonObject): string {
    return this.#written(this.#stage.push(event))
  }

  end(): string {
    return this.#written(this.#stage.end())
  }

  #written(events: ReadonlyArray<JsonObject>): string {
    let text = ""
    for (const event of events) text += this.#writer.write(event)
    return text
  }
}
