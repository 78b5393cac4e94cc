/** Callers that give `functions`, as chat had it before `tools`, read one call, which stands under its older name. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../json/json.ts"

export const givesFunctions = (body: JsonObject): boolean => isGiven(body.functions) && !isGiven(body.tools)

const isGiven = (list: Json | undefined): boolean => Array.isArray(list) && list.length > 0

/** A choice of a whole answer or of a chunk, with its first call as such a caller reads it. */
export const withFunctionCall = (choice: JsonObject): JsonObject => ({
  ...choice,
  ...(isJsonObject(choice.message) && { message: withFirstCall(choice.message) }),
  ...(isJsonObject(choice.delta) && { delta: withFirstCall(choice.delta) }),
  finish_reason: choice.finish_reason === "tool_calls" ? "function_call" : choice.finish_reason
})

const withFirstCall = ({ tool_calls: calls, ...said }: JsonObject): JsonObject => {
  const first = objectsOf(calls).find((call, place) => (call.index ?? place) === 0)
  return first === undefined ? said : { ...said, function_call: first.function }
}
