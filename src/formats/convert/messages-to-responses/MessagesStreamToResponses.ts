/** The events of a Messages stream as the stream of a response, written as they come. */
import { errorIn, mapStreamError } from "../../errors/upstream-errors.ts"
import { type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../../json/json.ts"
import { messagesEventType } from "../../messages/event-type.ts"
import { MeteredMessages } from "../../messages/MeteredMessages.ts"
import { shownCounts, usageInParts } from "../../messages/usage.ts"
import { readOrigin } from "../tool-origin.ts"
import { namedFrame } from "../../stream/sse.ts"
import type { CodedFailure } from "../../stream/stream-codec.ts"
import type { StreamEnd } from "../../stream/StreamEnd.ts"
import { type ConversionContext, seenOutput } from "../conversion.ts"
import { brokenOff, unreadable, type StreamFailure } from "../../errors/stream-failure.ts"
import { argumentsOf, explanationOf } from "../messages-to-chat/answer-parts.ts"
import { isMark, markReasoning } from "../reasoning-marks.ts"
import { escaped, type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { originalName } from "../tool-names.ts"
import { incompleteReason } from "../stop-reasons.ts"
import { OutputItems } from "./OutputItems.ts"
import { responseText, suffixOf, usageText } from "./ResponseShell.ts"

/** All that a response says stands in its last event, too, so it is kept until then; no model writes more than this. */
const lengthMax = 64 * 1024 * 1024

/** A block that has begun. Those of the provider's own tools are remembered so that their pieces are left out. */
interface OpenBlock {
  readonly type: string
  readonly start: JsonObject
  hasInput: boolean
  signature: string
}

export const secondsNow = (): number => Math.floor(Date.now() / 1000)

export class MessagesStreamToResponses extends MeteredMessages implements StreamEnd {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  /** The last event of a finished stream. */
  tail = ""
  readonly #context: ConversionContext
  readonly #clock: () => number
  readonly #weighs: boolean
  readonly #open = new Map<number, OpenBlock>()
  readonly #items: OutputItems
  #begun = false
  #started = false
  #blocksBegun = false
  #stopReason: Json | undefined
  #stopDetails: Json | undefined

  /** `clock` tells seconds since 1970; `weighs` that nobody else weighs what comes. */
  constructor(context: ConversionContext, clock: () => number, weighs = false) {
    super()
    this.#context = context
    this.#clock = clock
    this.#weighs = weighs
    this.#items = new OutputItems(suffixOf(context))
  }

  get progress(): this {
    return this
  }

  /** The number of the next event; the tail is none yet. */
  get nextSequenceNumber(): number {
    return this.#items.sequence - (this.finished ? 1 : 0)
  }

  /** The stream's first events, which say nothing of the answer yet. */
  begin(): string {
    if (this.#begun) return ""
    this.#begun = true
    const response = `"response":${responseText(this.#context, { status: "in_progress", items: [] })}`
    return (
      this.#items.frame("response.created", response) + this.#items.frame("response.in_progress", response)
    )
  }

  push(event: JsonObject): string {
    if (this.finished || this.failure !== undefined) return ""
    switch (messagesEventType(event)) {
      case "message_start":
        return this.#start(objectOf(event.message))
      case "content_block_start":
        return this.begin() + this.#startBlock(indexOf(event), objectOf(event.content_block))
      case "content_block_delta":
        return this.#readDelta(indexOf(event), objectOf(event.delta))
      case "content_block_stop":
        return this.#stopBlock(indexOf(event))
      case "message_delta":
        this.#readEnd(objectOf(event.delta))
        this.tally.goOn(event.usage)
        return ""
      case "message_stop":
        return this.#finish()
      case "error":
        this.failure = mapStreamError(errorIn(event))
        return ""
      default:
        return ""
    }
  }

  piece({ index, kind }: PiecePlace, json: string): string | undefined {
    const block = this.#open.get(index)
    // The input of a custom tool is not the client's as it stands.
    if (kind === "input" && (block?.type !== "tool_use" || !this.#items.inFunctionCall)) return undefined
    if (kind === "text" && block?.type === "refusal") return undefined
    if (this.#weighs) this.blocks.addPiece(kind, plainOf(json))
    if (kind === "text") return this.#content(this.#items.text(json))
    if (kind === "thinking") return this.#content(this.#items.think(json))
    block!.hasInput = true
    return this.#content(this.#items.argumentsPiece(json))
  }

  /** The last event of a stream that broke off, with what had come of it, unless some of that was not passed on. */
  failed(error: CodedFailure, lostEvents: number): string {
    const begun = this.begin()
    const items = lostEvents === 0 ? this.#items.done : []
    const response = responseText(this.#context, { status: "failed", items, error })
    this.#items.sequence = this.nextSequenceNumber - lostEvents
    return begun + this.#items.frame("response.failed", `"response":${response}`)
  }

  #start(message: JsonObject): string {
    if (this.#started) {
      // Two answers spliced into one: nothing that follows can be told apart. A start told twice mixes nothing yet.
      if (this.#blocksBegun) this.failure = unreadable
      else this.#readStart(message)
      return ""
    }
    this.#started = true
    this.#readStart(message)
    let text = this.begin()
    for (const [index, block] of objectsOf(message.content).entries())
      text += this.#startBlock(index, block) + this.#stopBlock(index)
    return text
  }

  #startBlock(index: number, start: JsonObject): string {
    if (this.#weighs) this.blocks.start(start)
    this.#blocksBegun = true
    const type = stringOf(start.type)
    this.#open.set(index, { type, start, hasInput: false, signature: stringOf(start.signature) })
    switch (type) {
      case "text":
        return this.#content(this.#items.text(escaped(stringOf(start.text)))) + this.#cite(start.citations)
      case "refusal":
        return this.#content(this.#items.refusal(escaped(stringOf(start.refusal))))
      case "thinking":
        return this.#content(this.#items.think(escaped(stringOf(start.thinking))))
      case "tool_use": {
        const origin = readOrigin(originalName(this.#context.toolNames, stringOf(start.name)))
        return this.#content(this.#items.beginCall(origin, stringOf(start.id)))
      }
      default:
        return ""
    }
  }

  #readDelta(index: number, delta: JsonObject): string {
    if (this.#weighs) this.blocks.add(delta)
    const block = this.#open.get(index)
    switch (delta.type) {
      case "text_delta":
        return block?.type === "refusal"
          ? this.#content(this.#items.refusal(escaped(stringOf(delta.text))))
          : this.#content(this.#items.text(escaped(stringOf(delta.text))))
      case "thinking_delta":
        return this.#content(this.#items.think(escaped(stringOf(delta.thinking))))
      case "citations_delta":
        return this.#cite([delta.citation ?? null])
      case "signature_delta":
        if (block !== undefined) block.signature += stringOf(delta.signature)
        return ""
      case "input_json_delta":
        if (block?.type !== "tool_use" || delta.partial_json === "") return ""
        block.hasInput = true
        return this.#content(this.#items.callPiece(stringOf(delta.partial_json)))
      default:
        return ""
    }
  }

  #stopBlock(index: number): string {
    const block = this.#open.get(index)
    this.#open.delete(index)
    if (block === undefined) return ""
    const { family } = this.#context
    // One upstream or another sends what a tool is called with along with its name.
    if (block.type === "tool_use" && !block.hasInput) {
      const { arguments: written, input } = block.start
      return this.#content(this.#items.callPiece(stringOf(written) || argumentsOf(input)))
    }
    if (block.type === "thinking")
      return this.#content(this.#items.endThought(marked(block.signature, family, "thought")))
    if (block.type === "redacted_thinking")
      return this.#content(this.#items.endThought(marked(stringOf(block.start.data), family, "redacted")))
    return ""
  }

  /** Those by address, which no Messages provider has of its own. */
  #cite(citations: Json | undefined): string {
    let text = ""
    for (const citation of objectsOf(citations))
      if (citation.type === "url_citation") text += this.#items.cite(JSON.stringify(citation))
    return this.#content(text)
  }

  #content(text: string): string {
    if (text !== "") this.contentSeen = true
    if (this.#items.length > lengthMax) this.failure = unreadable
    return text
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

  #finish(): string {
    if (this.#stopReason === undefined) {
      this.failure = brokenOff
      return ""
    }
    let text = this.begin()
    for (const index of this.#open.keys()) text += this.#stopBlock(index)
    const explanation = this.#items.refused ? null : explanationOf(this.#stopDetails)
    const incomplete = incompleteReason(this.#stopReason, this.#items.refused)
    if (explanation !== null) text += this.#items.refusal(escaped(explanation))
    text += this.#items.close(incomplete === undefined ? "completed" : "incomplete")
    const outputTokens = seenOutput(this.#context, this.meter)
    const isTold = this.usageIsFinal || this.#context.outputEstimate !== undefined
    const counts = isTold ? this.tally.counts : shownCounts(this.tally.counts, outputTokens)
    const estimate = { inputTokens: this.#context.inputEstimate, outputTokens }
    const response = responseText(this.#context, {
      status: incomplete === undefined ? "completed" : "incomplete",
      items: this.#items.done,
      ...(incomplete === undefined ? { completedAt: this.#clock() } : { incomplete }),
      usage: usageText(usageInParts(counts, estimate))
    })
    this.finished = true
    this.tail = this.#items.frame(
      `response.${incomplete === undefined ? "completed" : "incomplete"}`,
      `"response":${response}`
    )
    return text
  }

  /** What keeps a stream alive: it has no number of its own. */
  get keepAlive(): string | undefined {
    return this.#begun
      ? namedFrame("keepalive", `{"type":"keepalive","sequence_number":${this.nextSequenceNumber - 1}}`)
      : undefined
  }
}

const marked = (signature: string, family: string, kind: "thought" | "redacted"): string =>
  isMark(signature) ? signature : markReasoning(family, kind, signature)

const indexOf = (event: JsonObject): number => (typeof event.index === "number" ? event.index : -1)
