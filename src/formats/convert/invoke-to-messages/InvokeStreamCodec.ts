/** Claude's stream from Bedrock for a Messages client: its own events, taken out of AWS's frames. */
import type { Particulars } from "../../../domain/particulars.ts"
import { type StreamFailure, brokenOff } from "../../errors/stream-failure.ts"
import { noToolNames, type ToolNames } from "../tool-names.ts"
import { errorIn, mapStreamError } from "../../errors/upstream-errors.ts"
import { type JsonObject, objectOf } from "../../json/json.ts"
import { messagesEventType } from "../../messages/event-type.ts"
import { MessagesParticulars } from "../../messages/MessagesParticulars.ts"
import { MeteredMessages } from "../../messages/MeteredMessages.ts"
import { namedFrame } from "../../stream/sse.ts"
import type { StreamCodec } from "../../stream/stream-codec.ts"
import { withOriginalName } from "../messages-to-invoke/tool-names.ts"
import { MessagesWriter } from "../../stream/event-writers.ts"
import { type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { InvokeEventReader, type InvokeSink } from "../../bedrock/stream-events.ts"

export class InvokeStreamCodec extends MeteredMessages implements StreamCodec, InvokeSink {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  readonly stored = undefined
  tail: Buffer = Buffer.alloc(0)
  readonly #particulars = new MessagesParticulars()
  readonly #reader = new InvokeEventReader(this)
  readonly #writer = new MessagesWriter()
  readonly #modelId: string
  readonly #toolNames: ToolNames
  /** What the client is to get of the bytes that are being read. */
  #text = ""

  /** `modelId` is the catalogue id, which the answer carries in `model`; `toolNames`, what was changed on the way up. */
  constructor(modelId: string, toolNames = noToolNames) {
    super()
    this.#modelId = modelId
    this.#toolNames = toolNames
  }

  get particulars(): Particulars {
    return this.#particulars.particulars
  }

  push(chunk: Buffer): Buffer | undefined {
    if (this.failure !== undefined || this.finished) return undefined
    this.#reader.push(chunk)
    // After the last event nothing can go wrong any more.
    if (!this.finished) this.failure ??= this.#reader.failure
    const text = this.#text
    this.#text = ""
    return text === "" ? undefined : Buffer.from(text)
  }

  end(): Buffer | undefined {
    if (this.failure !== undefined || this.finished) return undefined
    this.#reader.end()
    this.failure = this.#reader.failure ?? brokenOff
    return undefined
  }

  event(event: JsonObject, text: string): void {
    if (this.failure !== undefined || this.finished) return
    const frame = this.#read(event, text)
    if (this.failure === undefined && !this.finished) this.#text += frame
  }

  piece(place: PiecePlace, json: string): boolean {
    if (this.failure !== undefined || this.finished) return true
    this.blocks.addPiece(place.kind, plainOf(json))
    this.contentSeen = true
    this.#text += this.#writer.piece(place, json)
    return true
  }

  #read(event: JsonObject, text: string): string {
    const type = typeof event.type === "string" ? event.type : "unknown"
    let data = text
    this.#particulars.event(event)
    switch (messagesEventType(event)) {
      case "message_start":
        data = this.#start(event)
        break
      case "content_block_start":
        if (this.blocks.start(event.content_block)) this.contentSeen = true
        if (this.#toolNames.size > 0) data = this.#startBlock(event)
        break
      case "content_block_delta":
        if (this.blocks.add(event.delta)) this.contentSeen = true
        break
      case "message_delta":
        this.tally.goOn(event.usage)
        break
      case "message_stop":
        this.finished = true
        this.tail = Buffer.from(namedFrame(type, text), "utf8")
        break
      case "error":
        this.failure = mapStreamError(errorIn(event))
        break
    }
    return namedFrame(type, data)
  }

  #start(event: JsonObject): string {
    const message = objectOf(event.message)
    this.tally.begin(message.usage)
    return JSON.stringify({ ...event, message: { ...message, model: this.#modelId } })
  }

  #startBlock(event: JsonObject): string {
    const block = objectOf(event.content_block)
    return JSON.stringify({ ...event, content_block: withOriginalName(block, this.#toolNames) })
  }
}
