/** A chat upstream's stream as the stream of a Messages answer. */
import type { Usage } from "../../../domain/usage.ts"
import { argumentsText, type ChatContent, readChatContent, thinkingBlocksOf } from "../../chat/content.ts"
import { billedUsage, chatCounts, isFinalUsage, replacesUsage, sentUsage } from "../../chat/usage.ts"
import { errorIn, mapStreamError } from "../../errors/upstream-errors.ts"
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  objectsOf,
  stringOf
} from "../../json/json.ts"
import { isNonsense } from "../../meter/nonsense-usage.ts"
import { OutputMeter } from "../../meter/output-meter.ts"
import { type StreamFailure, brokenOff } from "../../errors/stream-failure.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { isBrokenFinish } from "../../chat/broken-finish.ts"
import { firstChoice, matchedStop, messageShell, messagesUsageOf, stopDetails } from "./answer-parts.ts"
import { ContentBlocks } from "./ContentBlocks.ts"
import type { ContentBlock } from "./ContentBlock.ts"
import { responsesCitations } from "../citations.ts"
import { type ConversionContext, estimatedUsage, seenOutput } from "../conversion.ts"
import { streamDone } from "../../stream/event-reader.ts"
import { messagesStopReason } from "../stop-reasons.ts"
import { receivedSignature } from "../thought-signature.ts"
import { originalName, receivedToolId } from "../tool-names.ts"

export class ChatStreamToMessages implements StreamStage {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  usage: Usage | undefined
  usageIsNonsense = false
  readonly meter = new OutputMeter()
  readonly #context: ConversionContext
  readonly #blocks: ContentBlocks
  readonly #tools = new Map<number, ContentBlock>()
  /** Calls that came without an index, in the order they came in. */
  readonly #unnumbered: Array<ContentBlock> = []
  /** The same by id, the first of each. */
  readonly #named = new Map<string, ContentBlock>()
  #lastTool: ContentBlock | undefined
  #toolCount = 0
  #started = false
  #finishReason: string | undefined
  #stopSequence: string | null = null
  #refusal = ""
  /** As the upstream sent it, with the details that `usage` leaves out. */
  #usageSent: Json | undefined
  #eventsCounted = 0

  constructor(context: ConversionContext) {
    this.#context = context
    this.#blocks = new ContentBlocks(context)
  }

  get isWhole(): boolean {
    return this.#finishReason !== undefined
  }

  push(chunk: JsonObject): ReadonlyArray<JsonObject> {
    if (this.finished || this.failure !== undefined) return []
    if (chunk === streamDone) return this.end()
    const error = errorIn(chunk)
    if (error !== undefined) {
      this.failure = mapStreamError(error)
      return []
    }
    const choices = listOf(chunk.choices)
    const choice = firstChoice(choices)
    const events = choice === undefined ? [] : this.#readChoice(choice)
    this.#readUsage(chunk)
    return events
  }

  piece({ index, kind }: PiecePlace, json: string): PiecePlace | undefined {
    const known = kind === "input" ? this.#tools.get(index) : undefined
    const block = this.#blocks.streaming(kind)
    if (block === undefined || (kind === "input" && block !== known)) return undefined
    const plain = plainOf(json)
    // The whole once more, perhaps.
    if (known?.holds(plain) === true) return undefined
    if (known !== undefined) this.#lastTool = known
    this.meter.addText(plain)
    return this.#blocks.passed(block, plain)
  }

