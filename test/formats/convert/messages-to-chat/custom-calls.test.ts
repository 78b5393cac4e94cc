/** Calls of custom tools for a chat client, streamed and whole, as OpenAI's own accumulator reads them. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream"
import { pairs } from "../../../../src/formats/pairs.ts"
import { messagesResponseToChat } from "../../../../src/formats/convert/messages-to-chat/answer.ts"
import { writeOrigin } from "../../../../src/formats/convert/tool-origin.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { converseFrame } from "../../../wire/aws-frames.ts"
import { contextFor } from "../../../wire/models.ts"
import { sameWhereverCut } from "../../../wire/stream-answers.ts"
import { readFrames, runCodec } from "../../../wire/stream-runner.ts"
import { ends, opens, piece, run, start, stops } from "../messages-streams.ts"

const toolNames = new Map([["run_1", writeOrigin({ name: "run", namespace: undefined, isCustom: true })]])
const context = contextFor("claude-x", { toolNames })

const call = (index: number, name: string, ...pieces: ReadonlyArray<string>) => [
  opens(index, { type: "tool_use", id: `id_${index}`, name, input: {} }),
  ...pieces.map((partial_json) => piece(index, { type: "input_json_delta", partial_json })),
  stops(index)
]
const callsIn = (deltas: ReadonlyArray<JsonObject>) =>
  deltas.flatMap((delta) => (delta.tool_calls ?? []) as ReadonlyArray<JsonObject>)
const streamed = (...events: ReadonlyArray<JsonObject>) =>
  run([start(), ...events, ...ends("tool_use")], { toolNames })
const inputOf = (...pieces: ReadonlyArray<string>) =>
  callsIn(streamed(...call(0, "run_1", ...pieces)).deltas)
    .map(({ custom }) => (custom as JsonObject).input)
    .join("")

const answer = (content: ReadonlyArray<JsonObject>) => ({ content, stop_reason: "tool_use" })
const whole = (input: JsonObject) => {
  const content = [{ type: "tool_use", id: "a", name: "run_1", input }]
  const { choices } = Result.getOrThrow(messagesResponseToChat(answer(content), context))
  return (choices as ReadonlyArray<{ readonly message: JsonObject; readonly finish_reason: string }>)[0]!
}

const accumulated = async (frames: ReadonlyArray<unknown>) => {
  const lines = frames.filter((frame) => frame !== "[DONE]").map((frame) => `${JSON.stringify(frame)}\n`)
  const stream = ChatCompletionStream.fromReadableStream(new Blob(lines).stream())
  const { choices } = await stream.finalChatCompletion()
  return JSON.parse(JSON.stringify(choices[0]!.message.tool_calls))
}

const text = 'print("Huế 😀")\n\t\\d'

describe("a custom tool's call, streamed", () => {
  it("is told piece by piece as its text grows, and a function's beside it as its JSON", () => {
    const { deltas, reasons } = streamed(
      ...call(0, "f", `{"x"`, ":1}"),
      ...call(1, "run_1", `{"in`, `put":"`, "*** ", `\\"x\\`, `"\\n`, `end"`, "}"),
      ...call(2, "run_1")
    )
    assert.deepStrictEqual(callsIn(deltas), [
      { index: 0, id: "id_0", type: "function", function: { name: "f", arguments: "" } },
      { index: 0, function: { arguments: `{"x"` } },
      { index: 0, function: { arguments: ":1}" } },
      { index: 1, id: "id_1", type: "custom", custom: { name: "run", input: "" } },
      { index: 1, custom: { input: "*** " } },
      { index: 1, custom: { input: '"x' } },
      { index: 1, custom: { input: '"\n' } },
      { index: 1, custom: { input: "end" } },
      { index: 2, id: "id_2", type: "custom", custom: { name: "run", input: "" } }
    ])
    assert.deepStrictEqual(reasons, ["tool_calls"])
  })

  it.each([
    [[`{"input":"${"a".repeat(9)}"}`], "aaaaaaaaa"],
    [[`{"input":""}`], ""],
    [["{}"], ""],
    [[`{"text"`, `:"x"}`], `{"text":"x"}`],
    [[`{"input":`, `["x"]}`], `{"input":["x"]}`],
    [["plain ", "text"], "plain text"],
    [[`{"input":"cut`], "cut"],
    [[`{"input":"cut\\u00`], "cut"]
  ])("of which %j came tells %j", (pieces, expected) => {
    assert.strictEqual(inputOf(...pieces), expected)
  })

  it("may come with its start, and may never be closed", () => {
    const begun = opens(0, { type: "tool_use", id: "a", name: "run_1", input: { input: text } })
    for (const events of [[begun, stops(0)], [begun]])
      assert.deepStrictEqual(callsIn(streamed(...events).deltas), [
        { index: 0, id: "a", type: "custom", custom: { name: "run", input: "" } },
        { index: 0, custom: { input: text } }
      ])
  })

  it("is the same wherever its bytes are cut, and what the whole answer holds", async () => {
    const events = [start(), ...call(0, "run_1", ...JSON.stringify({ input: text })), ...ends("tool_use")]
    const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
    const make = () => pairs.chat_completions.messages.stream(context)
    sameWhereverCut(bytes, make, "chat", 100)
    assert.deepStrictEqual(await accumulated(readFrames(runCodec(make(), [bytes], "chat"))), [
      { id: "id_0", type: "custom", custom: { name: "run", input: text } }
    ])
  })

  it("weighs as much as a function's", () => {
    const written = JSON.stringify({ input: "word ".repeat(50) })
    const events = [start(), ...call(0, "run_1", ...written.match(/.{1,7}/g)!), ...ends("tool_use")]
    assert.deepEqual(run(events, { toolNames }).codec.meter, run(events).codec.meter)
  })
})

describe("a custom tool's call in a whole answer", () => {
  it("has its text", () => {
    const { finish_reason, message } = whole({ input: text })
    assert.deepStrictEqual(message.tool_calls as unknown, [
      { id: "a", type: "custom", custom: { name: "run", input: text } }
    ])
    assert.strictEqual(finish_reason, "tool_calls")
  })

  it.each([
    [{ input: "" }, ""],
    [{}, ""],
    [{ text: "x" }, `{"text":"x"}`],
    [{ input: 1 }, `{"input":1}`]
  ])("that was made with %j has the text %j", (input, expected) => {
    const [{ custom }] = whole(input).message.tool_calls as [{ readonly custom: JsonObject }]
    assert.strictEqual(custom.input, expected)
  })
})

describe("a custom tool's call from Converse", () => {
  const expected = [{ id: "a", type: "custom", custom: { name: "run", input: text } }]
  const pair = pairs.chat_completions.converse

  it("is told whole", () => {
    const content = [{ toolUse: { toolUseId: "a", name: "run_1", input: { input: text } } }]
    const body = { output: { message: { role: "assistant", content } }, stopReason: "tool_use" }
    const told = Result.getOrThrow(pair.answer(body, Buffer.alloc(0), context))
    const { choices } = JSON.parse(Buffer.from(told).toString())
    assert.deepStrictEqual(choices[0].message.tool_calls, expected)
  })

  it("is told as a stream", async () => {
    const block = { contentBlockIndex: 0 }
    const bytes = Buffer.concat([
      converseFrame("messageStart", { role: "assistant" }),
      converseFrame("contentBlockStart", { ...block, start: { toolUse: { toolUseId: "a", name: "run_1" } } }),
      ...JSON.stringify({ input: text })
        .match(/.{1,6}/gu)!
        .map((input) => converseFrame("contentBlockDelta", { ...block, delta: { toolUse: { input } } })),
      converseFrame("contentBlockStop", block),
      converseFrame("messageStop", { stopReason: "tool_use" }),
      converseFrame("metadata", { usage: { inputTokens: 3, outputTokens: 4, totalTokens: 7 } })
    ])
    const frames = readFrames(runCodec(pair.stream(context), [bytes], "chat"))
    assert.deepStrictEqual(await accumulated(frames), expected)
  })
})
