import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { pairs } from "../../../../src/formats/pairs.ts"
import { messagesResponseToChat } from "../../../../src/formats/convert/messages-to-chat/answer.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { contextFor } from "../../../wire/models.ts"
import { ends, opens, piece, run, said, start, stops } from "../messages-streams.ts"

describe("a Messages stream, as a chat stream", () => {
  it("C72 C73 tool calls are numbered among themselves, with an id and a name first and arguments that parse", () => {
    const { deltas, reasons, frames } = run([
      start(),
      ...said(0, "t"),
      opens(1, { type: "tool_use", id: "a", name: "f", input: {} }),
      piece(1, { type: "input_json_delta", partial_json: "" }),
      piece(1, { type: "input_json_delta", partial_json: `{"x"` }),
      piece(1, { type: "input_json_delta", partial_json: ":1}" }),
      stops(1),
      opens(2, { type: "tool_use", id: "b", name: "g", input: {} }),
      stops(2),
      opens(3, { type: "tool_use", id: "c", name: "h", input: { y: 2 } }),
      stops(3),
      ...ends("tool_use")
    ])
    const calls = deltas.flatMap((delta) => (delta.tool_calls ?? []) as ReadonlyArray<JsonObject>)
    const whole = [0, 1, 2].map((index) => {
      const own = calls.filter((call) => call.index === index)
      const input = own.map((call) => (call.function as JsonObject).arguments).join("")
      return [own[0]!.id, own[0]!.type, (own[0]!.function as JsonObject).name, input]
    })
    assert.deepStrictEqual(whole, [
      ["a", "function", "f", `{"x":1}`],
      ["b", "function", "g", "{}"],
      ["c", "function", "h", `{"y":2}`]
    ])
    assert.deepStrictEqual(reasons, ["tool_calls"])
    assert.strictEqual(frames.at(-1), "[DONE]")
  })

  it("C74 the counts of start and end are put together, each token once", () => {
    const { chunks, codec } = run([
      start({
        input_tokens: 13,
        cache_read_input_tokens: 22_000,
        cache_creation_input_tokens: 31,
        output_tokens: 1
      }),
      ...said(0, "t"),
      ...ends("end_turn", { output_tokens: 4, input_tokens: 0 })
    ])
    assert.deepInclude(chunks.at(-1)!.usage, {
      prompt_tokens: 22_044,
      completion_tokens: 4,
      total_tokens: 22_048
    })
    assert.deepInclude((chunks.at(-1)!.usage as JsonObject).prompt_tokens_details, { cached_tokens: 22_000 })
    assert.deepStrictEqual(codec.usage, { inputTokens: 22_044, outputTokens: 4 })
  })

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["pause_turn", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
    ["a_new_reason", "stop"]
  ])("C75 %s is %s", (reason, expected) => {
    assert.deepStrictEqual(run([start(), ...said(0, "t"), ...ends(reason)]).reasons, [expected])
  })

  it("C72 a call is to be answered, also where the turn only ended", () => {
    const call = [opens(0, { type: "tool_use", id: "a", name: "f", input: {} }), stops(0)]
    for (const reason of ["tool_use", "end_turn"])
      assert.deepStrictEqual(run([start(), ...call, ...ends(reason)]).reasons, ["tool_calls"])
  })

  it("a refusal carries its explanation", () => {
    const { joined } = run([
      start(),
      ...ends("refusal", {}, { stop_details: { type: "refusal", explanation: "not this" } })
    ])
    assert.strictEqual(joined("refusal"), "not this")
  })

  it("C76 thinking is reasoning, never content; its signature goes along for the way back", () => {
    const { joined, deltas } = run([
      start(),
      opens(0, { type: "thinking", thinking: "", signature: "" }),
      piece(0, { type: "thinking_delta", thinking: "hm" }),
      piece(0, { type: "signature_delta", signature: "SIG" }),
      stops(0),
      opens(1, { type: "redacted_thinking", data: "D" }),
      stops(1),
      ...said(2, "42"),
      ...ends("end_turn")
    ])
    assert.strictEqual(joined("content"), "42")
    assert.strictEqual(joined("reasoning_content"), "hm")
    assert.deepStrictEqual(
      deltas.flatMap((delta) => delta.thinking_blocks ?? []),
      [
        { index: 0, type: "thinking", thinking: "hm", signature: "SIG" },
        { index: 1, type: "redacted_thinking", data: "D" }
      ]
    )
  })

  it("tells about how much was written where the upstream does not count, as other streams do", () => {
    const { chunks, codec } = run([start({}), ...said(0, "a"), ...said(1, "b"), ...ends("end_turn", {})])
    assert.deepInclude(chunks.at(-1)!.usage, { prompt_tokens: 42, completion_tokens: 2, total_tokens: 44 })
    assert.isUndefined(codec.usage)
  })

  it("C77 usage comes in a chunk of its own when it was asked for, and else not at all", () => {
    const events = [start(), ...said(0, "t"), ...ends("end_turn")]
    const asked = run(events).chunks
    assert.deepStrictEqual(asked.at(-1)!.choices, [])
    for (const chunk of asked.slice(0, -1)) assert.isNull(chunk.usage)
    const silent = run(events, { includeUsage: false })
    for (const chunk of silent.chunks) assert.notProperty(chunk, "usage")
    assert.deepStrictEqual(silent.codec.usage, { inputTokens: 10, outputTokens: 5 })
  })

  it("C98 an error, an early end and a spliced stream end without a finish and without [DONE]", () => {
    const failing = [
      [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
      [],
      [start()],
      [ends("end_turn")[0]!]
    ]
    for (const rest of failing) {
      const { codec, frames, reasons, joined } = run([start(), ...said(0, "par"), ...rest])
      assert.strictEqual(codec.failure?.type, "api_error")
      assert.strictEqual(joined("content"), "par")
      assert.deepStrictEqual(reasons, [])
      assert.property(frames.at(-1), "error")
    }
    const untyped = run([
      start(),
      ...said(0, "par"),
      { error: { type: "rate_limit_error", message: "slow" } }
    ])
    assert.deepStrictEqual(untyped.codec.failure, { type: "rate_limit_error", message: "slow" })
  })

  it("a call whose block is never closed has arguments that parse all the same", () => {
    const call = { type: "tool_use", id: "a", name: "f", input: {} }
    const { deltas } = run([start(), opens(0, call), ...ends("tool_use")])
    const closing = deltas.flatMap((delta) => delta.tool_calls ?? []).at(-1)
    assert.deepStrictEqual(closing as unknown, { index: 0, function: { arguments: "{}" } })
  })

  it("a start told twice before any block is one start, counted by the later", () => {
    const { codec, joined, reasons } = run([
      start({ input_tokens: 10, output_tokens: 1 }),
      start({ input_tokens: 12, output_tokens: 1 }),
      ...said(0, "t"),
      ...ends("end_turn")
    ])
    assert.deepStrictEqual([joined("content"), reasons], ["t", ["stop"]])
    assert.deepStrictEqual(codec.usage, { inputTokens: 12, outputTokens: 5 })
  })

  it("blocks of the provider's own tools are none of the client's", () => {
    const { deltas, reasons, joined } = run([
      start(),
      opens(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      piece(0, { type: "input_json_delta", partial_json: `{"q":1}` }),
      stops(0),
      opens(1, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
      stops(1),
      { type: "ping" },
      opens(2, { type: "text", text: "" }),
      piece(2, { type: "text_delta", text: "A" }),
      piece(2, { type: "citations_delta", citation: { cited_text: "x" } }),
      stops(2),
      { type: "something_new" },
      ...ends("end_turn")
    ])
    assert.notInclude(JSON.stringify(deltas), "tool_calls")
    assert.strictEqual(joined("content"), "A")
    assert.deepStrictEqual(reasons, ["stop"])
  })

  it("blocks that the start already holds are told, and the end that it tells is the end", () => {
    const tool = { type: "tool_use", id: "toolu_1", name: "f", input: { a: 1 } }
    const begun = (content: ReadonlyArray<JsonObject>, stop_reason: string | null): JsonObject => ({
      type: "message_start",
      message: { id: "msg_1", content, stop_reason, usage: { input_tokens: 3, output_tokens: 0 } }
    })
    const whole = run([begun([{ type: "text", text: "A" }, tool], "tool_use"), { type: "message_stop" }])
    assert.isUndefined(whole.codec.failure)
    assert.strictEqual(whole.joined("content"), "A")
    assert.deepStrictEqual(whole.deltas.flatMap((delta) => delta.tool_calls ?? []) as unknown, [
      { index: 0, id: "toolu_1", type: "function", function: { name: "f", arguments: "" } },
      { index: 0, function: { arguments: `{"a":1}` } }
    ])
    assert.deepStrictEqual(whole.reasons, ["tool_calls"])
    assert.deepStrictEqual(whole.codec.usage, { inputTokens: 3, outputTokens: 0 })
    const goesOn = run([begun([{ type: "text", text: "A" }], null), ...said(1, "B"), ...ends("end_turn")])
    assert.strictEqual(goesOn.joined("content"), "AB")
    assert.isDefined(run([begun([], null), { type: "message_stop" }]).codec.failure)
  })

  it("nothing follows the end, nor an error, whatever the upstream still sends", () => {
    const late = [...said(1, "late"), ...ends("max_tokens", { output_tokens: 900 })]
    const over = run([start(), ...said(0, "A"), ...ends("end_turn"), ...late])
    assert.strictEqual(over.joined("content"), "A")
    assert.deepStrictEqual(over.reasons, ["stop"])
    assert.deepStrictEqual(over.codec.usage, { inputTokens: 10, outputTokens: 5 })
    const error = { type: "error", error: { type: "overloaded_error", message: "busy" } }
    const failed = run([start(), ...said(0, "A"), error, ...late])
    assert.strictEqual(failed.joined("content"), "A")
    assert.deepStrictEqual(failed.reasons, [])
    assert.isDefined(failed.codec.failure)
  })

  it("only content counts as content, and names come back as the client gave them", () => {
    const codec = pairs.chat_completions.messages.stream(
      contextFor("claude-x", { toolNames: new Map([["f_1", "f.x"]]) })
    )
    const push = (event: JsonObject) =>
      codec.push(Buffer.from(`data: ${JSON.stringify(event)}\n\n`))?.toString()
    push(start())
    push({ type: "ping" })
    push(opens(0, { type: "text", text: "" }))
    assert.isFalse(codec.contentSeen)
    assert.include(push(opens(1, { type: "tool_use", id: "a", name: "f_1", input: {} })), `"name":"f.x"`)
    assert.isTrue(codec.contentSeen)
  })
})

describe("a Messages answer, as a chat answer", () => {
  const convert = (content: ReadonlyArray<JsonObject>, more: JsonObject = {}) =>
    Result.getOrThrow(
      messagesResponseToChat(
        { content, stop_reason: "end_turn", usage: { input_tokens: 3, output_tokens: 2 }, ...more },
        contextFor("claude-x", { family: "claude" })
      )
    )

  it("C78 holds what the stream of the same answer holds", () => {
    const body = convert(
      [
        { type: "thinking", thinking: "hm", signature: "SIG" },
        { type: "text", text: "A" },
        { type: "text", text: "B" },
        { type: "tool_use", id: "a", name: "f", input: { x: 1 } }
      ],
      { stop_reason: "tool_use" }
    )
    assert.deepInclude(body, {
      id: "chatcmpl-01abc",
      object: "chat.completion",
      created: 1_750_000_000,
      model: "claude-x"
    })
    assert.deepStrictEqual((body.choices as ReadonlyArray<unknown>)[0], {
      index: 0,
      message: {
        role: "assistant",
        content: "AB",
        refusal: null,
        reasoning_content: "hm",
        thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "SIG" }],
        tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: `{"x":1}` } }]
      },
      logprobs: null,
      finish_reason: "tool_calls"
    })
    assert.deepInclude(body.usage, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 })
  })

  it("what is no answer is a failure", () => {
    for (const body of [
      {},
      { content: null },
      { type: "error", error: { type: "api_error", message: "x" } }
    ]) {
      assert.isTrue(Result.isFailure(messagesResponseToChat(body, contextFor())))
    }
  })
})
