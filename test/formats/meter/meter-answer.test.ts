/** Whole answers are weighed by what the model wrote, not by ids, signatures and other frames. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { meterAnswer } from "../../../src/formats/meter/meter-answer.ts"
import { outputTokens } from "../../../src/tokens/output-tokens.ts"
import { modelLike } from "../../tokens/models.ts"
import { recordings } from "../../tokens/recorded.ts"
import { countableOutput } from "../../tokens/recorded-limits.ts"
import { describeWith, sharedPath } from "../../shared-folder.ts"

const answerOf = (name: string): Record<string, never> | undefined =>
  JSON.parse(readFileSync(sharedPath(`fixtures/${name}.json`), "utf8")).response.body

const whole = recordings()
  .filter(({ name }) => !name.startsWith("bedrock/"))
  .filter(({ outputTokens: tokens, pieces }) => tokens !== undefined && pieces.length > 0)
  .filter(countableOutput)
  .flatMap((recorded) => {
    const answer = answerOf(recorded.name)
    return answer === undefined ? [] : [{ ...recorded, answer }]
  })

describeWith("fixtures", "a recorded answer", () => {
  it.each(whole)(
    "$name: its count is within 25 % of the usage recorded, or eight tokens",
    ({ answer, hiddenTokens, model, outputTokens: tokens }) => {
      const shown = tokens! - hiddenTokens
      const counted = outputTokens(meterAnswer(answer), modelLike(model))
      assert.approximately(counted, shown, Math.max(8, 0.25 * shown))
    }
  )
})

describe("a whole answer", () => {
  it("counts tool calls with their names and arguments, on every protocol alike", () => {
    const args = { city: "Hà Nội" }
    const messages = { content: [{ type: "tool_use", id: "toolu_1", name: "get_weather", input: args }] }
    const called = { name: "get_weather", arguments: JSON.stringify(args) }
    const chat = { choices: [{ message: { tool_calls: [{ id: "call_1", function: called }] } }] }
    const loose = { choices: [{ message: { tool_calls: [{ function: { ...called, arguments: args } }] } }] }
    const responses = { output: [{ type: "function_call", call_id: "call_1", ...called }] }
    const counts = [messages, chat, loose, responses].map((answer) => {
      const { events, toolCalls } = meterAnswer(answer)
      return { events, toolCalls }
    })
    for (const count of counts) assert.deepStrictEqual(count, counts[0])
    assert.strictEqual(counts[0]!.toolCalls, 1)
  })

  it("counts reasoning that is an object of text and signature as its text alone", () => {
    const told = (reasoning: object | string) =>
      meterAnswer({ choices: [{ message: { reasoning_content: reasoning as string } }] }).events
    assert.isAbove(told("a thought"), 0)
    assert.strictEqual(told({ text: "a thought", signature: "s".repeat(500) }), told("a thought"))
  })

  it("counts reasoning under either of its names, and once where it has both", () => {
    const told = (message: JsonObject) => meterAnswer({ choices: [{ message }] }).events
    assert.strictEqual(told({ reasoning: "a thought" }), 1)
    assert.strictEqual(told({ reasoning: "a thought", reasoning_content: "a thought" }), 1)
  })

  it.each<[what: string, answer: JsonObject]>([
    ["a text", { content: [{ type: "text", text: "some words" }] }],
    ["a thought", { content: [{ type: "thinking", thinking: "some words", signature: "s" }] }],
    ["a choice's text", { choices: [{ message: { content: "some words" } }] }],
    ["a choice's refusal", { choices: [{ message: { content: null, refusal: "some words" } }] }],
    ["parts of a choice", { choices: [{ message: { content: [{ type: "text", text: "some words" }] } }] }],
    [
      "Mistral's thought",
      { choices: [{ message: { content: [{ type: "thinking", thinking: [{ text: "some words" }] }] } }] }
    ],
    ["an item's text", { output: [{ type: "message", content: [{ text: "some words" }] }] }],
    ["an item's refusal", { output: [{ type: "message", content: [{ refusal: "some words" }] }] }],
    ["a summary", { output: [{ type: "reasoning", summary: [{ text: "some words" }] }] }]
  ])("counts %s, and once", (_, answer) => {
    assert.strictEqual(meterAnswer(answer).events, 1)
  })

  it("counts a call in the older form as in the newer", () => {
    const called = { name: "f", arguments: `{"a":1}` }
    const older = meterAnswer({ choices: [{ message: { function_call: called } }] })
    const newer = meterAnswer({ choices: [{ message: { tool_calls: [{ function: called }] } }] })
    assert.deepStrictEqual([older.events, older.toolCalls], [newer.events, 1])
  })

  it("does not count what the provider's own tools found, but the call of them", () => {
    const found = [{ type: "web_search_result", title: "Tides", text: "High at noon." }]
    const content = [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "tides" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: found }
    ]
    const { events, toolCalls } = meterAnswer({ content })
    const called = meterAnswer({ content: content.slice(0, 1) })
    assert.deepStrictEqual({ events, toolCalls }, { events: called.events, toolCalls: 1 })
  })

  it("takes signatures and encrypted thoughts for no text", () => {
    const data = "A".repeat(5_000)
    const answer = {
      content: [
        { type: "thinking", thinking: "", signature: data },
        { type: "redacted_thinking", data }
      ],
      output: [{ type: "reasoning", summary: [], encrypted_content: data }]
    }
    assert.strictEqual(meterAnswer(answer).events, 0)
    assert.strictEqual(meterAnswer(answer).opaqueCharacters, 10_000)
  })

  it("of 10,000 levels is weighed without overflowing the stack", () => {
    const levels = JSON.parse("[".repeat(10_000) + "]".repeat(10_000))
    const answer = { content: [{ type: "tool_use", name: "f", input: { levels } }, levels], choices: levels }
    assert.strictEqual(meterAnswer(answer).toolCalls, 1)
  })
})
