/** Responses requests of our own, after platform.openai.com/docs/api-reference/responses, and what becomes of them. */
import { Result } from "effect"
import type { Model } from "../../../src/domain/catalogue.ts"
import { forMessages } from "../../../src/formats/convert/messages-dialect.ts"
import { responsesRequestToMessages } from "../../../src/formats/convert/responses-to-messages/request.ts"
import type { InvalidRequest } from "../../../src/formats/json/fields.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { claudeModel } from "../../wire/models.ts"

const converted = (request: JsonObject, model: Model, dialect = forMessages) =>
  responsesRequestToMessages({ model: "m", input: "q", ...request }, model, dialect)

export const convertResponses = (
  request: JsonObject,
  model = claudeModel(),
  dialect = forMessages
): JsonObject => Result.getOrThrow(converted(request, model, dialect)).body

/** The turns of an input, with their roles. */
export const turnsOf = (
  input: ReadonlyArray<JsonObject>,
  more: JsonObject = {},
  dialect = forMessages
): ReadonlyArray<JsonObject> =>
  convertResponses({ input, ...more }, claudeModel(), dialect).messages as ReadonlyArray<JsonObject>

export const refusalOf = (request: JsonObject, model = claudeModel()): InvalidRequest => {
  const result = converted(request, model)
  if (Result.isSuccess(result)) throw new Error("this request should have been refused")
  return result.failure
}

export const asks = (...content: ReadonlyArray<JsonObject>): JsonObject => ({ role: "user", content })
export const says = (...content: ReadonlyArray<JsonObject>): JsonObject => ({
  type: "message",
  role: "assistant",
  content
})
export const told = (text: string): JsonObject => ({ type: "input_text", text })
export const saidText = (text: string): JsonObject => ({ type: "output_text", text, annotations: [] })

export const calls = (call_id: string, name = "f", input = "{}"): JsonObject => ({
  type: "function_call",
  call_id,
  name,
  arguments: input
})
export const gives = (
  call_id: string,
  output: JsonObject | string | ReadonlyArray<JsonObject>
): JsonObject => ({
  type: "function_call_output",
  call_id,
  output
})
export const functionTool = (name: string, more: JsonObject = {}): JsonObject => ({
  type: "function",
  name,
  parameters: { type: "object", properties: {} },
  ...more
})
