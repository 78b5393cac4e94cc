/**
 * A Responses upstream's stream as the stream of a Messages answer. Its items may be told by turns, while the blocks of
 * Messages come one after the other: the first that is not done streams, the others wait in line behind it.
 */
import type { Usage } from "../../../domain/usage.ts"
import { errorIn, mapStreamError } from "../../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../../json/json.ts"
import { toolUse } from "../../messages/blocks.ts"
import { isNonsense } from "../../meter/nonsense-usage.ts"
import { OutputMeter } from "../../meter/output-meter.ts"
import { responsesEventType } from "../../responses/event-type.ts"
import { failureOfEnd, responseOfEnd } from "../../responses/read-response.ts"
import { responsesCounts, responsesUsage } from "../../responses/usage.ts"
import { messageShell, messagesUsageOf, stopDetails } from "../chat-to-messages/answer-parts.ts"
import { type ConversionContext, estimatedUsage, seenOutput } from "../conversion.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { brokenOff, type StreamFailure } from "../../errors/stream-failure.ts"
import { GrowingText } from "../../stream/GrowingText.ts"
import { LastPlace, type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { originalName } from "../tool-names.ts"
import {
  isEncrypted,
  itemOfPiece,
  signatureOfItem,
  stopReasonOf,
  thoughtOf,
  untoldOf
} from "./answer-parts.ts"
import { isVoidInput } from "../blank-text.ts"
import { deltaOf, isShown, isVoid, type Item, itemKinds, kindOf } from "./streamed-item.ts"

export class ResponsesStreamToMessages implements StreamStage {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  usage: Usage | undefined
  usageIsNonsense = false
  readonly meter = new OutputMeter()
  readonly #context: ConversionContext
  /** By the upstream's numbers; those that no client sees are not there. */
  readonly #items = new Map<number, Item>()
  /** The numbers of all that were told. */
  readonly #told = new Set<number>()
  /** Items whose blocks have not been closed, in their order. */
  #line: Array<Item> = []
  readonly #place = new LastPlace()
  #index = 0
  #started = false
  #toolsGiven = false
  #refusal = ""

  constructor(context: ConversionContext) {
    this.#context = context
  }

  push(event: JsonObject): ReadonlyArray<JsonObject> {
    if (this.finished || this.failure !== undefined) return []
    const events: Array<JsonObject> = []
    const type = responsesEventType(event)
    switch (type) {
      case "response.completed":
      case "response.incomplete":
        this.#finish(responseOfEnd(event), events)
        return events
      case "response.failed":
        this.failure = mapStreamError(objectOf(event.response).error)
        return []
      case "error":
        this.failure = mapStreamError(errorIn(event) ?? event)
        return []
      case "response.created":
        this.#start(events)
        return events
      default:
        this.#readItem(type, event)
        this.#give(events)
        return events
    }
  }

  piece({ index, kind, part }: PiecePlace, json: string): PiecePlace | undefined {
    const item = this.#line[0]
    if (item === undefined || item !== this.#items.get(index) || !item.opened) return undefined
    if (item.kind !== itemKinds[kind] || item.part !== part || item.isRefusal) return undefined
    const plain = plainOf(json)
    if (kind === "input" && (item.pending !== "" || (item.received.length === 0 && isVoidInput(plain))))
      return undefined
    this.meter.addText(plain)
    if (kind !== "thinking") item.received.add(plain)
    return this.#place.at(kind, this.#index)
  }

  end(): ReadonlyArray<JsonObject> {
    if (!this.finished) this.failure ??= brokenOff
    return []
  }

  #start(events: Array<JsonObject>): void {
    if (this.#started) return
    this.#started = true
    events.push({ type: "message_start", message: messageShell(this.#context) })
  }

  #readItem(type: string, event: JsonObject): void {
    const index = typeof event.output_index === "number" ? event.output_index : -1
    const piece = stringOf(event.delta)
    const item = this.#itemOf(index, type)
    switch (type) {
      case "response.output_item.added":
        this.#told.add(index)
        if (isJsonObject(event.item)) this.#add(index, event.item)
        return
      case "response.output_item.done":
        this.#told.add(index)
        if (isJsonObject(event.item)) this.#endItem(index, event.item)
        return
      case "response.output_text.delta":
        return this.#say(index, piece, false)
      case "response.refusal.delta":
        return this.#say(index, piece, true)
      case "response.function_call_arguments.delta":
        return this.#append(item, piece)
      case "response.reasoning_summary_text.delta":
        return this.#think(item, piece, event.summary_index)
      case "response.reasoning_text.delta":
        return this.#think(item, piece, "text")
      case "response.function_call_arguments.done":
        return this.#complete(item, stringOf(event.arguments))
      default:
        return
    }
  }

  /** Some upstreams tell pieces of items whose beginning they have not told. */
  #itemOf(index: number, type: string): Item | undefined {
    const known = this.#items.get(index)
    if (known !== undefined || index < 0 || this.#told.has(index)) return known
    const start = itemOfPiece(type)
    if (start !== undefined) this.#add(index, start)
    return this.#items.get(index)
  }

  #add(index: number, start: JsonObject): void {
    const kind = kindOf(start)
    if (kind === "tool") this.meter.addToolCall(stringOf(start.name))
    else if (kind === undefined) this.meter.addToolCall(stringOf(start.type))
    if (kind === undefined || (kind === "thinking" && this.#context.thinking === "none")) return
    const item: Item = {
      kind,
      start,
      isRefusal: false,
      opened: false,
      done: false,
      pending: "",
      received: new GrowingText(),
      part: undefined,
      signature: "",
      next: undefined
    }
    this.#items.set(index, item)
    this.#line.push(item)
  }

  #append(item: Item | undefined, piece: string): void {
    if (piece === "") return
    this.meter.addText(piece)
    if (item === undefined) return
    item.pending += piece
    item.received.add(piece)
  }

  /** A refusal has a block of its own behind what was said before it. */
  #say(index: number, piece: string, isRefusal: boolean): void {
    if (isRefusal) this.#refusal += piece
    let item = this.#items.get(index)
    if (item?.kind === "text" && !item.done && piece !== "" && item.isRefusal !== isRefusal) {
      item.done = true
      item = item.next = { ...item, isRefusal, opened: false, done: false, pending: "" }
      this.#items.set(index, item)
    }
    this.#append(item, piece)
  }

  /** The parts of a thought are told apart by a blank line. */
  #think(item: Item | undefined, piece: string, part: Json | undefined): void {
    if (piece === "") return
    this.meter.addText(piece)
    if (item === undefined || this.#context.thinking !== "shown") return
    item.pending += item.part === undefined || item.part === part ? piece : `\n\n${piece}`
    item.part = part
  }

  /** Some upstreams tell what there is, or the rest of it, only with the word that it is whole. */
  #complete(item: Item | undefined, whole: string): void {
    if (item === undefined || item.done || !whole.startsWith(item.received.whole())) return
    this.#append(item, whole.slice(item.received.length))
  }

  #endItem(index: number, end: JsonObject): void {
    if (!this.#items.has(index)) this.#add(index, end)
    const encrypted = end.encrypted_content
    if (typeof encrypted === "string") this.meter.opaqueCharacters += encrypted.length
    const item = this.#items.get(index)
    if (item === undefined || item.done) return
    if (item.kind === "tool") this.#complete(item, stringOf(end.arguments))
    else if (item.kind === "thinking") {
      if (item.part === undefined) this.#think(item, thoughtOf(end), "whole")
      if (item.opened || item.pending !== "" || isEncrypted(end))
        item.signature = signatureOfItem(end, this.#context.family)
    } else
      for (const { isRefusal, text } of untoldOf(end.content, item.received.whole()))
        this.#say(index, text, isRefusal)
    this.#items.get(index)!.done = true
  }

  /** What can be given now; all of it where nothing more will come. */
  #give(events: Array<JsonObject>, isAll = false): void {
    for (let head = this.#line[0]; head !== undefined; head = this.#line[0]) {
      if (!head.opened && isShown(head)) this.#open(head, events)
      if (head.opened && head.pending !== "" && !isVoid(head)) {
        events.push(this.#delta(deltaOf(head)))
        head.pending = ""
      }
      if (!head.done && !isAll) return
      if (head.opened) this.#close(head, events)
      if (head.next === undefined) this.#line.shift()
      else this.#line[0] = head.next
    }
  }

  #open(item: Item, events: Array<JsonObject>): void {
    this.#start(events)
    item.opened = true
    this.contentSeen = true
    if (item.kind === "tool") this.#toolsGiven = true
    events.push({ type: "content_block_start", index: this.#index, content_block: this.#emptyBlock(item) })
  }

  #close(item: Item, events: Array<JsonObject>): void {
    if (item.kind === "thinking")
      events.push(this.#delta({ type: "signature_delta", signature: item.signature }))
    events.push({ type: "content_block_stop", index: this.#index++ })
  }

  #emptyBlock({ kind, start }: Item): JsonObject {
    if (kind === "text") return { type: "text", text: "" }
    if (kind === "thinking") return { type: "thinking", thinking: "", signature: "" }
    const name = originalName(this.#context.toolNames, stringOf(start.name))
    return toolUse(stringOf(start.call_id) || stringOf(start.id), name, {})
  }

  #delta(delta: JsonObject): JsonObject {
    return { type: "content_block_delta", index: this.#index, delta }
  }

  #finish(response: JsonObject, events: Array<JsonObject>): void {
    this.failure = failureOfEnd(response)
    if (this.failure !== undefined) return
    // Some upstreams tell no items on the way. The numbers of those that are told need not be their places in the end.
    if (this.#told.size === 0)
      for (const [index, item] of objectsOf(response.output).entries()) this.#endItem(index, item)
    this.#start(events)
    this.#give(events, true)
    this.usage = responsesUsage(response)
    this.usageIsNonsense = isNonsense(response.usage)
    const held = { tools: this.#toolsGiven, refusal: this.#refusal !== "" }
    const reason = stopReasonOf(response, held)
    events.push({
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null, ...stopDetails(reason, this.#refusal) },
      usage: messagesUsageOf(
        responsesCounts(response.usage) ??
          estimatedUsage(this.#context, seenOutput(this.#context, this.meter))
      )
    })
    events.push({ type: "message_stop" })
    this.finished = true
  }
}
