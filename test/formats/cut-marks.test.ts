/** Thoughts under a mark of ours, in requests that go up in their client's own bytes. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatCuts, messagesCuts, responsesCuts } from "../../src/formats/cut-marks.ts"
import { markReasoning } from "../../src/formats/convert/reasoning-marks.ts"
import type { ClientRequest } from "../../src/formats/convert/requests.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { type Edit, splice } from "../../src/formats/json/splice.ts"
import { convertRequest } from "../wire/convert-request.ts"

const signature = markReasoning("gpt-oss", "thought", "")
const marked = `{"type": "thinking", "thinking": "hm", "signature": "${signature}"}`
const redacted = `{"type": "redacted_thinking", "data": "${markReasoning("nova", "redacted", "x")}"}`
const claudes = `{"type":"thinking","thinking":"so","signature":"EqQB"}`

const left = (text: string, cuts: (request: ClientRequest) => ReadonlyArray<Edit>): string => {
  const bytes = Buffer.from(text)
  return splice(bytes, cuts({ bytes, members: scanMembers(bytes)!, parsed: JSON.parse(text) })).toString()
}

describe("what bears a mark of ours is cut", () => {
  it("from the input of OpenAI's models, too, where another model thought", () => {
    const question = { role: "user", content: "q" }
    const thought = {
      type: "reasoning",
      summary: [],
      encrypted_content: markReasoning("claude", "thought", "s")
    }
    const own = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" }
    const { body } = Result.getOrThrow(
      convertRequest("responses", "gpt-5.5", { input: [question, thought, own, question] })
    )
    assert.deepStrictEqual(body.input, [question, own, question])
  })

  const user = `{"role":"user","content":"q"}`

  it.each([
    ["alone", `[${marked}]`, `{"role":"assistant" ,"content":"a"}`],
    ["all of them", `[${marked}, ${redacted}]`, `{"role":"assistant" ,"content":"a"}`],
    [
      "beside a provider's own",
      `[${marked}, ${claudes} ]`,
      `{"role":"assistant" , "thinking_blocks": [${claudes} ],"content":"a"}`
    ]
  ])("beside the text of a chat message, %s", (_, blocks, expected) => {
    const message = `{"role":"assistant" , "thinking_blocks": ${blocks},"content":"a"}`
    const sent = left(`{"messages":[${user}, ${message}],"x":1.0}`, chatCuts)
    const wanted = `{"messages":[${user}, ${expected}],"x":1.0}`
    assert.strictEqual(sent.replaceAll(" ", ""), wanted.replaceAll(" ", ""))
    assert.deepStrictEqual(JSON.parse(sent), JSON.parse(wanted))
  })

  it.each([`"content":null`, `"content":"","refusal":null`])(
    "with a chat message that says no more: %s",
    (empty) => {
      const message = `{"role":"assistant",${empty},"thinking_blocks":[${marked}]}`
      assert.strictEqual(
        left(`{"messages":[${user},${message},${user}]}`, chatCuts),
        `{"messages":[${user},${user}]}`
      )
    }
  )

  it("from a chat message whose calls stay", () => {
    const calls = `"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]`
    assert.strictEqual(
      left(
        `{"messages":[{"role":"assistant","content":null,${calls},"thinking_blocks":[${redacted}]}]}`,
        chatCuts
      ),
      `{"messages":[{"role":"assistant","content":null,${calls}}]}`
    )
  })

  it("from turns of Messages, and from the input of Responses", () => {
    const turns = `{"messages":[${user},{"role":"assistant","content":[${marked}]},{"role":"assistant","content":[${redacted},${claudes}]}]}`
    assert.strictEqual(
      left(turns, (request) => messagesCuts(request, "claude")),
      `{"messages":[${user},{"role":"assistant","content":[${claudes}]}]}`
    )
    const item = `{"type":"reasoning","summary":[],"encrypted_content":"${signature}"}`
    assert.strictEqual(left(`{"input":[${item},${user}]}`, responsesCuts), `{"input":[${user}]}`)
  })

  it("and what MiniMax signed, on the way to Claude alone", () => {
    const signed = { type: "thinking", thinking: "hm", signature: "cfa12f9d".repeat(8) }
    const turn = (...content: ReadonlyArray<JsonObject>) => ({ role: "assistant", content })
    const said = { type: "text", text: "a" }
    const question = { role: "user", content: "q" }
    const messages = [question, turn(signed, said), question, turn(signed), question]
    const sentTo = (id: string) => {
      const request = { max_tokens: 9, messages }
      return Result.getOrThrow(convertRequest("messages", id, request)).body.messages
    }
    const own = [question, turn(said), question, question]
    assert.deepStrictEqual(sentTo("claude-opus-5"), own)
    assert.deepStrictEqual(sentTo("svc/claude-opus-5"), own)
    assert.deepStrictEqual(sentTo("minimax-m3"), messages)
  })

  it.each(["claude-sonnet-4-6", "svc/claude-sonnet-4-6"])(
    "and calls that are left without a thought go on at %s with no budget for one",
    (id) => {
      const call = { type: "tool_use", id: "t", name: "f", input: {} }
      const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "r" }] }
      const sent = (thought: string, thinking: JsonObject, ...later: ReadonlyArray<JsonObject>) => {
        const calls = { role: "assistant", content: [JSON.parse(thought) as JsonObject, call] }
        const messages = [{ role: "user", content: "q" }, calls, result, ...later]
        return Result.getOrThrow(convertRequest("messages", id, { max_tokens: 9000, messages, thinking }))
          .body
      }
      const budget = { type: "enabled", budget_tokens: 4000, display: "omitted" }
      assert.deepStrictEqual(sent(marked, budget).thinking, { type: "adaptive", display: "omitted" })
      assert.deepStrictEqual(sent(claudes, budget).thinking, budget)
      assert.deepStrictEqual(sent(marked, { type: "disabled" }).thinking, { type: "disabled" })
      const over = [
        { role: "assistant", content: "a" },
        { role: "user", content: "q" }
      ]
      assert.deepStrictEqual(sent(marked, budget, ...over).thinking, budget)
    }
  )

  it("on the way to a provider of chat", () => {
    const blocks = [JSON.parse(marked)]
    const messages = [JSON.parse(user), { role: "assistant", content: "a", thinking_blocks: blocks }]
    const { body } = Result.getOrThrow(convertRequest("chat_completions", "mistral-large-2512", { messages }))
    assert.deepStrictEqual(body.messages, [JSON.parse(user), { role: "assistant", content: "a" }])
  })

  it("also where calls of custom tools are written anew", () => {
    const call = { id: "c", type: "custom", custom: { name: "f", input: "x" } }
    const thought = { thinking_blocks: [JSON.parse(marked)] }
    const messages = [
      JSON.parse(user),
      { role: "assistant", content: "a", tool_calls: [call], ...thought },
      { role: "tool", tool_call_id: "c", content: "r" }
    ]
    const { body } = Result.getOrThrow(convertRequest("chat_completions", "deepseek-v4-pro", { messages }))
    assert.notProperty((body.messages as ReadonlyArray<JsonObject>)[1], "thinking_blocks")
    assert.include(JSON.stringify(body.messages), `"type":"function"`)
  })

  it("and thoughts of others in chat's own words, on the way to Mistral alone", () => {
    const calls = [{ id: "abcdefghi", type: "function", function: { name: "f", arguments: "{}" } }]
    const result = { role: "tool", tool_call_id: "abcdefghi", content: "r" }
    const thought = { reasoning_content: "hm" }
    const blocks = { thinking_blocks: [JSON.parse(marked)] }
    const asked = [
      JSON.parse(user),
      { role: "assistant", content: null, tool_calls: calls, reasoning_content: null },
      result,
      { ...thought, role: "assistant", content: "a", ...blocks },
      { role: "assistant", content: "", ...thought, ...blocks },
      JSON.parse(user)
    ]
    const sentTo = (id: string) =>
      Result.getOrThrow(convertRequest("chat_completions", id, { messages: asked })).body.messages
    const own = [
      JSON.parse(user),
      { role: "assistant", content: null, tool_calls: calls },
      result,
      { role: "assistant", content: "a" },
      JSON.parse(user)
    ]
    assert.deepStrictEqual(sentTo("mistral-large-2512"), own)
    const kept = sentTo("grok-4.3") as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(
      kept.map(({ reasoning_content: told }) => told),
      [undefined, null, undefined, "hm", "hm", undefined]
    )
  })

  it("and nothing else is", () => {
    const text = `{"messages": [${user}, {"role":"assistant","content":"a","thinking_blocks":[${claudes}, 7]}, 5]}`
    assert.strictEqual(left(text, chatCuts), text)
  })
})
