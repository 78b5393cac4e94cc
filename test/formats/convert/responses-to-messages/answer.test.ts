/** Answers of who speaks Responses for Messages and chat clients, as the official accumulators read them. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { responsesResponseToMessages } from "../../../../src/formats/convert/responses-to-messages/answer.ts"
import { readMark } from "../../../../src/formats/convert/reasoning-marks.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { contextFor } from "../../../wire/models.ts"
import { readWithAnthropic, readWithOpenAI, sameWhereverCut } from "../../../wire/stream-answers.ts"
import { runCodec } from "../../../wire/stream-runner.ts"

const context = contextFor("a-model", { toolNames: new Map([["f_1", "a.f"]]), family: "gpt" })
const toMessages = () => pairs.messages.responses.stream(context)
const toChat = () => pairs.chat_completions.responses.stream(context)
const usage = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 17
}

const message = (text: string): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }]
})
const refusal = { ...message(""), content: [{ type: "refusal", refusal: "No." }] }
const thought = (text: string): JsonObject => ({
  id: "rs_1",
  type: "reasoning",
  summary: text === "" ? [] : [{ type: "summary_text", text }],
  encrypted_content: "gAAAA"
})
const call = (call_id: string, name: string, args: string): JsonObject => ({
  id: `fc_${call_id}`,
  type: "function_call",
  call_id,
  name,
  arguments: args
})
const custom = { id: "ctc_1", type: "custom_tool_call", call_id: "c", name: "patch", input: "*** x" }

const response = (output: ReadonlyArray<JsonObject>, more: JsonObject = {}): JsonObject => ({
  id: "resp_1",
  object: "response",
  status: "completed",
  output,
  usage,
  ...more
})

/** The events between an item's beginning and its end. */
const pieces = (item: JsonObject, output_index: number): ReadonlyArray<JsonObject> => {
  const cut = (type: string, text: string, summary_index?: number) =>
    (text.match(/.{1,2}/gsu) ?? []).map((delta) => ({ type, output_index, delta, summary_index }))
  const [part] = (item.content ?? []) as ReadonlyArray<JsonObject>
  if (item.type === "function_call")
    return cut("response.function_call_arguments.delta", String(item.arguments))
  if (item.type === "custom_tool_call")
    return cut("response.custom_tool_call_input.delta", String(item.input))
  if (item.type === "reasoning")
    return (item.summary as ReadonlyArray<JsonObject>).flatMap(({ text }, summary_index) =>
      cut("response.reasoning_summary_text.delta", String(text), summary_index)
    )
  if (part?.type === "refusal") return cut("response.refusal.delta", String(part.refusal))
  return cut("response.output_text.delta", String(part?.text))
}

const begun: Readonly<Record<string, JsonObject>> = {
  function_call: { arguments: "" },
  custom_tool_call: { input: "" },
  reasoning: { summary: [] },
  message: { content: [] }
}

const eventsOf = (items: ReadonlyArray<JsonObject>, more: JsonObject = {}): ReadonlyArray<JsonObject> => [
  { type: "response.created", response: response([], { status: "in_progress", usage: null }) },
  ...items.flatMap((item, output_index) => [
    { type: "response.output_item.added", output_index, item: { ...item, ...begun[String(item.type)] } },
    ...pieces(item, output_index),
    { type: "response.output_item.done", output_index, item }
  ]),
  {
    type: more.status === "incomplete" ? "response.incomplete" : "response.completed",
    response: response(items, more)
  }
]

const bytesOf = (events: ReadonlyArray<JsonObject>): Buffer =>
  Buffer.from(
    events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join("")
  )

const read = async (events: ReadonlyArray<JsonObject>) => {
  const bytes = bytesOf(events)
  sameWhereverCut(bytes, toMessages, "messages", 120)
  sameWhereverCut(bytes, toChat, "chat", 120)
  return {
    messages: await readWithAnthropic(runCodec(toMessages(), [bytes], "messages")),
    chat: (await readWithOpenAI(runCodec(toChat(), [bytes], "chat"))).choices[0]!
  }
}

const blocks = (content: ReadonlyArray<{ readonly type: string }>) => content.map(({ type }) => type)

