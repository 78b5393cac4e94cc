/** One content block of a Messages stream while a chat upstream sends its pieces. */
import type { JsonObject } from "../../json/json.ts"
import { GrowingText } from "../../stream/GrowingText.ts"
import { isBlankText, isVoidInput } from "../blank-text.ts"

export class ContentBlock {
  readonly kind: "text" | "refusal" | "thinking" | "redacted" | "tool"
  /** Places tools that wait together: the upstream's order, not that of arrival. */
  readonly order: number
  id = ""
  /** For a call whose id never comes. */
  fallbackId = ""
  name = ""
  /** Of thinking, what it is signed with; of a tool, what Gemini signed the call with. */
  signature: string | undefined
  /** Of redacted thinking, all there is of it. */
  data = ""
  /** Received and not yet given. */
  pending = ""
  /** The same of what a text cites. */
  citations: Array<JsonObject> = []
  opened = false
  closed = false
  readonly #received = new GrowingText()
  #checkedLength = -1

  constructor(kind: ContentBlock["kind"], order = 0) {
    this.kind = kind
    this.order = order
  }

  append(piece: string): void {
    this.pending += piece
    this.pass(piece)
  }

  /** It has been received, and is given already. */
  pass(piece: string): void {
    if (this.kind === "thinking" || this.kind === "tool") this.#received.add(piece)
  }

  /** All that was received for it so far is this. */
  holds(text: string): boolean {
    return this.#received.is(text)
  }

  /** What a tool is called with has come to its end. */
  get isWhole(): boolean {
    return isWholeJson(this.#received.whole())
  }

  /** Text that says nothing so far, such as a line break amid calls. */
  get isBlank(): boolean {
    return this.kind === "text" && isBlankText(this.pending)
  }

  /** A call whose arguments are none, or may become that. */
  get isVoid(): boolean {
    return this.kind === "tool" && this.pending.length === this.#received.length && isVoidInput(this.pending)
  }

  /** Nothing can follow in it, given that another block has begun behind it. */
  isComplete(next: ContentBlock): boolean {
    if (this.kind !== "tool") return true
    if (this.#received.length === 0) return next.kind !== "tool" && !next.isBlank
    if (this.#checkedLength === this.#received.length) return false
    this.#checkedLength = this.#received.length
    return this.isWhole
  }
}

const isWholeJson = (text: string): boolean => {
  if (!text.trimEnd().endsWith("}")) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
