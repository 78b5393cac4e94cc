/** Requests for the tests of their conversion to Converse. */
import { Result } from "effect"
import type { FetchedFiles } from "../../src/formats/images/file-sources.ts"
import { messagesRequestToConverse } from "../../src/formats/convert/messages-to-converse/request.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { modelNamed } from "../catalogue.ts"

export const nova = "svc/nova-2-lite"
export const user = (content: unknown) => ({ role: "user", content })
export const assistant = (content: unknown) => ({ role: "assistant", content })

export const convert = (request: object, model = nova, files: FetchedFiles = new Map()) => {
  const body = { model, max_tokens: 100, messages: [user("hi")], ...request } as JsonObject
  const result = messagesRequestToConverse(body, modelNamed(model), files)
  if (Result.isFailure(result)) return { refused: result.failure, body: {} as never, toolNames: new Map() }
  // As it goes over the wire, where absent fields are absent.
  return {
    refused: undefined,
    body: JSON.parse(JSON.stringify(result.success.body)),
    toolNames: result.success.toolNames
  }
}

export const tool = { name: "get_weather", description: "Weather", input_schema: { type: "object" } }
export const calls = [
  user("weather?"),
  assistant([{ type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Huế" } }]),
  user([{ type: "tool_result", tool_use_id: "toolu_1", content: "rain" }])
]
