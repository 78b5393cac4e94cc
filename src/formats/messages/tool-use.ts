/** A call of the client's own tool in an answer. The model made it by itself: programs that call tools run at Anthropic alone. */
import type { JsonObject } from "../json/json.ts"

export const toolUse = (id: string, name: string, input: JsonObject): JsonObject => ({
  type: "tool_use",
  id,
  name,
  input,
  caller: { type: "direct" }
})
