/**
 * The content blocks of a Messages stream. They come one after the other, while a chat upstream may send pieces of
 * several in any order: the first unfinished block streams, the others wait in line behind it.
 */
import type { JsonObject } from "../../json/json.ts"
import { toolUse } from "../../messages/blocks.ts"
import { LastPlace, type PieceKind, type PiecePlace } from "../../stream/pieces.ts"
import type { ConversionContext } from "../conversion.ts"
import { markReasoning } from "../reasoning-marks.ts"
import { uniqueCallIds, type UniqueNames } from "../UniqueNames.ts"
import { ContentBlock } from "./ContentBlock.ts"

type Asked = Pick<ConversionContext, "family" | "tellsRefusals" | "keepsArguments">

export class ContentBlocks {
  toolsGiven = 0
  readonly #family: string
  readonly #tellsRefusals: boolean
  readonly #keepsArguments: boolean
  readonly #place = new LastPlace()
  readonly #ids = uniqueCallIds()
  #index = 0
  #line: Array<ContentBlock> = []
  /** Calls since what came last that is none. */
  #toolsAtEnd = 0

  /** `family` is whose thoughts these are; `tellsRefusals`, that they are told as such, and not as texts of their own. */
  constructor({ family, keepsArguments, tellsRefusals }: Asked) {
    this.#family = family
    this.#keepsArguments = keepsArguments
    this.#tellsRefusals = tellsRefusals
  }

  /** The last block in line, if it is text; else a new one. */
  text(kind: "text" | "refusal" = "text"): ContentBlock {
    const last = this.#line.at(-1)
    return last?.kind === kind ? last : this.#add(kind)
  }

  /** The last block in line, if it is thinking that a piece with this signature belongs to; else a new one. */
  thinking(signature: string): ContentBlock {
    const last = this.#line.at(-1)
    const goesOn = last?.kind === "thinking" && (last.signature ?? signature) === signature
    return goesOn ? last : this.#add("thinking")
  }

  /** What the text that came last cites; of a text that is over, nothing can be told any more. */
  cite(citations: ReadonlyArray<JsonObject>): void {
    const last = this.#line.at(-1)
    if (last?.kind === "text") for (const citation of citations) last.citations.push(citation)
  }

  addRedacted(data: string): void {
    this.#add("redacted").data = markReasoning(this.#family, "redacted", data)
  }

  /** A new tool call, before waiting ones that come after it in the upstream's order. */
  addTool(order: number): ContentBlock {
    const block = new ContentBlock("tool", order)
    this.#line.splice(this.#placeOf(order), 0, block)
    this.#toolsAtEnd++
    return block
  }

  /** What can be given now. With `last`, everything: no more will come, and a tool call that never got a name is dropped. */
  take(events: Array<JsonObject>, last = false): void {
    if (last) this.#line = this.#line.filter((block) => block.kind !== "tool" || block.name !== "")
    for (let head = this.#line[0]; head !== undefined; head = this.#line[0]) {
      if (!head.opened) {
        if (!last && head.kind === "tool" && (head.id === "" || head.name === "")) return
        if (head.isBlank) {
          if (!last && this.#line.length === 1) return
          this.#line.shift()
          continue
        }
        this.#open(head, events)
      }
      if (!this.#isVoid(head)) {
        if (head.pending !== "") events.push(this.#delta(deltaOf(head)))
        head.pending = ""
      }
      if (head.citations.length > 0) this.#giveCitations(head, events)
      const next = this.#line[1]
      if (!last && (next === undefined || !head.isComplete(next))) return
      this.#close(head, events)
    }
  }

  /** The block that pieces of this kind are given of as they come, if that is the last one and unsigned. */
  streaming(kind: PieceKind): ContentBlock | undefined {
    const [head] = this.#line
    const isNext =
      head?.kind === blockKinds[kind] && head.opened && this.#line.length === 1 && !this.#isVoid(head)
    return isNext && (kind !== "thinking" || (head.signature ?? "") === "") ? head : undefined
  }

  /** Gives a piece of it by the way. */
  passed(block: ContentBlock, piece: string): PiecePlace {
    block.pass(piece)
    return this.#place.at(block.kind === "tool" ? "input" : (block.kind as "text" | "thinking"), this.#index)
  }

  #isVoid(block: ContentBlock): boolean {
    return !this.#keepsArguments && block.isVoid
  }

  #add(kind: ContentBlock["kind"]): ContentBlock {
    const block = new ContentBlock(kind)
    this.#line.push(block)
    this.#toolsAtEnd = 0
    return block
  }

  /** Those that wait at the end stand in order. */
  #placeOf(order: number): number {
    const line = this.#line
    let from = Math.max(line.length - this.#toolsAtEnd, line[0]?.opened === true ? 1 : 0)
    let to = line.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (line[middle]!.order > order) to = middle
      else from = middle + 1
    }
    return from
  }

  #open(block: ContentBlock, events: Array<JsonObject>): void {
    if (block.kind === "tool") {
      if (block.signature !== undefined) {
        const data = markReasoning(this.#family, "call", block.signature)
        events.push(this.#start({ type: "redacted_thinking", data }), this.#stop())
      }
      this.toolsGiven++
    }
    block.opened = true
    events.push(this.#start(emptyBlock(block, this.#ids, this.#tellsRefusals)))
  }

  #giveCitations(block: ContentBlock, events: Array<JsonObject>): void {
    for (const citation of block.citations) events.push(this.#delta({ type: "citations_delta", citation }))
    block.citations = []
  }

  #close(block: ContentBlock, events: Array<JsonObject>): void {
    if (block.kind === "thinking") {
      const signature = markReasoning(this.#family, "thought", block.signature ?? "")
      events.push(this.#delta({ type: "signature_delta", signature }))
    }
    events.push(this.#stop())
    block.closed = true
    this.#line.shift()
  }

  #start(block: JsonObject): JsonObject {
    return { type: "content_block_start", index: this.#index, content_block: block }
  }

  #delta(delta: JsonObject): JsonObject {
    return { type: "content_block_delta", index: this.#index, delta }
  }

  #stop(): JsonObject {
    return { type: "content_block_stop", index: this.#index++ }
  }
}

const blockKinds = { text: "text", thinking: "thinking", input: "tool" } as const satisfies Record<
  PieceKind,
  ContentBlock["kind"]
>

const emptyBlock = (block: ContentBlock, ids: UniqueNames, tellsRefusals: boolean): JsonObject => {
  switch (block.kind) {
    case "text":
      return { type: "text", text: "" }
    case "refusal":
      return tellsRefusals ? { type: "refusal", refusal: "" } : { type: "text", text: "" }
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" }
    case "redacted":
      return { type: "redacted_thinking", data: block.data }
    case "tool":
      return toolUse(ids.take(block.id || block.fallbackId), block.name, {})
  }
}

const deltaOf = (block: ContentBlock): JsonObject => {
  switch (block.kind) {
    case "text":
    case "refusal":
      return { type: "text_delta", text: block.pending }
    case "thinking":
      return { type: "thinking_delta", thinking: block.pending }
    default:
      return { type: "input_json_delta", partial_json: block.pending }
  }
}
