/** Answers of who speaks Messages for a Responses client, streamed and whole, as OpenAI's own accumulator reads them. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import OpenAI from "openai"
import { messagesResponseToResponses } from "../../../../src/formats/convert/messages-to-responses/answer.ts"
import { readMark } from "../../../../src/formats/convert/reasoning-marks.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { writeOrigin } from "../../../../src/formats/convert/tool-origin.ts"
import { contextFor } from "../../../wire/models.ts"
import { responsesStreamFault } from "../../../wire/responses/legal-responses.ts"
import { readClient } from "../../../wire/responses/read-client.ts"
import { eventStream, sameWhereverCut } from "../../../wire/stream-answers.ts"
import { runCodec } from "../../../wire/stream-runner.ts"
import { ends, opens, piece, said, start, stops } from "../messages-streams.ts"

const toolNames = new Map([
  ["patch", writeOrigin({ name: "patch", namespace: undefined, isCustom: true })],
  ["crm__find", writeOrigin({ name: "find", namespace: "crm", isCustom: false })]
])
const echo =
  '"instructions":null,"max_output_tokens":null,"metadata":{},"parallel_tool_calls":true,"temperature":1,' +
  '"tool_choice":"auto","tools":[],"top_p":1,"truncation":"disabled","reasoning":{"effort":null,"summary":null},"text":{"format":{"type":"text"}}'
const context = contextFor("a-model", { toolNames, family: "claude", tellsRefusals: true, echo })
const make = () => pairs.responses.messages.stream(context)

const bytesOf = (events: ReadonlyArray<JsonObject>): Buffer =>
  Buffer.from(
    events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
  )

/** What the official client has in the end, wherever the bytes were cut. */
const streamed = async (events: ReadonlyArray<JsonObject>) => {
  const bytes = bytesOf(events)
  sameWhereverCut(bytes, make, "responses", 120)
  const text = runCodec(make(), [bytes], "responses")
  assert.isUndefined(responsesStreamFault(readClient("responses", "text/event-stream", text).events))
  const client = new OpenAI({ apiKey: "k", maxRetries: 0, fetch: eventStream(text) })
  return client.responses.stream({ model: "m", input: "q" }).finalResponse()
}

const call = (index: number, id: string, name: string, ...pieces: ReadonlyArray<string>) => [
  opens(index, { type: "tool_use", id, name, input: {} }),
  ...pieces.map((partial_json) => piece(index, { type: "input_json_delta", partial_json })),
  stops(index)
]
const thought = (index: number, thinking: string, signature: string) => [
  opens(index, { type: "thinking", thinking: "", signature: "" }),
  ...(thinking === "" ? [] : [piece(index, { type: "thinking_delta", thinking })]),
  piece(index, { type: "signature_delta", signature }),
  stops(index)
]

