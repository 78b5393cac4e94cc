/** The end of a stream whose last stage gives the client's own events: they are written as they come. */
import type { JsonObject } from "../json/json.ts"
import type { EventWriter } from "./event-writers.ts"
import type { PiecePlace } from "./pieces.ts"
import type { StreamEnd } from "./StreamEnd.ts"
import type { StreamStage } from "./StreamStage.ts"

export class WrittenStage implements StreamEnd {
  readonly progress: StreamStage
  readonly tail: string
  readonly #writer: EventWriter

  constructor(stage: StreamStage, writer: EventWriter) {
    this.progress = stage
    this.tail = writer.tail
    this.#writer = writer
  }

  push(event: JsonObject): string {
    return this.#written(this.progress.push(event))
  }

  piece(place: PiecePlace, json: string): string | undefined {
    const made = this.progress.piece(place, json)
    return made === undefined ? undefined : this.#writer.piece(made, json)
  }

  end(): string {
    return this.#written(this.progress.end())
  }

  #written(events: ReadonlyArray<JsonObject>): string {
    let text = ""
    for (const event of events) text += this.#writer.write(event)
    return text
  }
}
