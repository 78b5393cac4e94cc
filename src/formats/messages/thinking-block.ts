/** A block of thinking, whoever it comes from. */
import { type JsonObject, stringOf } from "../json/json.ts"

/**
 * The fields that make a block of thinking, and no more: what else stands there is not for clients, and refused on its
 * way back.
 */
export const thinkingBlock = (block: JsonObject): JsonObject =>
  block.type === "thinking"
    ? { type: "thinking", thinking: stringOf(block.thinking), signature: stringOf(block.signature) }
    : { type: "redacted_thinking", data: stringOf(block.data) }
