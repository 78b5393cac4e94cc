/** The blocks that Messages are made of. */
import { type Json, type JsonObject, objectOf, objectsOf, stringOf } from "../json/json.ts"

/** Those of a message that are of this type. */
export const blocksOf = (message: Json | undefined, type: string): ReadonlyArray<JsonObject> =>
  objectsOf(objectOf(message).content).filter((block) => block.type === type)

/**
 * The fields that make a block of thinking, and no more: what else stands there is not for clients, and refused on its
 * way back.
 */
export const thinkingBlock = (block: JsonObject): JsonObject =>
  block.type === "thinking"
    ? { type: "thinking", thinking: stringOf(block.thinking), signature: stringOf(block.signature) }
    : { type: "redacted_thinking", data: stringOf(block.data) }

/** A call of the client's own tool in an answer. The model made it by itself: programs that call tools run at Anthropic alone. */
export const toolUse = (id: string, name: string, input: JsonObject): JsonObject => ({
  type: "tool_use",
  id,
  name,
  input,
  caller: { type: "direct" }
})
