/**
 * The events of a Messages stream whose answer comes as the call of a tool, with that call as text. What the model says
 * before is held until it is known to be no part of the answer.
 */
import type { Usage } from "../../../domain/usage.ts"
import type { StreamFailure } from "../../errors/stream-failure.ts"
import { isJsonObject, type JsonObject, objectOf } from "../../json/json.ts"
import type { OutputMeter } from "../../meter/output-meter.ts"
import { LastPlace, type PiecePlace } from "../../stream/pieces.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { isAnswerCall, stopReasonWith } from "./answer-call.ts"

/** What becomes of the block that is open. */
type Fate = "kept" | "held" | "answer" | "dropped"

export class AnswerCallToText implements StreamStage {
  contentSeen = false
  readonly #inner: StreamStage
  readonly #place = new LastPlace()
  #fate: Fate = "kept"
  #held: Array<JsonObject> = []
  /** The number of the last block given. */
  #index = -1
  #isAnswered = false
  /** The answer has no words yet. */
  #isBlank = false
  #calls = false
  #out: Array<JsonObject> = []

  constructor(inner: StreamStage) {
    this.#inner = inner
  }

  get finished(): boolean {
    return this.#inner.finished
  }

  get isWhole(): boolean {
    return this.#inner.isWhole ?? false
  }

  get failure(): StreamFailure | undefined {
    return this.#inner.failure
  }

  get usage(): Usage | undefined {
    return this.#inner.usage
  }

  get usageIsNonsense(): boolean {
    return this.#inner.usageIsNonsense ?? false
  }

  get meter(): OutputMeter {
    return this.#inner.meter
  }

  push(event: JsonObject): ReadonlyArray<JsonObject> {
    return this.#turned(this.#inner.push(event))
  }

  piece(place: PiecePlace, json: string): PiecePlace | undefined {
    if (this.#fate === "held" || this.#fate === "dropped") return undefined
    const made = this.#inner.piece(place, json)
    if (made === undefined) return undefined
    this.contentSeen = true
    this.#isBlank = false
    return this.#place.at(this.#fate === "answer" ? "text" : made.kind, this.#index)
  }

  end(): ReadonlyArray<JsonObject> {
    return this.#turned(this.#inner.end())
  }

  #turned(events: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> {
    for (const event of events) this.#turn(event)
    this.contentSeen ||= this.#inner.contentSeen && this.#held.length === 0
    const out = this.#out
    this.#out = []
    return out
  }

  #turn(event: JsonObject): void {
    switch (event.type) {
      case "content_block_start":
        return this.#startBlock(event)
      case "content_block_delta":
        return this.#give(event)
      case "content_block_stop":
        if (this.#fate === "answer" && this.#isBlank) this.#addText("{}")
        return this.#give(event)
      case "message_delta":
        this.#tellHeld()
        return void this.#out.push(this.#lastDelta(event))
      default:
        this.#out.push(event)
    }
  }

  #startBlock(event: JsonObject): void {
    const block = objectOf(event.content_block)
    this.#fate = this.#fateOf(block)
    if (this.#fate !== "answer") {
      if (block.type === "tool_use" && this.#fate === "kept") {
        this.#calls = true
        this.#tellHeld()
      }
      return this.#give(event)
    }
    this.#held = []
    this.#isAnswered = true
    this.#isBlank = true
    this.#emit({ ...event, content_block: { type: "text", text: "" } })
  }

  #fateOf(block: JsonObject): Fate {
    if (isAnswerCall(block)) return this.#isAnswered ? "dropped" : "answer"
    if (block.type !== "text") return "kept"
    return this.#isAnswered ? "dropped" : "held"
  }

  #give(event: JsonObject): void {
    if (this.#fate === "held") this.#held.push(event)
    else if (this.#fate === "answer" && isJsonObject(event.delta)) this.#addText(event.delta.partial_json)
    else if (this.#fate !== "dropped") this.#emit(event)
  }

  #addText(text: JsonObject[string]): void {
    this.#isBlank = false
    this.#emit({ type: "content_block_delta", delta: { type: "text_delta", text } })
  }

  #tellHeld(): void {
    for (const event of this.#held) this.#emit(event)
    this.#held = []
  }

  /** What is left out leaves no gaps. */
  #emit(event: JsonObject): void {
    if (event.type === "content_block_start") this.#index++
    this.#out.push({ ...event, index: this.#index })
  }

  #lastDelta(event: JsonObject): JsonObject {
    const delta = objectOf(event.delta)
    return { ...event, delta: { ...delta, stop_reason: stopReasonWith(delta.stop_reason, this.#calls) } }
  }
}
