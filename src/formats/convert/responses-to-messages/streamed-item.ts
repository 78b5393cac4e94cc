/** One item of a Responses stream while its blocks are told to a Messages client. */
import { type Json, type JsonObject } from "../../json/json.ts"
import type { GrowingText } from "../../stream/GrowingText.ts"
import type { PieceKind } from "../../stream/pieces.ts"
import { isBlankText, isVoidInput } from "../blank-text.ts"

export interface Item {
  readonly kind: "text" | "thinking" | "tool"
  readonly start: JsonObject
  /** Of a message, that this part of it is one. */
  readonly isRefusal: boolean
  opened: boolean
  done: boolean
  /** Received and not yet given. */
  pending: string
  /** All that was received. */
  readonly received: GrowingText
  /** The part of a thought that is open. */
  part: Json | undefined
  signature: string
  /** What the same message says behind it, in a block of its own. */
  next: Item | undefined
}

export const itemKinds = { text: "text", thinking: "thinking", input: "tool" } as const satisfies Record<
  PieceKind,
  Item["kind"]
>

export const kindOf = ({ type }: JsonObject): Item["kind"] | undefined => {
  if (type === "message") return "text"
  if (type === "reasoning") return "thinking"
  return type === "function_call" ? "tool" : undefined
}

export const isShown = ({ kind, pending, signature }: Item): boolean =>
  kind === "text" ? !isBlankText(pending) : kind === "tool" || pending !== "" || signature !== ""

export const deltaOf = ({ kind, pending }: Item): JsonObject => {
  if (kind === "text") return { type: "text_delta", text: pending }
  return kind === "thinking"
    ? { type: "thinking_delta", thinking: pending }
    : { type: "input_json_delta", partial_json: pending }
}

/** A call whose arguments are none, or may become that. */
export const isVoid = ({ kind, pending, received }: Item): boolean =>
  kind === "tool" && pending.length === received.length && isVoidInput(pending)
