/** Files of word processors and spreadsheets, which Bedrock alone takes as they are. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { prepareCall } from "../../../../src/compute/prepare-call.ts"
import { modelNamed } from "../../../catalogue.ts"

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
const file = { filename: "plan.docx", file_data: `data:${docx};base64,UEsDBA==` }
const chat = { messages: [{ role: "user", content: [{ type: "file", file }] }] }
const responses = { input: [{ role: "user", content: [{ type: "input_file", ...file }] }] }

type Endpoint = "chat_completions" | "responses"
const sent = (id: string, endpoint: Endpoint, protocol: "converse" | "messages", asked: JsonObject) => {
  const body = Buffer.from(JSON.stringify({ model: id, ...asked }))
  const task = { way: { endpoint, protocol }, body, model: modelNamed(id), anthropicBeta: "" }
  return JSON.parse(Buffer.from(prepareCall(task).bytes).toString())
}

describe.each([
  ["chat_completions", chat],
  ["responses", responses]
] as const)("a Word file of a %s client", (endpoint, asked) => {
  it("reaches a model on Bedrock", () => {
    const { messages } = sent("svc/nova-pro", endpoint, "converse", asked)
    assert.deepStrictEqual(messages[0].content[0].document, {
      format: "docx",
      name: "plan docx",
      source: { bytes: "UEsDBA==" }
    })
  })

  it("is refused by its field where the model does not take it", () => {
    assert.throws(() => sent("claude-opus-4-6", endpoint, "messages", asked), /file_data: files of type/)
  })
})
