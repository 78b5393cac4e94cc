/** Answers that AWS binds to a schema, whoever the client is. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { TextEndpoint } from "../../../../src/domain/call.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { convertRequest } from "../../../wire/convert-request.ts"

const born = { type: "string", format: "date" }
const schema = {
  type: "object",
  properties: {
    age: { type: "integer", minimum: 0 },
    born,
    colour: { type: "string", format: "colour" },
    names: { type: "array", minItems: 1, items: {} },
    pair: { type: "array", minItems: 2, items: {} }
  },
  required: ["age"]
}
const named = { name: "person", schema }
const messages = [{ role: "user", content: "hi" }]

describe("the schema of an answer on AWS", () => {
  it.each<readonly [TextEndpoint, JsonObject]>([
    ["messages", { max_tokens: 9, messages, output_config: { format: { type: "json_schema", schema } } }],
    ["chat_completions", { messages, response_format: { type: "json_schema", json_schema: named } }],
    ["responses", { input: "hi", text: { format: { type: "json_schema", ...named } } }]
  ])("from %s is closed, and says in words what no grammar is made of", (endpoint, request) => {
    const { body } = Result.getOrThrow(convertRequest(endpoint, "svc/qwen3-coder-480b-a35b", request))
    const { textFormat } = body.outputConfig as {
      readonly textFormat: { readonly structure: { readonly jsonSchema: { readonly schema: string } } }
    }
    assert.deepStrictEqual(JSON.parse(textFormat.structure.jsonSchema.schema), {
      type: "object",
      properties: {
        age: { type: "integer", description: '{"minimum":0}' },
        born,
        colour: { type: "string", description: '{"format":"colour"}' },
        names: { type: "array", minItems: 1, items: {} },
        pair: { type: "array", items: {}, description: '{"minItems":2}' }
      },
      required: ["age"],
      additionalProperties: false
    })
  })
})
