/** Answers that must fit a schema, from models that AWS can not bind to one. */
import { assert, describe, it } from "@effect/vitest"
import { answerTool } from "../../../../src/formats/bedrock/answer-tool.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, calls, convert, tool, user } from "../../bedrock-convert.ts"

const schema = {
  type: "object",
  description: "Who it is.",
  properties: { name: { $ref: "#/$defs/name" } },
  required: ["name"],
  additionalProperties: false,
  $defs: { name: { type: "string" } }
}
const asking = (asked: JsonObject) => ({ output_config: { format: { type: "json_schema", schema: asked } } })
const output = asking(schema)
const llama = "svc/llama4-scout-17b-instruct"

/** The tools' names, and what is chosen among them: the answer's goes by the name of `answer`. */
const offered = (request: object) => {
  const { body, toolNames } = convert({ ...output, ...request })
  const [sent] = [...toolNames].find(([, original]) => original === answerTool) ?? ["none"]
  const text = JSON.stringify(body.toolConfig).replaceAll(sent, "answer")
  const { toolChoice, tools } = JSON.parse(text)
  return { names: tools.map(({ toolSpec }: JsonObject) => (toolSpec as JsonObject).name), toolChoice }
}

describe("an answer that must fit a schema", () => {
  it("is asked for as the call of a tool, which Nova is made to call", () => {
    const { body, toolNames } = convert(output)
    const [[name, original]] = [...toolNames] as [[string, string]]
    assert.strictEqual(original, answerTool)
    assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
    assert.deepStrictEqual(body.toolConfig, {
      tools: [
        {
          toolSpec: {
            name,
            description: "Gives the whole answer to the user, once no other tool is needed. Who it is.",
            inputSchema: {
              json: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
            }
          }
        }
      ],
      toolChoice: { tool: { name } }
    })
    assert.notProperty(body, "outputConfig")
    assert.notProperty(body, "system")
    assert.deepStrictEqual(convert({ output_format: { type: "json_schema", schema } }).body, body)
  })

  it("is one of the calls that Nova may choose from, last among the client's tools", () => {
    for (const choice of [{}, { tool_choice: { type: "auto" } }])
      assert.deepStrictEqual(offered({ tools: [tool], ...choice }), {
        names: ["get_weather", "answer"],
        toolChoice: { any: {} }
      })
    assert.deepStrictEqual(offered({ tools: [tool], messages: calls }).toolChoice, { any: {} })
  })

  it("is the only call where no other is wanted, though the history has some", () => {
    const none = { tools: [tool], tool_choice: { type: "none" } }
    const forced = { tool: { name: "answer" } }
    assert.deepStrictEqual(offered(none), { names: ["answer"], toolChoice: forced })
    const later = { names: ["get_weather", "answer"], toolChoice: forced }
    assert.deepStrictEqual(offered({ ...none, messages: calls }), later)
    assert.deepStrictEqual(offered({ messages: calls }), later)
    assert.notProperty(convert({ ...output, ...none, messages: calls }).body, "system")
  })

  it("is not asked for where a call of the client's is", () => {
    for (const choice of [{ type: "any" }, { type: "tool", name: "get_weather" }]) {
      const asked = { tools: [tool], tool_choice: choice }
      assert.deepStrictEqual(convert({ ...output, ...asked }), convert(asked))
    }
  })

  it("goes by a name that no tool of the client's has", () => {
    const [sent] = [...convert(output).toolNames.keys()]
    const { names } = offered({ tools: [{ ...tool, name: "json_answer" }] })
    assert.deepStrictEqual(names, ["json_answer", "answer"])
    assert.notStrictEqual(sent, "json_answer")
  })

  it("is asked for in words where no tool can be forced, or none takes it", () => {
    const words = (asked: JsonObject) =>
      `Answer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(asked)}`
    const { body } = convert({ system: "S", ...output, tools: [tool] }, llama)
    assert.deepStrictEqual(body.system, [{ text: "S" }, { text: words(schema) }])
    assert.lengthOf(body.toolConfig.tools, 1)
    for (const other of [
      {},
      { type: "array", items: schema },
      { type: "object", additionalProperties: { type: "string" } },
      { anyOf: [schema, { type: "null" }] }
    ]) {
      const told = convert(asking(other)).body
      assert.deepStrictEqual(told.system, [{ text: words(other) }])
      assert.notProperty(told, "toolConfig")
    }
    const history = [...calls, assistant("rain"), user("and now?")]
    const { system } = convert({ ...asking({}), messages: history }).body
    assert.deepStrictEqual(system.at(-1), { text: words({}) })
  })
})
