/**
 * A ConverseStream as a Messages stream. Converse announces tool calls only, never text or reasoning: their blocks begin
 * with their first delta that holds something. Usage comes after the stop reason, so the closing events wait for it.
 */
import type { Usage } from "../../../domain/usage.ts"
import { usageOfConverse } from "../../bedrock/usage.ts"
import { isJsonObject, type Json, type JsonObject, listOf, objectOf, stringOf } from "../../json/json.ts"
import { toolUse } from "../../messages/blocks.ts"
import { billedCounts, mergeCounts, noCounts } from "../../messages/usage.ts"
import { isNonsense } from "../../meter/nonsense-usage.ts"
import { OutputMeter } from "../../meter/output-meter.ts"
import { type StreamFailure, brokenOff, unreadable } from "../../errors/stream-failure.ts"
import type { StreamStage } from "../../stream/StreamStage.ts"
import { LastPlace, type PieceKind, type PiecePlace, plainOf } from "../../stream/pieces.ts"
import { isBlankText, isVoidInput } from "../blank-text.ts"
import { messageShell, messagesUsageOf } from "../chat-to-messages/answer-parts.ts"
import { type ConversionContext, estimatedUsage, seenOutput } from "../conversion.ts"
import {
  calledName,
  citationOf,
  endOf,
  isServerToolUse,
  redactedDataOf,
  stopReasonOfConverse
} from "./answer-parts.ts"
import type { MessagesStopReason } from "../stop-reasons.ts"
import { redactedFor, signatureFor } from "../reasoning-marks.ts"
import { originalName } from "../tool-names.ts"

interface OpenBlock {
  /** Its number on the wire; ours leave no gaps. */
  readonly source: number
  readonly type: "text" | "thinking" | "tool_use" | "redacted_thinking"
  signature: string
  /** What the tool is called with, as long as that may be nothing. */
  unsaid: string | undefined
}

export class ConverseStreamToMessages implements StreamStage {
  contentSeen = false
  finished = false
  failure: StreamFailure | undefined
  usage: Usage | undefined
  usageIsNonsense = false
  readonly meter = new OutputMeter()
  readonly #context: ConversionContext
  #begun = false
  #open: OpenBlock | undefined
  readonly #place = new LastPlace()
  #blocks = 0
  #heldTools = false
  /** The number of the last call that is left out, with its pieces: of the provider's own tools, or where one is enough. */
  #leftOut: Json | undefined
  /** The open block has shown some of its thoughts: its signature then stands for nothing else. */
  #thoughtsShown = false
  #redacted: Array<Buffer> = []
  /** White space that a text may yet go on from. */
  #blank = ""
  /** Citations of a text that has not begun. */
  #cited: Array<JsonObject> = []
  #stopReason: MessagesStopReason | undefined
  #counts: JsonObject | undefined
  #out: Array<JsonObject> = []

  constructor(context: ConversionContext) {
    this.#context = context
  }

  get isWhole(): boolean {
    return this.#stopReason !== undefined
  }

  push(event: JsonObject): ReadonlyArray<JsonObject> {
    if (this.failure !== undefined || this.finished) return []
    this.#begin()
    const { contentBlockStart, contentBlockDelta, contentBlockStop, messageStop, metadata } = event
    if (isJsonObject(contentBlockStart)) this.#startBlock(contentBlockStart)
    else if (isJsonObject(contentBlockDelta)) this.#delta(contentBlockDelta)
    else if (isJsonObject(contentBlockStop)) this.#stopBlock(contentBlockStop.contentBlockIndex)
    else if (isJsonObject(messageStop)) this.#stopMessage(messageStop.stopReason)
    else if (isJsonObject(metadata)) this.#takeMetadata(metadata)
    return this.#taken()
  }