describe("a streamed answer", () => {
  it("of a thought and a text is an item each, the thought with what it comes back under", async () => {
    const { output, output_text, status, usage } = await streamed([
      start(),
      ...thought(0, "hm", "sig"),
      ...said(1, "Xin chào 😀"),
      ...ends("end_turn")
    ])
    const [reasoning] = output as unknown as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(reasoning!.summary as unknown, [{ type: "summary_text", text: "hm" }])
    assert.deepStrictEqual(readMark(reasoning!.encrypted_content), {
      family: "claude",
      kind: "thought",
      payload: "sig"
    })
    assert.strictEqual(output_text, "Xin chào 😀")
    assert.strictEqual(status, "completed")
    assert.deepInclude(usage, { input_tokens: 10, output_tokens: 5, total_tokens: 15 })
  })

  it("keeps thoughts that are not told", async () => {
    const { output } = await streamed([
      start(),
      opens(0, { type: "redacted_thinking", data: "secret" }),
      stops(0),
      ...thought(1, "", "sig"),
      ...said(2, "a"),
      ...ends("end_turn")
    ])
    const marks = (output as unknown as ReadonlyArray<JsonObject>).map(
      (item) => readMark(item.encrypted_content)?.payload
    )
    assert.deepStrictEqual(marks, ["secret", "sig", undefined])
  })

  it("of calls at once has each in its own kind, with its group", async () => {
    const { output } = await streamed([
      start(),
      ...said(0, "so"),
      ...call(1, "a", "f", '{"x":', '"\\u1ea1"}'),
      ...call(2, "b", "patch", '{"inp', 'ut":"*** \\"', 'x\\"\\n"}'),
      ...call(3, "c", "crm__find"),
      ...ends("tool_use")
    ])
    const items = output as unknown as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(
      items.map(({ type }) => type),
      ["message", "function_call", "custom_tool_call", "function_call"]
    )
    assert.deepInclude(items[1], { call_id: "a", name: "f" })
    assert.deepStrictEqual(JSON.parse(String(items[1]!.arguments)), { x: "ạ" })
    assert.deepInclude(items[2], { call_id: "b", name: "patch", input: '*** "x"\n' })
    assert.deepInclude(items[3], { call_id: "c", name: "find", namespace: "crm", arguments: "{}" })
  })

  it("whose upstream leaves its start out begins as any other", async () => {
    const { output_text, status } = await streamed([...said(0, "Xin chào"), ...ends("end_turn")])
    assert.deepStrictEqual([output_text, status], ["Xin chào", "completed"])
    const empty = await streamed(ends("end_turn"))
    assert.deepStrictEqual([empty.output, empty.status], [[], "completed"])
  })

  it("whose count never comes is counted by what was seen of it, not by what its start said", async () => {
    const [end, stop] = ends("end_turn")
    const told = [start(), ...said(0, "a"), ...said(1, "b"), ...said(2, "c"), { ...end!, usage: null }, stop!]
    const { usage } = await streamed(told)
    assert.deepInclude(usage, { input_tokens: 10, output_tokens: 3, total_tokens: 13 })
  })

  it("leaves out what its provider's own tools did", async () => {
    const { output } = await streamed([
      start(),
      opens(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
      piece(0, { type: "input_json_delta", partial_json: "{}" }),
      stops(0),
      opens(1, { type: "web_search_tool_result", tool_use_id: "s", content: [] }),
      stops(1),
      ...said(2, "found"),
      ...ends("end_turn")
    ])
    assert.deepStrictEqual(
      output.map(({ type }) => type),
      ["message"]
    )
  })

  it.each([
    ["max_tokens", "max_output_tokens"],
    ["model_context_window_exceeded", "max_output_tokens"],
    ["refusal", "content_filter"]
  ])("that ended with %s is incomplete for %s", async (reason, expected) => {
    const { completed_at, incomplete_details, status } = await streamed([
      start(),
      ...said(0, "a"),
      ...ends(reason)
    ])
    assert.strictEqual(status, "incomplete")
    assert.isNull(completed_at)
    assert.strictEqual(incomplete_details?.reason, expected)
  })

  it.each([
    ["breaks off", [start(), ...said(0, "a")], "server_error"],
    [
      "says an error",
      [start(), ...said(0, "a"), { type: "error", error: { type: "overloaded_error", message: "busy" } }],
      "server_error"
    ],
    [
      "says a limit",
      [start(), { type: "error", error: { type: "rate_limit_error", message: "slow" } }],
      "rate_limit_exceeded"
    ]
  ])("that %s is a failed response with a code", (_, events, code) => {
    const text = runCodec(make(), [bytesOf(events as ReadonlyArray<JsonObject>)], "responses")
    const { error, events: told, final } = readClient("responses", "text/event-stream", text)
    assert.isUndefined(responsesStreamFault(told))
    assert.strictEqual(final?.status, "failed")
    assert.isNull(final?.usage)
    assert.strictEqual(error?.code, code)
  })
})

describe("a whole answer", () => {
  const answer = (content: ReadonlyArray<JsonObject>, more: JsonObject = {}): JsonObject => ({
    type: "message",
    role: "assistant",
    content,
    stop_reason: "end_turn",
    usage: { input_tokens: 10, cache_read_input_tokens: 3, output_tokens: 5 },
    ...more
  })

  it("has the items that its stream would have had", async () => {
    const content = [
      { type: "thinking", thinking: "hm", signature: "sig" },
      { type: "text", text: "so" },
      { type: "tool_use", id: "b", name: "patch", input: { input: "x" } }
    ]
    const whole = Result.getOrThrow(
      messagesResponseToResponses(answer(content, { stop_reason: "tool_use" }), context)
    )
    const stream = await streamed([
      start(),
      ...thought(0, "hm", "sig"),
      ...said(1, "so"),
      ...call(2, "b", "patch", '{"input":"x"}'),
      ...ends("tool_use")
    ])
    const bare = (items: unknown) =>
      JSON.parse(JSON.stringify(items, (name, value) => (name === "parsed" ? undefined : value)))
    assert.deepStrictEqual(bare(whole.output), bare(stream.output))
    assert.deepInclude(whole.usage as JsonObject, { input_tokens: 13, output_tokens: 5, total_tokens: 18 })
    assert.deepInclude((whole.usage as JsonObject).input_tokens_details as JsonObject, { cached_tokens: 3 })
  })

  it("of nothing is complete and empty", () => {
    const { completed_at, output, status } = Result.getOrThrow(
      messagesResponseToResponses(answer([]), context)
    )
    assert.deepStrictEqual([output, status], [[], "completed"] as unknown)
    assert.isAtLeast(Number(completed_at), context.now)
  })

  it.each([
    [{ type: "error", error: { type: "overloaded_error", message: "busy" } }],
    [{ content: "text" }],
    [{}]
  ])("as %j is none", (body) => {
    assert.isTrue(Result.isFailure(messagesResponseToResponses(body as JsonObject, context)))
  })
})
