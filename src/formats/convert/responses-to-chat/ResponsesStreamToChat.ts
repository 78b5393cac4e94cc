/** A Responses upstream's stream as a stream of chat completion chunks, which may tell several calls by turns as well. */
import type { Usage } from "../../../domain/usage.ts"
import { calledPiece } from "../../chat/tool-calls.ts"
import { errorIn, mapStreamError } from "../../errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../../json/json.ts"
import { isNonsense } from "../../meter/nonsense-usage.ts"
import { OutputMeter } from "../../meter/output-meter.ts"
import { responsesEventType } from "../../responses/event-type.ts"
import { failureOfEnd, responseOfEnd } from "../../responses/read-response.ts"
import { responsesCounts, responsesUsage } from "../../responses/usage.ts"
import { chatCitations } from "../citations.ts"
import { type ConversionContext, estimatedUsage, seenOutput } from "../conversion.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { brokenOff, type StreamFailure } from "../../errors/stream-failure.ts"
import { GrowingText } from "../../stream/GrowingText.ts"
import { LastPlace, type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { chatUsageOf } from "../messages-to-chat/answer-parts.ts"
import { chunkChoice, chunkShell, completionChunk } from "../messages-to-chat/chunks.ts"
import { itemOfPiece, thoughtOf, untoldOf } from "../responses-to-messages/answer-parts.ts"
import { betweenMessages, callOf, calledWith, finishReasonOf, moderationOf, tierOf } from "./answer-parts.ts"

interface Item {
  readonly start: JsonObject
  /** Place among the calls, -1 for other items. */
  readonly call: number
  readonly received: GrowingText
  /** Of thoughts, only whether there were any. */
  thought: boolean
}

export class ResponsesStreamToChat implements StreamStage {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  usage: Usage | undefined
  usageIsNonsense = false
  readonly meter = new OutputMeter()
  readonly #context: ConversionContext
  readonly #items = new Map<number, Item>()
  readonly #place = new LastPlace()
  #started = false
  #itemsTold = false
  #calls = 0
  /** The part of the thoughts that came last. */
  #thought: string | undefined
  /** The message whose text came last. */
  #speaker: Item | undefined
  /** Of the messages that are whole, and of what stands behind them. */
  #textLength = 0

  constructor(context: ConversionContext) {
    this.#context = context
  }

  push(event: JsonObject): ReadonlyArray<JsonObject> {
    if (this.finished || this.failure !== undefined) return []
    const type = responsesEventType(event)
    switch (type) {
      case "response.created":
        return this.#start()
      case "response.completed":
      case "response.incomplete":
        return this.#finish(responseOfEnd(event))
      case "response.failed":
        this.failure = mapStreamError(objectOf(event.response).error)
        return []
      case "error":
        this.failure = mapStreamError(errorIn(event) ?? event)
        return []
      default:
        return this.#readItem(type, event)
    }
  }

  piece({ index, kind, part }: PiecePlace, json: string): PiecePlace | undefined {
    const item = this.#items.get(index)
    if (!this.#started || item === undefined) return undefined
    if (kind === "thinking" && this.#thought !== `${index}.${part}`) return undefined
    if (kind === "text" && this.#speaker !== item) return undefined
    if (kind === "input" && (item.call < 0 || item.start.type !== "function_call")) return undefined
    const plain = plainOf(json)
    this.meter.addText(plain)
    if (kind === "thinking") item.thought = true
    else item.received.add(plain)
    this.contentSeen = true
    return this.#place.at(kind, kind === "input" ? item.call : 0)
  }

  end(): ReadonlyArray<JsonObject> {
    if (!this.finished) this.failure ??= brokenOff
    return []
  }

  #start(): ReadonlyArray<JsonObject> {
    if (this.#started) return []
    this.#started = true
    return [this.#chunk({ role: "assistant", content: "" })]
  }

  #readItem(type: string, event: JsonObject): ReadonlyArray<JsonObject> {
    const index = typeof event.output_index === "number" ? event.output_index : -1
    const piece = stringOf(event.delta)
    const item = this.#itemOf(index, type)
    switch (type) {
      case "response.output_item.added":
        this.#itemsTold = true
        return isJsonObject(event.item) ? this.#add(index, event.item) : []
      case "response.output_item.done":
        this.#itemsTold = true
        return isJsonObject(event.item) ? this.#endItem(index, event.item) : []
      case "response.output_text.delta":
        return this.#say(item, "content", piece)
      case "response.refusal.delta":
        return this.#say(item, "refusal", piece)
      case "response.reasoning_summary_text.delta":
        return this.#think(item, `${index}.${String(event.summary_index)}`, piece)
      case "response.reasoning_text.delta":
        return this.#think(item, `${index}.text`, piece)
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return this.#called(item, piece)
      case "response.function_call_arguments.done":
        return this.#completed(item, stringOf(event.arguments))
      case "response.custom_tool_call_input.done":
        return this.#completed(item, stringOf(event.input))
      default:
        return []
    }
  }

  /** Some upstreams tell pieces of items whose beginning they have not told. */
  #itemOf(index: number, type: string): Item | undefined {
    const start = index < 0 || this.#items.has(index) ? undefined : itemOfPiece(type)
    if (start !== undefined) this.#add(index, start)
    return this.#items.get(index)
  }

  #add(index: number, start: JsonObject): ReadonlyArray<JsonObject> {
    const call = callOf(start)
    const isOther = start.type === "message" || start.type === "reasoning"
    this.#items.set(index, {
      start,
      call: call === undefined ? -1 : this.#calls,
      received: new GrowingText(),
      thought: false
    })
    if (!isOther) this.meter.addToolCall(stringOf(start.name) || stringOf(start.type))
    if (call === undefined) return []
    return this.#content({ tool_calls: [{ index: this.#calls++, ...withoutInput(call) }] })
  }

  #say(item: Item | undefined, name: "content" | "refusal", piece: string): ReadonlyArray<JsonObject> {
    if (piece === "") return []
    this.meter.addText(piece)
    if (item !== undefined) item.received.add(piece)
    if (name === "refusal") return this.#content({ refusal: piece })
    const isNext = this.#speaker !== undefined && item !== undefined && this.#speaker !== item
    this.#speaker = item ?? this.#speaker
    if (isNext) this.#textLength += betweenMessages.length
    return this.#content({ content: isNext ? betweenMessages + piece : piece })
  }

  /** The parts of thoughts are told apart by a blank line. */
  #think(item: Item | undefined, part: string, piece: string): ReadonlyArray<JsonObject> {
    if (piece === "") return []
    this.meter.addText(piece)
    if (item !== undefined) item.thought = true
    const isNext = this.#thought !== undefined && this.#thought !== part
    this.#thought = part
    return this.#content({ reasoning_content: isNext ? `\n\n${piece}` : piece })
  }

  #called(item: Item | undefined, piece: string): ReadonlyArray<JsonObject> {
    if (piece === "" || item === undefined || item.call < 0) return []
    this.meter.addText(piece)
    item.received.add(piece)
    const called = calledPiece(item.start.type === "custom_tool_call", piece)
    return this.#content({ tool_calls: [{ index: item.call, ...called }] })
  }

  /** Some upstreams tell what there is only with the word that it is whole. */
  #completed(item: Item | undefined, whole: string): ReadonlyArray<JsonObject> {
    if (item === undefined || !whole.startsWith(item.received.whole())) return []
    return this.#called(item, whole.slice(item.received.length))
  }

  #endItem(index: number, end: JsonObject): ReadonlyArray<JsonObject> {
    const begun = this.#items.has(index) ? [] : this.#add(index, end)
    const item = this.#items.get(index)!
    if (typeof end.encrypted_content === "string") this.meter.opaqueCharacters += end.encrypted_content.length
    return [...begun, ...this.#rest(item, index, end)]
  }

  /** What an item holds that has not been told. */
  #rest(item: Item, index: number, end: JsonObject): ReadonlyArray<JsonObject> {
    if (item.call >= 0) return this.#completed(item, calledWith(end))
    if (end.type === "reasoning")
      return !item.thought && item.received.length === 0
        ? this.#think(item, `${index}.whole`, thoughtOf(end))
        : []
    return end.type === "message" ? this.#restOfMessage(item, end) : []
  }

  #restOfMessage(item: Item, { content }: JsonObject): ReadonlyArray<JsonObject> {
    const parts = objectsOf(content)
    const rest = untoldOf(content, item.received.whole()).flatMap(({ isRefusal, text }) =>
      this.#say(item, isRefusal ? "refusal" : "content", text)
    )
    const annotations = chatCitations(parts, this.#textLength)
    for (const { text } of parts) this.#textLength += stringOf(text).length
    return annotations.length === 0 ? rest : [...rest, ...this.#content({ annotations })]
  }

  #content(delta: JsonObject): ReadonlyArray<JsonObject> {
    this.contentSeen = true
    return [...this.#start(), this.#chunk(delta)]
  }

  #finish(response: JsonObject): ReadonlyArray<JsonObject> {
    this.failure = failureOfEnd(response)
    if (this.failure !== undefined) return []
    // Some upstreams tell no items on the way.
    const untold = this.#itemsTold
      ? []
      : objectsOf(response.output).flatMap((item, index) => this.#endItem(index, item))
    this.finished = true
    this.usage = responsesUsage(response)
    this.usageIsNonsense = isNonsense(response.usage)
    const usage = chatUsageOf(
      responsesCounts(response.usage) ?? estimatedUsage(this.#context, seenOutput(this.#context, this.meter))
    )
    // What the stream begins with names the tier that was asked for, not the one that served it.
    const tier = tierOf(response)
    return [
      ...this.#start(),
      ...untold,
      { ...this.#chunk({}, finishReasonOf(response, this.#calls > 0)), ...tier, ...moderationOf(response) },
      ...(this.#context.includeUsage ? [{ ...chunkShell(this.#context), ...tier, choices: [], usage }] : [])
    ]
  }

  #chunk(delta: JsonObject, finishReason: Json = null): JsonObject {
    return completionChunk(this.#context, chunkChoice(delta, finishReason))
  }
}

/** A call as a stream begins it. */
const withoutInput = (call: JsonObject): JsonObject => {
  if (isJsonObject(call.custom)) return { ...call, custom: { ...call.custom, input: "" } }
  return { ...call, function: { ...(call.function as JsonObject), arguments: "" } }
}
