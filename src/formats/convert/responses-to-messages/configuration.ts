/** Items of the input that change how the rest of a conversation is answered. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../json/json.ts"

/** The request with what was said last of each setting, which holds before the request's own word. */
export const withLastConfiguration = (body: JsonObject): JsonObject => {
  const updates = objectsOf(body.input).filter(({ type }) => type === "configuration_update")
  return updates.length === 0
    ? body
    : {
        ...body,
        ...withLast(body.reasoning, "reasoning", "effort", updates),
        ...withLast(body.text, "text", "format", updates)
      }
}

const withLast = (
  asked: Json | undefined,
  setting: "reasoning" | "text",
  member: string,
  updates: ReadonlyArray<JsonObject>
): JsonObject => {
  const told = updates.map((update) => update[setting]).filter(isJsonObject)
  const last = told.findLast((one) => one[member] !== undefined)
  return last === undefined
    ? {}
    : { [setting]: { ...(isJsonObject(asked) && asked), [member]: last[member]! } }
}
