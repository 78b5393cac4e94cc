/** Streams that count more than once or not as they should, and what is weighed of those that are left before they count. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { context } from "../bedrock-fixtures.ts"

const chunk = (delta: object | undefined, more: object = {}) =>
  `data: ${JSON.stringify({ choices: delta === undefined ? [] : [{ index: 0, delta }], ...more })}\n\n`
const said = chunk({ content: "one two three" })
const finish = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`
const usage = { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
const told = (counts: object) => chunk(undefined, { usage: counts })
const done = "data: [DONE]\n\n"

const fed = (codec: StreamCodec, frames: ReadonlyArray<string>): StreamCodec => {
  for (const frame of frames) codec.push(Buffer.from(frame))
  return codec
}

const ofChat = [
  [
    "passed on",
    (...frames: Array<string>) => fed(pairs.chat_completions.chat_completions.stream(context), frames)
  ],
  ["converted", (...frames: Array<string>) => fed(pairs.messages.chat_completions.stream(context), frames)],
  [
    "for Responses",
    (...frames: Array<string>) => fed(pairs.responses.chat_completions.stream(context), frames)
  ]
] as const

describe.each(ofChat)("a chat stream %s", (_, through) => {
  it("keeps its count where nothing but zeros comes behind it, and takes a later one", () => {
    const counts = { inputTokens: 5, outputTokens: 7 }
    for (const counted of [
      [told(usage), told(zeros)],
      [told(zeros), told(usage)],
      [told({ ...usage, completion_tokens: 2, total_tokens: 7 }), told(usage)],
      [chunk({}, { usage: { ...usage, prompt_tokens: 4 } }), told(usage)]
    ]) {
      const codec = through(said, finish, ...counted, done)
      assert.deepStrictEqual(codec.usage, counts)
      assert.isTrue(codec.usageIsFinal)
    }
  })

  it.each([null, false, 0, "", "none", []])("passes over a usage of %j, wherever it stands", (none) => {
    const nothing = chunk({ content: "one" }, { usage: none })
    const codec = through(nothing, finish, told(usage), chunk(undefined, { usage: none }), done)
    assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 7 })
    assert.isTrue(codec.usageIsFinal)
    assert.isFalse(codec.usageIsNonsense)
    assert.isUndefined(through(nothing, finish, done).usage)
    // Groq's and Moonshot's places beside an empty usual one.
    for (const beside of [{ x_groq: { usage } }, { choices: [{ index: 0, delta: {}, usage }] }])
      assert.deepStrictEqual(through(said, finish, chunk(undefined, { usage: none, ...beside })).usage, {
        inputTokens: 5,
        outputTokens: 7
      })
  })

  it("is told by a usage of zeros that stands alone", () => {
    const codec = through(said, finish, told(zeros), done)
    assert.deepStrictEqual(codec.usage, { inputTokens: 0, outputTokens: 0 })
    assert.isTrue(codec.usageIsFinal)
  })

  it("has counted all once its choice has ended, and not where zeros come before that", () => {
    const empty = { ...usage, completion_tokens: 0, total_tokens: 5 }
    assert.isTrue(through(said, finish, told(empty)).usageIsFinal)
    assert.isFalse(through(said, told(empty)).usageIsFinal)
    assert.isFalse(through(said, told(usage), said).usageIsFinal)
    assert.isTrue(through(said, told({ ...usage, completion_tokens: 1, total_tokens: 6 })).usageIsFinal)
  })

  it("has told nonsense until it tells a count", () => {
    const odd = told({ ...usage, completion_tokens: -1 })
    const isNonsense = (...frames: Array<string>) => through(said, finish, ...frames).usageIsNonsense
    assert.isTrue(isNonsense(odd))
    assert.isTrue(isNonsense(odd, chunk(undefined, { id: "c" })))
    assert.isFalse(isNonsense(odd, told(usage)))
    assert.isFalse(isNonsense(told(usage)))
    assert.isFalse(isNonsense())
  })
})

describe("a chat stream that is passed on", () => {
  const through = ofChat[0][1]

  it("is weighed by calls in the older form, and in a custom tool's", () => {
    const called = through(chunk({ function_call: { name: "f" } }))
    assert.isTrue(called.contentSeen)
    assert.strictEqual(called.meter.toolCalls, 1)
    const older = through(chunk({ function_call: { name: "f", arguments: "{}" } }))
    assert.isAbove(older.meter.events, called.meter.events)
    const custom = { index: 0, type: "custom", custom: { name: "f", input: "some words" } }
    assert.strictEqual(through(chunk({ tool_calls: [custom] })).meter.events, older.meter.events)
  })

  it("has content once sound has come", () => {
    assert.isTrue(through(chunk({ audio: { data: "UklGRg==" } })).contentSeen)
    assert.isFalse(through(chunk({ audio: null, role: "assistant" })).contentSeen)
  })
})

describe("a Responses stream that is passed on", () => {
  const event = (type: string, more: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
  const through = (...frames: Array<string>) => fed(pairs.responses.responses.stream(context), frames)
  const added = (item: object) => event("response.output_item.added", { output_index: 0, item })

  it("is final with the usage of its end, also of one that was cut", () => {
    const counts = { input_tokens: 5, output_tokens: 7 }
    for (const type of ["response.completed", "response.incomplete"]) {
      const codec = through(event(type, { response: { id: "r", output: [], usage: counts } }))
      assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 7 })
      assert.isTrue(codec.usageIsFinal)
      assert.isTrue(codec.finished)
    }
    const untold = through(event("response.completed", { response: { id: "r", output: [] } }))
    assert.isFalse(untold.usageIsFinal)
    const going = through(event("response.output_text.delta", { delta: "a" }))
    assert.isFalse(going.usageIsFinal)
  })

  it("is weighed by each call of a tool, and not by what only frames the answer", () => {
    const { contentSeen, meter } = through(added({ type: "function_call", name: "f" }))
    assert.deepStrictEqual([contentSeen, meter.toolCalls], [true, 1])
    const search = through(added({ type: "web_search_call" }))
    assert.deepStrictEqual([search.contentSeen, search.meter.toolCalls], [true, 1])
    const framed = through(added({ type: "message" }), added({ type: "reasoning" }))
    assert.deepStrictEqual([framed.contentSeen, framed.meter.toolCalls], [false, 0])
    const none = through(event("response.output_text.delta", { delta: "" }))
    assert.deepStrictEqual([none.contentSeen, none.meter.events], [false, 0])
  })

  it("is weighed by thoughts that nobody is shown", () => {
    const item = { type: "reasoning", encrypted_content: "e".repeat(300) }
    const hidden = event("response.output_item.done", { output_index: 0, item })
    assert.strictEqual(through(hidden, hidden).meter.opaqueCharacters, 600)
    assert.strictEqual(through(added(item)).meter.opaqueCharacters, 0)
  })
})
