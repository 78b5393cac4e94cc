import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/formats/json/json.ts"
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
})