  piece({ index, kind }: PiecePlace, json: string): PiecePlace | undefined {
    if (this.#open?.source !== index || this.#open.type !== blockTypes[kind] || index === this.#leftOut)
      return undefined
    const plain = plainOf(json)
    if (kind === "input" && this.#open.unsaid !== undefined) {
      if (this.#open.unsaid !== "" || isVoidInput(plain)) return undefined
      this.#open.unsaid = undefined
    }
    this.#thoughtsShown ||= kind === "thinking"
    this.contentSeen = true
    this.meter.addText(plain)
    return this.#place.at(kind, this.#blocks)
  }

  end(): ReadonlyArray<JsonObject> {
    if (this.failure !== undefined || this.finished) return []
    // An answer that ended without its metadata is whole all the same; it is only not counted.
    if (this.#stopReason === undefined) this.failure = brokenOff
    else this.#finish()
    return this.#taken()
  }

  #taken(): ReadonlyArray<JsonObject> {
    const out = this.#out
    this.#out = []
    return out
  }

  #begin(): void {
    if (this.#begun) return
    this.#begun = true
    this.#out.push({ type: "message_start", message: messageShell(this.#context) })
  }

  #startBlock(event: JsonObject): void {
    const start = objectOf(event.start)
    if (!isJsonObject(start.toolUse)) return
    const { toolUseId, name } = start.toolUse
    if (typeof toolUseId !== "string" || typeof name !== "string" || this.#stopReason !== undefined) {
      this.failure = unreadable
      return
    }
    this.meter.addToolCall(name)
    if (isServerToolUse(start.toolUse) || (this.#heldTools && this.#context.oneCall)) {
      this.#closeBlock()
      this.#leftOut = event.contentBlockIndex
      return
    }
    const block = toolUse(toolUseId, originalName(this.#context.toolNames, calledName(name)), {})
    if (!this.#openBlock(event.contentBlockIndex, "tool_use", block)) return
    this.#heldTools = true
    this.contentSeen = true
  }

  #delta(event: JsonObject): void {
    const source = event.contentBlockIndex
    const delta = objectOf(event.delta)
    const { text, toolUse, reasoningContent, citation } = delta
    if (typeof text === "string") this.#addText(source, text)
    else if (isJsonObject(toolUse)) this.#addInput(source, toolUse.input)
    else if (isJsonObject(reasoningContent)) this.#addReasoning(source, reasoningContent)
    else if (isJsonObject(citation)) this.#addCitation(source, citation)
  }

  #addText(source: Json | undefined, piece: string): void {
    const isOpen = this.#isOpen(source, "text")
    const text = isOpen ? piece : this.#blank + piece
    if (!isOpen && isBlankText(text)) this.#blank = text
    else if (text !== "" && this.#openBlock(source, "text", { type: "text", text: "" })) {
      this.#emitDelta({ type: "text_delta", text }, text)
      for (const citation of this.#cited.splice(0)) this.#emitDelta({ type: "citations_delta", citation }, "")
    }
  }

  #addCitation(source: Json | undefined, citation: JsonObject): void {
    const converted = citationOf(citation)
    if (converted === undefined) return
    if (this.#isOpen(source, "text")) this.#emitDelta({ type: "citations_delta", citation: converted }, "")
    else this.#cited.push(converted)
    // The model writes out what it cites.
    for (const part of listOf(citation.sourceContent)) {
      if (isJsonObject(part) && typeof part.text === "string") this.meter.addText(part.text)
    }
  }

  #addInput(source: Json | undefined, input: Json | undefined): void {
    if (typeof input !== "string" || input === "") return
    if (source !== undefined && source === this.#leftOut) this.meter.addText(input)
    else if (this.#open?.type !== "tool_use" || this.#open.source !== source) this.failure = unreadable
    else this.#callWith(this.#open, input)
  }

  #callWith(open: OpenBlock, input: string): void {
    this.meter.addText(input)
    const partial_json = (open.unsaid ?? "") + input
    if (open.unsaid !== undefined && isVoidInput(partial_json)) open.unsaid = partial_json
    else {
      open.unsaid = undefined
      this.#emitDelta({ type: "input_json_delta", partial_json }, "")
    }
  }

  #addReasoning(source: Json | undefined, reasoning: JsonObject): void {
    const { text, signature, redactedContent } = reasoning
    if (typeof redactedContent === "string") {
      if (!this.#openBlock(source, "redacted_thinking", undefined)) return
      this.meter.opaqueCharacters += redactedContent.length
      this.#redacted.push(Buffer.from(redactedContent, "base64"))
      this.contentSeen = true
      return
    }
    const thinking = stringOf(text)
    const signed = stringOf(signature)
    if (thinking === "" && signed === "") return
    if (!this.#openBlock(source, "thinking", { type: "thinking", thinking: "", signature: "" })) return
    this.#thoughtsShown ||= thinking !== ""
    if (thinking !== "") this.#emitDelta({ type: "thinking_delta", thinking }, thinking)
    if (signed === "") return
    if (!this.#thoughtsShown) this.meter.opaqueCharacters += signed.length
    if (this.#open !== undefined) this.#open.signature += signed
  }

  /** Makes the block of this number and type the open one; false when the stream makes no sense. */
  #openBlock(source: Json | undefined, type: OpenBlock["type"], block: JsonObject | undefined): boolean {
    if (this.#isOpen(source, type)) return true
    this.#closeBlock()
    this.#blank = ""
    if (this.#stopReason !== undefined) {
      this.failure = unreadable
      return false
    }
    this.#thoughtsShown = false
    this.#open = { source: numberOf(source), type, signature: "", unsaid: "" }
    if (block !== undefined)
      this.#out.push({ type: "content_block_start", index: this.#blocks, content_block: block })
    return true
  }

  #isOpen(source: Json | undefined, type: OpenBlock["type"]): boolean {
    return this.#open?.source === numberOf(source) && this.#open.type === type
  }

  #emitDelta(delta: JsonObject, counted: string): void {
    this.#out.push({ type: "content_block_delta", index: this.#blocks, delta })
    if (counted === "") return
    this.contentSeen = true
    this.meter.addText(counted)
  }

  #stopBlock(source: Json | undefined): void {
    this.#blank = ""
    this.#cited = []
    if (this.#open?.source === source) this.#closeBlock()
  }

  #closeBlock(): void {
    if (this.#open === undefined) return
    if (this.#open.type === "thinking") {
      const signature = signatureFor(this.#context.family, this.#open.signature)
      this.#emitDelta({ type: "signature_delta", signature }, "")
    }
    if (this.#open.type === "redacted_thinking") {
      const redacted = redactedDataOf(Buffer.concat(this.#redacted).toString("base64"))
      const data = redactedFor(this.#context.family, redacted)
      this.#redacted = []
      const block = { type: "redacted_thinking", data }
      this.#out.push({ type: "content_block_start", index: this.#blocks, content_block: block })
    }
    this.#out.push({ type: "content_block_stop", index: this.#blocks })
    this.#blocks++
    this.#open = undefined
  }

  #stopMessage(reason: Json | undefined): void {
    this.#closeBlock()
    this.#stopReason = stopReasonOfConverse(reason, this.#heldTools)
    if (this.#stopReason === undefined) this.failure = unreadable
    else if (this.#stopReason === "refusal") this.contentSeen = true
    if (this.#counts !== undefined && this.failure === undefined) this.#finish()
  }

  /** Metadata may come in several events, of which some tell no usage: https://github.com/anomalyco/opencode/pull/38712 */
  #takeMetadata(metadata: JsonObject): void {
    const counts = usageOfConverse(metadata.usage)
    this.usageIsNonsense ||= isNonsense(metadata.usage)
    if (counts === undefined) return
    this.#counts = counts
    this.usage = billedCounts(mergeCounts(noCounts, counts))
    if (this.#stopReason !== undefined) this.#finish()
  }

  #finish(): void {
    this.finished = true
    this.#out.push(
      {
        type: "message_delta",
        delta: endOf(this.#stopReason, this.#context),
        usage:
          this.#counts ??
          messagesUsageOf(estimatedUsage(this.#context, seenOutput(this.#context, this.meter)))
      },
      { type: "message_stop" }
    )
  }
}

const numberOf = (source: Json | undefined): number => (typeof source === "number" ? source : 0)

const blockTypes = {
  text: "text",
  thinking: "thinking",
  input: "tool_use"
} as const satisfies Record<PieceKind, OpenBlock["type"]>
