/** JSON for a client whose wish a conversion puts into words, since the provider knows no setting for it. */
import { assert, describe, it } from "@effect/vitest"
import { readAsk as readConverse } from "../../src/simulator/bedrock/read-ask.ts"
import { noSettings } from "../../src/simulator/settings.ts"
import { convert as chatToMessages } from "../formats/convert/chat-requests.ts"
import { convert as messagesToChat } from "../formats/convert/messages-requests.ts"
import { useSimulator } from "./ask.ts"

const simulator = useSimulator()
const schema = { type: "object", properties: { at: { type: "string", enum: ["sea"] } }, required: ["at"] }
const anyJson = chatToMessages({ response_format: { type: "json_object" } })

const answered = async (path: string, body: unknown) => (await simulator.post(path, body)).json()

describe("a request whose instructions ask for JSON", () => {
  it("of Messages is answered with JSON", async () => {
    const answer = await answered("/v1/messages", { ...anyJson, model: "claude-sonnet-5" })
    assert.deepInclude((answer as { content: ReadonlyArray<object> }).content[0], {
      text: '{"answer":"simulated"}'
    })
  })

  it("of chat is answered with JSON that fits the schema in them", async () => {
    const asked = messagesToChat(
      { output_config: { format: { type: "json_schema", schema } } },
      { provider: "deepseek", id: "deepseek-v4-pro" }
    )
    const answer = await answered("/v1/chat/completions", { ...asked, model: "deepseek-v4-pro" })
    assert.deepInclude((answer as { choices: ReadonlyArray<{ message: object }> }).choices[0]!.message, {
      content: '{"at":"sea"}'
    })
  })

  it("of Messages is answered by MiniMax, which does not read the field for it", async () => {
    const ask = { model: "MiniMax-M3", max_tokens: 100, messages: [{ role: "user", content: "Where?" }] }
    const content = async (more: object) => {
      const answer = await answered("/v1/messages", { ...ask, ...more })
      return (answer as { content: ReadonlyArray<{ text: string }> }).content[0]!.text
    }
    const format = { type: "json_schema", schema: { ...schema, additionalProperties: false } }
    assert.notInclude(await content({ output_config: { format } }), "sea")
    const asked = chatToMessages(
      { response_format: { type: "json_schema", json_schema: { name: "x", schema } } },
      { family: "minimax" }
    )
    assert.notProperty(asked, "output_config")
    assert.strictEqual(await content({ system: asked["system"] }), '{"at":"sea"}')
  })

  it("of Converse is read as one for JSON", () => {
    const ask = (text: string) =>
      readConverse({ body: { system: [{ text }], messages: [] }, model: "nova", settings: noSettings })
    const [told] = anyJson["system"] as ReadonlyArray<{ text: string }>
    assert.deepStrictEqual(ask(told!.text).json, { schema: undefined })
    assert.isUndefined(ask("Answer with one word.").json)
  })

  it("in the prompt, as Spring AI writes them, is answered with JSON that fits the schema", async () => {
    const content = [
      "Where?",
      "Your response should be in JSON format.",
      "Remove the ```json markdown from the output.",
      "Here is the JSON Schema instance your output must adhere to:",
      `\`\`\`${JSON.stringify(schema, undefined, 2)}\`\`\``
    ].join("\n")
    const answer = await answered("/v1/messages", {
      model: "claude-sonnet-5",
      max_tokens: 100,
      messages: [{ role: "user", content }]
    })
    assert.deepInclude((answer as { content: ReadonlyArray<object> }).content[0], { text: '{"at":"sea"}' })
  })
})
