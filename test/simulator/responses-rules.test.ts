/** The simulator's Responses interface refuses calls and outputs that do not belong together, functions' and custom tools' alike. */
import { assert, describe, it } from "@effect/vitest"
import { useSimulator } from "./ask.ts"

const simulator = useSimulator()

const answered = async (body: object) => {
  const response = await simulator.post("/v1/responses", { model: "gpt-5.5", ...body })
  const { error } = JSON.parse(await response.text()) as { error: { message: string } | null }
  return `${response.status} ${error?.message ?? "accepted"}`
}

const question = { role: "user", content: "q" }
const call = { type: "function_call", call_id: "a", name: "f", arguments: "{}" }
const output = { type: "function_call_output", call_id: "a", output: "1" }
const custom = { type: "custom_tool_call", call_id: "b", name: "patch", input: "x" }
const customOutput = { type: "custom_tool_call_output", call_id: "b", output: "done" }

describe("Responses", () => {
  it.each([
    [[question, call, output, custom, customOutput], "200 accepted"],
    [[question, output], "400 No tool call found for function call output with call_id a."],
    [[question, customOutput], "400 No tool call found for custom tool call output with call_id b."],
    [[question, call], "400 No tool output found for function call a."],
    [[question, custom], "400 No tool output found for custom tool call b."],
    // An output answers a call of its own kind.
    [[question, call, { ...customOutput, call_id: "a" }], "400 No tool output found for function call a."],
    [
      [question, { ...custom, input: undefined }, customOutput],
      "400 Missing required parameter: 'input[1].input'."
    ],
    [
      [question, custom, { ...customOutput, call_id: 1 }],
      "400 Missing required parameter: 'input[2].call_id'."
    ]
  ])("of %j answers %s", async (input, expected) => {
    assert.strictEqual(await answered({ input }), expected)
  })

  it("takes a custom tool by its name alone, and none without", async () => {
    const given = (tool: object) => answered({ input: "q", tools: [tool] })
    assert.strictEqual(await given({ type: "custom", name: "patch" }), "200 accepted")
    assert.strictEqual(await given({ type: "custom" }), "400 Missing required parameter: 'tools[0].name'.")
  })
})