describe("a streamed answer", () => {
  it("of a thought and a text comes in both, the thought under a mark that holds the provider's own", async () => {
    const { chat, messages } = await read(eventsOf([thought("hm"), message("Xin chào")]))
    const [first, second] = messages.content
    assert.deepInclude(second, { type: "text", text: "Xin chào" })
    assert.strictEqual(first?.type, "thinking")
    if (first?.type === "thinking") {
      assert.strictEqual(first.thinking, "hm")
      assert.deepStrictEqual(readMark(first.signature), {
        family: "gpt",
        kind: "item",
        payload: "rs_1:gAAAA"
      })
    }
    assert.deepInclude(messages.usage, {
      input_tokens: 5,
      cache_read_input_tokens: 4,
      cache_creation_input_tokens: 1,
      output_tokens: 7
    })
    assert.strictEqual(messages.stop_reason, "end_turn")
    assert.strictEqual(chat.message.content, "Xin chào")
    assert.strictEqual((chat.message as unknown as JsonObject).reasoning_content, "hm")
  })

  it("of a thought that is not told keeps what it comes back under", async () => {
    const { messages } = await read(eventsOf([thought(""), message("a")]))
    assert.deepStrictEqual(blocks(messages.content), ["thinking", "text"])
  })

  it("of calls has their own names, and ends for them", async () => {
    const { chat, messages } = await read(eventsOf([call("a", "f_1", '{"x":"é"}'), call("b", "g", "")]))
    assert.deepStrictEqual(messages.content as unknown, [
      { type: "tool_use", id: "a", name: "a.f", input: { x: "é" }, caller: { type: "direct" } },
      { type: "tool_use", id: "b", name: "g", input: {}, caller: { type: "direct" } }
    ])
    assert.strictEqual(messages.stop_reason, "tool_use")
    assert.deepStrictEqual(
      chat.message.tool_calls?.map(({ id }) => id),
      ["a", "b"]
    )
    assert.strictEqual(chat.finish_reason, "tool_calls")
  })

  it("of a custom tool's call reaches chat clients as such", () => {
    const text = runCodec(toChat(), [bytesOf(eventsOf([custom]))], "chat")
    assert.include(text, '"type":"custom"')
    const inputs = [...text.matchAll(/"input":"((?:[^"\\]|\\.)*)"/g)].map(([, input]) => input).join("")
    assert.strictEqual(inputs, "*** x")
  })

  it("whose items are told by turns is put in their order", async () => {
    const [a, b] = [call("a", "f_1", '{"x":1}'), call("b", "g", '{"y":2}')]
    const [created, ...rest] = eventsOf([a, b])
    const end = rest.at(-1)!
    const of = (index: number) => rest.filter((event) => event.output_index === index)
    const mixed: Array<JsonObject> = []
    for (const place of [...of(0), ...of(1)].keys())
      for (const index of [0, 1]) mixed.push(...of(index).slice(place, place + 1))
    const { messages } = await read([created!, ...mixed, end])
    assert.deepStrictEqual(
      messages.content.map((block) => (block.type === "tool_use" ? block.input : {})) as unknown,
      [{ x: 1 }, { y: 2 }]
    )
  })

  it("whose items are told in the end alone, or are of a kind nobody knows, is read all the same", async () => {
    const [created] = eventsOf([])
    const items = [{ type: "web_search_call", id: "ws_1", status: "completed" }, message("found")]
    const { chat, messages } = await read([
      created!,
      { type: "response.completed", response: response(items) }
    ])
    assert.deepStrictEqual(blocks(messages.content), ["text"])
    assert.strictEqual(chat.message.content, "found")
    const { messages: other } = await read(eventsOf([{ type: "of_tomorrow", id: "x" }, message("a")]))
    assert.deepStrictEqual(blocks(other.content), ["text"])
  })

  it("of a call whose arguments are told whole, and only so, has them", async () => {
    const events = eventsOf([call("a", "f_1", '{"x":1}')]).filter(
      ({ type }) => !String(type).endsWith("delta")
    )
    const [created, added] = events
    const whole = { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"x":1}' }
    const end = { type: "response.completed", response: response([]) }
    const { chat, messages } = await read([created!, added!, whole, end])
    assert.deepInclude(messages.content[0], { name: "a.f", input: { x: 1 } })
    assert.lengthOf(chat.message.tool_calls!, 1)
  })

  it("whose items begin without a word is told once, be they told in the end or not", async () => {
    const items = [thought("hm"), message("found"), call("a", "f_1", '{"x":1}')]
    const events = eventsOf(items)
    const unannounced = events.filter(({ type }) => type !== "response.output_item.added")
    const untold = unannounced.filter(({ type }) => type !== "response.output_item.done")
    for (const each of [unannounced, untold]) {
      const { chat, messages } = await read(each)
      assert.deepStrictEqual(blocks(messages.content), ["thinking", "text", "tool_use"])
      assert.deepInclude(messages.content[1], { text: "found" })
      assert.deepInclude(messages.content[2], { name: "a.f", input: { x: 1 } })
      assert.strictEqual(chat.message.content, "found")
      assert.strictEqual((chat.message as unknown as JsonObject).reasoning_content, "hm")
      assert.lengthOf(chat.message.tool_calls!, 1)
    }
    const { messages } = await read([...untold.slice(0, -1), { ...untold.at(-1)!, response: response([]) }])
    assert.deepStrictEqual(blocks(messages.content), ["thinking", "text"])
  })

  it.each([
    [{ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }, "max_tokens", "length"],
    [{ status: "incomplete", incomplete_details: { reason: "content_filter" } }, "refusal", "content_filter"]
  ])("that is %j ends as %s and %s", async (more, stop, finish) => {
    const { chat, messages } = await read(eventsOf([message("a")], more))
    assert.strictEqual(messages.stop_reason, stop)
    assert.strictEqual(chat.finish_reason, finish)
  })

  it.each([false, ""])("that names no error (%j) is none", async (error) => {
    const { chat, messages } = await read(eventsOf([message("a")], { error }))
    assert.strictEqual(messages.stop_reason, "end_turn")
    assert.strictEqual(chat.finish_reason, "stop")
    assert.isTrue(Result.isSuccess(responsesResponseToMessages(response([message("a")], { error }), context)))
  })

  it("that only its last event's name calls incomplete is cut short", async () => {
    const told: JsonObject = { output: [], usage, incomplete_details: { reason: "max_output_tokens" } }
    for (const end of [{ response: told }, { response: { ...told, incomplete_details: null } }, {}]) {
      const events = [...eventsOf([message("a")]).slice(0, -1), { type: "response.incomplete", ...end }]
      const { chat, messages } = await read(events)
      assert.strictEqual(messages.stop_reason, "max_tokens")
      assert.strictEqual(chat.finish_reason, "length")
    }
  })

  it("of a refusal says so", async () => {
    const { chat, messages } = await read(eventsOf([refusal]))
    assert.strictEqual(messages.stop_reason, "refusal")
    assert.strictEqual(chat.message.refusal, "No.")
  })

  it.each([
    [
      "fails",
      {
        type: "response.failed",
        response: response([], { status: "failed", error: { code: "server_error", message: "x" } })
      }
    ],
    [
      "fails by an event of another name",
      { type: "response.completed", response: response([message("a")], { status: "failed", error: null }) }
    ],
    [
      "has an error in its end",
      { type: "response.completed", response: response([message("a")], { error: { code: "server_error" } }) }
    ],
    ["says an error", { type: "error", error: { type: "server_error", message: "x" } }],
    ["breaks off", { type: "response.in_progress" }]
  ])("that %s never looks like a clean end", (_, last) => {
    const bytes = bytesOf([...eventsOf([message("a")]).slice(0, -1), last as JsonObject])
    assert.notInclude(runCodec(toMessages(), [bytes], "messages"), "message_stop")
    assert.notInclude(runCodec(toChat(), [bytes], "chat"), "[DONE]")
  })
})

describe("a whole answer", () => {
  it("has the blocks that its stream would have had", async () => {
    const items = [thought("hm"), message("so"), call("a", "f_1", '{"x":1}')]
    const whole = Result.getOrThrow(responsesResponseToMessages(response(items), context))
    const { messages } = await read(eventsOf(items))
    assert.deepStrictEqual(
      JSON.parse(JSON.stringify(whole.content)),
      JSON.parse(JSON.stringify(messages.content))
    )
    assert.strictEqual(whole.stop_reason, "tool_use")
  })

  it("keeps arguments that are no object", () => {
    const whole = Result.getOrThrow(responsesResponseToMessages(response([call("a", "g", "{")]), context))
    assert.include(JSON.stringify(whole.content), '"input":{"INVALID_JSON":"{"}')
  })

  it.each([
    [response([], { status: "failed", error: { code: "server_error", message: "x" } })],
    [response([], { status: "cancelled" })],
    [{ output: "text" }]
  ])("as %j is none", (body) => {
    assert.isTrue(Result.isFailure(responsesResponseToMessages(body as JsonObject, context)))
  })
})
