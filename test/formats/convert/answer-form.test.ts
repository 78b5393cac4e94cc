/** Answers that must fit a schema, from a model that speaks Messages and knows no field for it. */
import { assert, describe, it } from "@effect/vitest"
import { claudeModel } from "../../wire/models.ts"
import { convert } from "./chat-requests.ts"
import { convertResponses } from "./responses-requests.ts"

const schema = { type: "object", properties: { age: { type: "integer", minimum: 0 } }, required: ["age"] }
const named = { name: "person", description: "Who it is.", schema }
const chat = { response_format: { type: "json_schema", json_schema: named } }
const responses = { instructions: "S", text: { format: { type: "json_schema", ...named } } }

describe("the schema of an answer, to MiniMax", () => {
  const family = "minimax"
  const told = {
    type: "text",
    text:
      "Answer with one JSON object that fits this JSON schema, and nothing else:\n" +
      JSON.stringify({ ...schema, description: "Who it is." })
  }

  it("is told in words, behind all that is said to it", () => {
    const system = { role: "system", content: "S" }
    const asked = convert({ ...chat, messages: [system, { role: "user", content: "hi" }] }, { family })
    const alike = convertResponses(responses, claudeModel({ family }))
    for (const { system: all, ...body } of [asked, alike]) {
      assert.deepStrictEqual(all, [{ type: "text", text: "S" }, told])
      assert.notProperty(body, "output_config")
    }
  })

  it("is a field to Claude, which hears nothing of it", () => {
    for (const { output_config: config, system } of [convert(chat), convertResponses(responses)]) {
      assert.containsAllKeys(config, ["format"])
      assert.notInclude(JSON.stringify(system ?? ""), "JSON")
    }
  })
})
