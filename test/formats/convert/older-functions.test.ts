import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pairs } from "../../../src/formats/pairs.ts"
import { prepareCall, type Prepared } from "../../../src/compute/prepare-call.ts"
import { messagesResponseToChat } from "../../../src/formats/convert/messages-to-chat/answer.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { claudeModel, contextFor } from "../../wire/models.ts"
import { readFrames, runCodec } from "../../wire/stream-runner.ts"
import { convert, fn, request } from "./chat-requests.ts"

const context = contextFor("claude-x", { givesFunctions: true })
const use = (id: string, input: JsonObject) => ({ type: "tool_use", id, name: "f", input })
const usage = { input_tokens: 3, output_tokens: 2 }

describe("a caller that gives functions, the older form of tools", () => {
  it("is known by them, unless it gives tools as well", () => {
    const isKnown = (more: JsonObject) => {
      const body = Buffer.from(JSON.stringify(request(more)))
      const way = { endpoint: "chat_completions", protocol: "messages" } as const
      return (prepareCall({ way, model: claudeModel(), body, anthropicBeta: "" }) as Prepared).asked
        .givesFunctions
    }
    const functions = [{ name: "f", parameters: { type: "object" } }]
    assert.isTrue(isKnown({ functions }))
    for (const more of [{}, { functions: [] }, { functions, tools: [fn("g")] }]) assert.isFalse(isKnown(more))
  })

  it("is asked of Claude for one call at a time, since it would pay for those that it can not read", () => {
    const functions = [{ name: "f", parameters: { type: "object" } }]
    assert.deepStrictEqual(convert({ functions }).tool_choice, {
      type: "auto",
      disable_parallel_tool_use: true
    })
    assert.isUndefined(convert({ tools: [fn("g")] }).tool_choice)
  })

  it("gets its call where it reads it, and no more than the one it can read", () => {
    const content = [{ type: "text", text: "t" }, use("a", { x: 1 }), use("b", {})]
    const answer = { content, stop_reason: "tool_use", usage }
    const [choice] = Result.getOrThrow(messagesResponseToChat(answer, context))
      .choices as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(choice, {
      index: 0,
      message: {
        role: "assistant",
        content: "t",
        refusal: null,
        function_call: { name: "f", arguments: `{"x":1}` }
      },
      logprobs: null,
      finish_reason: "function_call"
    })
    const said = { content: content.slice(0, 1), stop_reason: "end_turn", usage }
    assert.deepStrictEqual(
      Result.getOrThrow(messagesResponseToChat(said, context)),
      Result.getOrThrow(messagesResponseToChat(said, contextFor("claude-x")))
    )
  })

  it("gets its call in a stream too", () => {
    const piece = (index: number, partial_json: string) => ({
      type: "content_block_delta",
      index,
      delta: { type: "input_json_delta", partial_json }
    })
    const opens = (index: number, id: string) => ({
      type: "content_block_start",
      index,
      content_block: use(id, {})
    })
    const events = [
      { type: "message_start", message: { usage } },
      opens(0, "a"),
      piece(0, `{"x"`),
      piece(0, ":1}"),
      { type: "content_block_stop", index: 0 },
      opens(1, "b"),
      piece(1, `{"y":2}`),
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage },
      { type: "message_stop" }
    ]
    const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
    const chunks = readFrames(
      runCodec(pairs.chat_completions.messages.stream(context), [bytes], "chat")
    ).slice(0, -1)
    const choices = (chunks as ReadonlyArray<{ readonly choices: ReadonlyArray<JsonObject> }>).flatMap(
      (chunk) => chunk.choices
    )
    const deltas = choices.map(({ delta }) => delta as JsonObject)
    assert.deepStrictEqual(
      deltas.flatMap((delta) => delta.function_call ?? []),
      [{ name: "f", arguments: "" }, { arguments: `{"x"` }, { arguments: ":1}" }]
    )
    for (const delta of deltas) assert.notProperty(delta, "tool_calls")
    assert.strictEqual(choices.at(-1)!.finish_reason, "function_call")
  })
})
