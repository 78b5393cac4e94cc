/** Items of the input that change how the rest of a conversation is answered. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { forChat, forMessages } from "../../../../src/formats/convert/messages-dialect.ts"
import { responsesToMessages } from "../../../../src/formats/convert/responses-to-messages/to-messages.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { chatModel, claudeModel } from "../../../wire/models.ts"

const hi = { role: "user", content: "hi" }
const update = (more: JsonObject): JsonObject => ({ type: "configuration_update", ...more })
const schema = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false
}
const format = { type: "json_schema", name: "answer", schema }
const convert = (request: JsonObject) =>
  Result.getOrThrow(responsesToMessages({ model: "m", ...request }, claudeModel(), forMessages)).body

describe("a configuration update", () => {
  it("says how much the model thinks from then on", () => {
    const body = convert({ input: [hi, update({ reasoning: { effort: "low" } })] })
    assert.deepStrictEqual(body, convert({ input: [hi], reasoning: { effort: "low" } }))
  })

  it("says what the answer's text is from then on", () => {
    const body = convert({ input: [hi, update({ id: "cfg_1", text: { format } })] })
    assert.deepStrictEqual(body, convert({ input: [hi], text: { format } }))
  })

  it("holds before what the request says, and until another one takes its place", () => {
    const body = convert({
      reasoning: { effort: "high", summary: "auto" },
      text: { format, verbosity: "low" },
      input: [
        hi,
        update({ reasoning: { effort: "medium" }, text: { format: { type: "text" } } }),
        hi,
        update({ reasoning: { effort: "low" } })
      ]
    })
    const asked = { reasoning: { effort: "low", summary: "auto" }, text: { format: { type: "text" } } }
    assert.deepStrictEqual(body, convert({ input: [hi, hi], ...asked }))
  })

  it("reaches chat providers in their own words", () => {
    const { chatFormat } = Result.getOrThrow(
      responsesToMessages({ model: "m", input: [hi, update({ text: { format } })] }, chatModel(), forChat)
    )
    assert.deepStrictEqual(chatFormat, {
      type: "json_schema",
      json_schema: { name: "answer", schema }
    })
  })

  it("that can not be read leaves the request's word", () => {
    const asked = { reasoning: { effort: "low" } }
    const body = convert({ input: [hi, update({ reasoning: "high", text: null })], ...asked })
    assert.deepStrictEqual(body, convert({ input: [hi], ...asked }))
  })
})
