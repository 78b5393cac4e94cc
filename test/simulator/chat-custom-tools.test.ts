/** Of the simulated chat providers OpenAI alone knows custom tools. */
import { assert, describe, it } from "@effect/vitest"
import { useSimulator } from "./ask.ts"

const simulator = useSimulator()

const answered = async (body: object) => {
  const response = await simulator.post("/v1/chat/completions", body)
  const { error } = JSON.parse(await response.text()) as { error?: { message: string } }
  return `${response.status} ${error?.message ?? "accepted"}`
}

const question = { role: "user", content: "q" }
const tool = { type: "custom", custom: { name: "run" } }
const call = { id: "call_1", type: "custom", custom: { name: "run", input: "x" } }
const history = [
  question,
  { role: "assistant", content: null, tool_calls: [call] },
  { role: "tool", tool_call_id: "call_1", content: "1" }
]

describe("a custom tool", () => {
  it.each([
    ["gpt-5.5", "200 accepted"],
    ["gemini-3.1-pro-preview", "400 Invalid value: 'custom'."],
    ["kimi-k2.6", "400 Invalid value: 'custom'."]
  ])("and its call, of a request to %s, are answered %s", async (model, expected) => {
    assert.include(await answered({ model, messages: [question], tools: [tool] }), expected)
    assert.include(await answered({ model, messages: history }), expected)
  })
})
