import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { Result } from "effect"
import { convertRequest } from "../../wire/convert-request.ts"
import { convert, type Traits } from "./chat-requests.ts"

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false
}
const tool = (more: JsonObject, index = 0) => ({
  type: "function",
  function: { name: `f${index}`, parameters: schema, ...more }
})
const strictOf = (tools: ReadonlyArray<JsonObject>, traits: Traits = {}) =>
  (convert({ tools }, traits).tools as ReadonlyArray<JsonObject>).map(({ strict }) => strict)

describe("strict tools of a chat request, for Messages providers", () => {
  it("are strict for Claude, and no others are", () => {
    assert.deepStrictEqual(strictOf([tool({ strict: true }), tool({ strict: false }, 1), tool({}, 2)]), [
      true,
      undefined,
      undefined
    ])
  })

  it("are not where the schema leaves open what strictness must close", () => {
    assert.deepStrictEqual(strictOf([tool({ strict: true, parameters: { type: "object" } })]), [undefined])
  })

  it("are not where a model does not know strictness, nor beyond Claude's number of them", () => {
    assert.deepStrictEqual(strictOf([tool({ strict: true })], { family: "minimax" }), [undefined])
    const many = Array.from({ length: 21 }, (_, index) => tool({ strict: true }, index))
    assert.deepStrictEqual(
      strictOf(many),
      many.map(() => undefined)
    )
  })

  it("are not beyond Claude's number of parameters of several types, however deep these stand", () => {
    const either = { anyOf: [{ type: "string" }, { type: ["number", "null"] }] }
    const withUnions = (pairs: number) => {
      const names = Array.from({ length: pairs }, (_, index) => `p${index}`)
      const properties = Object.fromEntries(names.map((name) => [name, either]))
      return tool({ strict: true, parameters: { ...schema, properties, required: names } })
    }
    assert.deepStrictEqual(strictOf([withUnions(8)]), [true])
    assert.deepStrictEqual(strictOf([withUnions(9)]), [undefined])
  })

  it("are strict on AWS where the model can be bound to a schema, and there without what no grammar knows", () => {
    const bounded = { ...schema, properties: { city: { type: "string", maxLength: 40 } } }
    const told = { ...schema, properties: { city: { type: "string", description: '{"maxLength":40}' } } }
    const sentTo = (model: string) => {
      const request = {
        messages: [{ role: "user", content: "q" }],
        tools: [tool({ strict: true, parameters: bounded })]
      }
      const { body } = Result.getOrThrow(convertRequest("chat_completions", model, request))
      const { tools } = body.toolConfig as { readonly tools: ReadonlyArray<{ toolSpec: JsonObject }> }
      return tools[0]!.toolSpec
    }
    assert.deepInclude(sentTo("svc/mistral-large-3"), { strict: true, inputSchema: { json: told } })
    const loose = sentTo("svc/nova-2-lite")
    const { additionalProperties: _, ...bare } = bounded
    assert.deepStrictEqual(loose.inputSchema, { json: bare })
    assert.notProperty(loose, "strict")
  })
})

describe("strict tools of a Messages request", () => {
  const asked = (strict: boolean, input_schema: JsonObject = schema) => ({
    max_tokens: 9,
    messages: [{ role: "user", content: "q" }],
    tools: [{ name: "f", input_schema, strict }]
  })
  const sentTo = (model: string, request: JsonObject) =>
    (
      Result.getOrThrow(convertRequest("messages", model, request)).body.tools as ReadonlyArray<JsonObject>
    )[0]!

  it("are strict for chat and Responses providers, and no others are", () => {
    const ofChat = (request: JsonObject) => (sentTo("grok-4.3", request).function as JsonObject).strict
    const ofResponses = (request: JsonObject) => sentTo("gpt-5.5", request).strict
    const open = asked(true, { type: "object", properties: { city: { type: "string" } } })
    assert.deepStrictEqual([asked(true), asked(false), open].map(ofChat), [true, undefined, undefined])
    assert.deepStrictEqual([asked(true), asked(false), open].map(ofResponses), [true, false, false])
  })
})
