/** Weighs what the blocks of a Messages stream hold, whoever the stream is for. */
import { isJsonObject, type Json } from "../json/json.ts"
import { OutputMeter } from "../meter/output-meter.ts"
import type { PieceKind } from "../stream/pieces.ts"

export class BlockMeter {
  readonly output = new OutputMeter()
  /** The open block has shown some of its thoughts: its signature then stands for nothing else. */
  #thoughtsShown = false

  /** Answers whether the block begins with content: text and thinking begin empty, every other kind is content itself. */
  start(block: Json | undefined): boolean {
    if (!isJsonObject(block)) return false
    const { data, input, name, text, thinking, type } = block
    this.#thoughtsShown = false
    if (type === "text") return this.#add(text)
    if (type === "thinking") return (this.#thoughtsShown = this.#add(thinking))
    if (type === "redacted_thinking" && typeof data === "string") this.output.opaqueCharacters += data.length
    if (typeof type === "string" && type.endsWith("tool_use")) {
      this.output.toolCalls++
      this.#add(name)
      this.output.addArguments(input)
    }
    return true
  }

  /** Answers whether the delta holds content. */
  add(delta: Json | undefined): boolean {
    if (!isJsonObject(delta)) return false
    const { content: compacted, partial_json: json, signature, text, thinking } = delta
    if (typeof thinking === "string") {
      const shown = this.#add(thinking)
      this.#thoughtsShown ||= shown
      return shown
    }
    if (typeof signature === "string" && !this.#thoughtsShown)
      this.output.opaqueCharacters += signature.length
    return this.#add(text ?? json ?? compacted)
  }

  /** The same for a piece, which is content. */
  addPiece(kind: PieceKind, text: string): void {
    this.output.addText(text)
    this.sawPiece(kind)
  }

  /** Hears of one that was weighed where it stood. */
  sawPiece(kind: PieceKind): void {
    if (kind === "thinking") this.#thoughtsShown = true
  }

  #add(text: Json | undefined): boolean {
    if (typeof text !== "string" || text === "") return false
    this.output.addText(text)
    return true
  }
}