  get usageIsFinal(): boolean {
    return isFinalUsage(this.usage, this.meter.events === this.#eventsCounted, this.isWhole)
  }

  /** `[DONE]`, or the end of the bytes, which some upstreams make do with. Usage may come after the finish, until here. */
  end(): ReadonlyArray<JsonObject> {
    if (this.finished || this.failure !== undefined) return []
    if (this.#finishReason === undefined) {
      this.failure = brokenOff
      return []
    }
    const events: Array<JsonObject> = []
    this.#blocks.take(events, true)
    const tools = this.#blocks.toolsGiven > 0
    const held = { tools, refusal: this.#refusal !== "", stopSequence: this.#stopSequence !== null }
    const reason = messagesStopReason(this.#finishReason, held)
    events.push({
      type: "message_delta",
      delta: {
        stop_reason: reason,
        stop_sequence: this.#stopSequence,
        ...stopDetails(reason, this.#refusal)
      },
      usage: this.#usageShown()
    })
    events.push({ type: "message_stop" })
    this.contentSeen ||= events.length > 2
    this.finished = true
    return events
  }

  /** A count that came before the end of the output is of no more than a part of it. */
  #usageShown(): JsonObject {
    const seen = seenOutput(this.#context, this.meter)
    const shown = messagesUsageOf(chatCounts(this.#usageSent) ?? estimatedUsage(this.#context, seen))
    if (this.usage === undefined || this.usageIsFinal) return shown
    return {
      ...shown,
      ...(this.usage.inputTokens === 0 && { input_tokens: this.#context.inputEstimate }),
      output_tokens: Math.max(this.usage.outputTokens, seen)
    }
  }

  #readUsage(chunk: JsonObject): void {
    const sent = sentUsage(chunk)
    if (sent === undefined) return
    const usage = billedUsage(sent)
    if (usage === undefined) this.usageIsNonsense ||= isNonsense(sent)
    if (usage === undefined || !replacesUsage(usage, this.usage)) return
    this.usage = usage
    this.usageIsNonsense = false
    this.#usageSent = sent
    this.#eventsCounted = this.meter.events
  }

  #readChoice(choice: JsonObject): ReadonlyArray<JsonObject> {
    const events: Array<JsonObject> = []
    if (!this.#started) {
      this.#started = true
      events.push({ type: "message_start", message: messageShell(this.#context) })
    }
    const before = events.length
    const delta = this.#deltaOf(choice)
    const content = readChatContent(delta)
    this.#readThinking(delta, content)
    if (content.text !== "") this.#append(this.#blocks.text(), content.text)
    if (delta.annotations !== undefined && this.#context.keepsCitations)
      this.#blocks.cite(responsesCitations(delta.annotations))
    if (content.refusal !== "") {
      this.#refusal += content.refusal
      this.#append(this.#blocks.text("refusal"), content.refusal)
    }
    this.#readTools(delta)
    if (this.failure === undefined) this.#blocks.take(events)
    this.contentSeen ||= events.length > before
    if (isBrokenFinish(choice.finish_reason)) this.failure = brokenOff
    else if (typeof choice.finish_reason === "string" && choice.finish_reason !== "") {
      this.#finishReason = choice.finish_reason
      this.#stopSequence = matchedStop(choice)
    }
    return events
  }

  /** MiniMax ends with the whole message, be it told in pieces already: https://github.com/GCWing/OpenBitFun/pull/792 */
  #deltaOf({ delta, message }: JsonObject): JsonObject {
    if (isJsonObject(delta)) return delta
    return this.meter.events > 0 ? {} : objectOf(message)
  }

  /** A signature ends its thought: what comes behind it belongs to another, which is signed apart. */
  #readThinking(delta: JsonObject, { signature, thinking }: ChatContent): void {
    if (thinking !== "" || signature !== "") {
      const block = this.#blocks.thinking(signature)
      // Gateways, this one among them, give a whole block directly behind its pieces: then the signature alone is new.
      const isRepeated = signature !== "" && block.signature === undefined && block.holds(thinking)
      if (thinking !== "" && !isRepeated) this.#append(block, thinking)
      if (signature !== "") block.signature = signature
    }
    for (const { data, type } of thinkingBlocksOf(delta)) {
      if (type !== "redacted_thinking" || typeof data !== "string") continue
      this.meter.opaqueCharacters += data.length
      this.#blocks.addRedacted(data)
    }
  }

  /** The calls of one chunk are taken in the upstream's order, whatever order they stand in. */
  #readTools(delta: JsonObject): void {
    const calls = objectsOf(delta.tool_calls)
    const indexOf = (call: JsonObject) => (typeof call.index === "number" ? call.index : 0)
    const several = calls.length > 1
    const ordered = several ? calls.toSorted((one, other) => indexOf(one) - indexOf(other)) : calls
    for (const [place, call] of ordered.entries()) this.#readTool(call, several ? place : undefined)
    if (isJsonObject(delta.function_call))
      this.#readTool({ index: 0, id: "", function: delta.function_call }, undefined, true)
  }

  /** `place` is that among several calls of one chunk. */
  #readTool(call: JsonObject, place: number | undefined, legacy = false): void {
    const called = objectOf(call.function)
    const id = receivedToolId(stringOf(call.id))
    const name = stringOf(called.name)
    const piece = argumentsText(called.arguments)
    const known = this.#knownTool(call, id, place)
    // A call that says nothing would hold up the text behind it until the end.
    if (known === undefined && id === "" && name === "" && piece === "") return
    const block = this.#toolOf(known, call, id, name, piece)
    block.id ||= id || (legacy ? block.fallbackId : "")
    if (typeof call.index !== "number" && id !== "" && !this.#named.has(id)) this.#named.set(id, block)
    if (block.name === "") this.meter.addToolCall(name)
    block.name ||= originalName(this.#context.toolNames, name)
    block.signature ??= receivedSignature(call)
    // Some upstreams tell the whole again behind its pieces: https://github.com/anomalyco/opencode/pull/17339
    if (piece === "" || (block.holds(piece) && block.isWhole)) return
    // White space behind a whole object adds nothing to it.
    if (block.closed && piece.trim() === "") return
    // A piece for a call that was taken for complete: the answer can not be told any more.
    if (block.closed) this.failure = brokenOff
    else this.#append(block, piece)
  }

  /** By index; without one by id, else by its place among several, else the one that came last. */
  #knownTool(call: JsonObject, id: string, place: number | undefined): ContentBlock | undefined {
    if (typeof call.index === "number") return this.#tools.get(call.index)
    const named = id === "" ? undefined : this.#named.get(id)
    return named ?? (place === undefined ? this.#lastTool : this.#unnumbered[place])
  }

  /** An upstream may give several calls the same index or none. */
  #toolOf(known: ContentBlock | undefined, call: JsonObject, id: string, name: string, piece: string) {
    const index = typeof call.index === "number" ? call.index : undefined
    const isNew = known === undefined || (name !== "" && this.#isAnother(known, id, name, piece))
    const block = isNew ? this.#addTool(index) : known
    this.#lastTool = block
    return block
  }

  /** A new id begins a new call. Where there are no ids, another name does, or arguments behind whole ones. */
  #isAnother(known: ContentBlock, id: string, name: string, piece: string): boolean {
    if (id !== "" || known.id !== "") return id !== "" && known.id !== "" && known.id !== id
    if (known.name === "") return false
    return known.name !== originalName(this.#context.toolNames, name) || (piece !== "" && known.isWhole)
  }

  #addTool(index: number | undefined): ContentBlock {
    const block = this.#blocks.addTool(index ?? this.#toolCount)
    block.fallbackId = `toolu_${this.#context.callId}_${this.#toolCount++}`
    if (index === undefined) this.#unnumbered.push(block)
    else this.#tools.set(index, block)
    return block
  }

  #append(block: ContentBlock, piece: string): void {
    this.meter.addText(piece)
    block.append(piece)
  }
}
