/** A Messages upstream's stream as a stream of chat completion chunks. */
import { calledPiece, toolCalled } from "../../chat/tool-calls.ts"
import { errorIn, mapStreamError } from "../../errors/upstream-errors.ts"
import { messagesEventType } from "../../messages/event-type.ts"
import { type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../../json/json.ts"
import { MeteredMessages } from "../../messages/MeteredMessages.ts"
import { shownCounts } from "../../messages/usage.ts"
import { type StreamFailure, brokenOff, unreadable } from "../../errors/stream-failure.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { type ConversionContext, seenOutput } from "../conversion.ts"
import { CustomInputReader } from "../CustomInputReader.ts"
import { GrowingText } from "../../stream/GrowingText.ts"
import { LastPlace, type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { argumentsOf, shownUsage, explanationOf, signedThought } from "./answer-parts.ts"
import { chunkChoice, chunkShell, completionChunk } from "./chunks.ts"
import { withFunctionCall } from "../../chat/older-functions.ts"
import { chatFinishReason } from "../stop-reasons.ts"
import { originalName } from "../tool-names.ts"
import { readOrigin } from "../tool-origin.ts"

/** A block that has begun. Blocks of the provider's own tools are remembered so that their pieces are left out. */
interface OpenBlock {
  readonly type: string
  /** Place among the tool calls; content blocks of other kinds do not count. */
  readonly tool: number
  readonly start: JsonObject
  readonly thought: GrowingText
  hasInput: boolean
  /** Of a custom tool's call, what tells its text. */
  input: CustomInputReader | undefined
  signature: string
}

export class MessagesStreamToChat extends MeteredMessages implements StreamStage {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  readonly #context: ConversionContext
  readonly #weighs: boolean
  readonly #open = new Map<number, OpenBlock>()
  readonly #place = new LastPlace()
  #started = false
  #blocksBegun = false
  #tools = 0
  #thoughts = 0
  #stopReason: Json | undefined
  #stopDetails: Json | undefined

  /** `weighs`: nobody else weighs the events. */
  constructor(context: ConversionContext, weighs: boolean) {
    super()
    this.#context = context
    this.#weighs = weighs
  }

  push(event: JsonObject): ReadonlyArray<JsonObject> {
    if (this.finished || this.failure !== undefined) return []
    switch (messagesEventType(event)) {
      case "message_start":
        return this.#start(event)
      case "content_block_start":
        return this.#startBlock(blockIndex(event), objectOf(event.content_block))
      case "content_block_delta":
        if (this.#weighs) this.blocks.add(event.delta)
        return this.#readDelta(this.#open.get(blockIndex(event)), objectOf(event.delta))
      case "content_block_stop":
        return this.#stopBlock(blockIndex(event))
      case "message_delta":
        this.#readEnd(objectOf(event.delta))
        this.tally.goOn(event.usage)
        return []
      case "message_stop":
        return this.#finish()
      case "error":
        this.failure = mapStreamError(errorIn(event))
        return []
      default:
        return []
    }
  }

  piece({ index, kind }: PiecePlace, json: string): PiecePlace | undefined {
    const block = this.#open.get(index)
    if (kind === "thinking" && block === undefined) return undefined
    const isCall = block !== undefined && block.tool >= 0
    // The input of a custom tool is not the client's as it stands.
    if (kind === "input" && (!isCall || block.input !== undefined || this.#context.givesFunctions))
      return undefined
    const plain = this.#weighs || kind === "thinking" ? plainOf(json) : ""
    if (this.#weighs) this.blocks.addPiece(kind, plain)
    if (kind === "thinking") block!.thought.add(plain)
    else if (kind === "input") block!.hasInput = true
    this.contentSeen = true
    return this.#place.at(kind, kind === "input" ? block!.tool : 0)
  }

  end(): ReadonlyArray<JsonObject> {
    if (!this.finished) this.failure ??= brokenOff
    return []
  }

  #start(event: JsonObject): ReadonlyArray<JsonObject> {
    const message = objectOf(event.message)
    if (this.#started) {
      // Two answers spliced into one: nothing that follows can be told apart. A start told twice mixes nothing yet.
      if (this.#blocksBegun) this.failure = unreadable
      else this.#readStart(message)
      return []
    }
    this.#started = true
    this.#readStart(message)
    // A turn that the provider's own tools go on with may begin with blocks that are whole, and be over with them.
    const content = objectsOf(message.content)
    const events = [this.#chunk({ role: "assistant", content: "" })]
    for (const [index, block] of content.entries()) {
      events.push(...this.#startBlock(index, block), ...this.#stopBlock(index))
    }
    return events
  }

  #startBlock(index: number, start: JsonObject): ReadonlyArray<JsonObject> {
    if (this.#weighs) this.blocks.start(start)
    this.#blocksBegun = true
    const type = stringOf(start.type)
    const tool = type === "tool_use" ? this.#tools++ : -1
    const block: OpenBlock = {
      type,
      tool,
      start,
      thought: new GrowingText(),
      hasInput: false,
      input: undefined,
      signature: stringOf(start.signature)
    }
    this.#open.set(index, block)
    if (type === "text") return this.#content({ content: stringOf(start.text) }, start.text)
    if (type === "thinking") return this.#think(block, stringOf(start.thinking))
    if (type !== "tool_use") return []
    const { isCustom, name } = readOrigin(originalName(this.#context.toolNames, stringOf(start.name)))
    if (isCustom) block.input = new CustomInputReader()
    const call = { index: tool, id: stringOf(start.id), ...toolCalled(isCustom, name, "") }
    return this.#content({ tool_calls: [call] }, name)
  }

  #readDelta(block: OpenBlock | undefined, delta: JsonObject): ReadonlyArray<JsonObject> {
    switch (delta.type) {
      case "text_delta":
        return this.#content({ content: stringOf(delta.text) }, delta.text)
      case "thinking_delta":
        return block === undefined ? [] : this.#think(block, stringOf(delta.thinking))
      case "signature_delta":
        if (block !== undefined) block.signature += stringOf(delta.signature)
        return []
      case "input_json_delta":
        return block === undefined || block.tool < 0
          ? []
          : this.#callArguments(block, stringOf(delta.partial_json))
      default:
        return []
    }
  }

  #stopBlock(index: number): ReadonlyArray<JsonObject> {
    const block = this.#open.get(index)
    this.#open.delete(index)
    if (block === undefined) return []
    // A call without arguments sends no piece of them, and one upstream or another sends them with the start.
    if (block.type === "tool_use") {
      const only = !block.hasInput ? this.#callArguments(block, argumentsOf(block.start.input)) : []
      return block.input === undefined
        ? only
        : [...only, ...this.#tellCall(block, plainOf(block.input.end()))]
    }
    if (block.type === "redacted_thinking") return this.#content(this.#thought(block.start))
    if (block.type !== "thinking" || block.signature === "") return []
    const { signature } = block
    const thinking = block.thought.whole()
    return [this.#chunk(this.#thought({ type: "thinking", thinking, signature }))]
  }

  /** OpenAI's SDK puts lists together by the numbers of their items, and fails where there are none. */
  #thought(block: JsonObject): JsonObject {
    return { thinking_blocks: [{ index: this.#thoughts++, ...signedThought(block, this.#context.family) }] }
  }

  #callArguments(block: OpenBlock, json: string): ReadonlyArray<JsonObject> {
    block.hasInput ||= json !== ""
    return this.#tellCall(block, block.input === undefined ? json : plainOf(block.input.push(json)))
  }

  #tellCall(block: OpenBlock, piece: string): ReadonlyArray<JsonObject> {
    const called = calledPiece(block.input !== undefined, piece)
    return this.#content({ tool_calls: [{ index: block.tool, ...called }] }, piece)
  }

  #think(block: OpenBlock, piece: string): ReadonlyArray<JsonObject> {
    block.thought.add(piece)
    return this.#content({ reasoning_content: piece }, piece)
  }

  /** A chunk with content, unless the piece is an empty one. */
  #content(delta: JsonObject, piece?: Json): ReadonlyArray<JsonObject> {
    if (piece === "") return []
    this.contentSeen = true
    return [this.#chunk(delta)]
  }

  #readStart(message: JsonObject): void {
    this.#readEnd(message)
    // What another stage begins with counts nothing yet.
    if (this.#weighs) this.tally.begin(message.usage)
  }

  #readEnd(delta: JsonObject): void {
    this.#stopReason = delta.stop_reason ?? this.#stopReason
    this.#stopDetails = delta.stop_details ?? this.#stopDetails
  }

  /** The finish waits for the very end: an answer that breaks off before it must not look complete. */
  #finish(): ReadonlyArray<JsonObject> {
    if (this.#stopReason === undefined) {
      this.failure = brokenOff
      return []
    }
    this.finished = true
    const closed = [...this.#open.keys()].flatMap((index) => this.#stopBlock(index))
    const explanation = explanationOf(this.#stopDetails)
    const reason = this.#stopReason === "end_turn" && this.#tools > 0 ? "tool_use" : this.#stopReason
    const counts = this.usageIsFinal
      ? this.tally.counts
      : shownCounts(this.tally.counts, seenOutput(this.#context, this.meter))
    const usage = shownUsage(counts, this.#context)
    return [
      ...closed,
      this.#chunk(explanation === null ? {} : { refusal: explanation }, chatFinishReason(reason)),
      ...(this.#context.includeUsage ? [{ ...chunkShell(this.#context), choices: [], usage }] : [])
    ]
  }

  #chunk(delta: JsonObject, finishReason: string | null = null): JsonObject {
    const choice = chunkChoice(delta, finishReason)
    return completionChunk(this.#context, this.#context.givesFunctions ? withFunctionCall(choice) : choice)
  }
}

const blockIndex = (event: JsonObject): number => (typeof event.index === "number" ? event.index : -1)
