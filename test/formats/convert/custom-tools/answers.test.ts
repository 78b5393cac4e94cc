/** Calls of custom tools from providers that speak chat and know functions alone, whole and streamed. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { writeOrigin } from "../../../../src/formats/convert/tool-origin.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { pairs } from "../../../../src/formats/pairs.ts"
import { contextFor } from "../../../wire/models.ts"
import { readWithOpenAI, sameWhereverCut } from "../../../wire/stream-answers.ts"
import { readFrames, runCodec } from "../../../wire/stream-runner.ts"

const toolNames = new Map([["run_1", writeOrigin({ name: "run", namespace: undefined, isCustom: true })]])
const context = contextFor("m", { toolNames })
const pair = pairs.chat_completions.chat_completions
const text = 'print("Huế 😀")\n\t\\d'
const inputOf = (input: string) => JSON.stringify({ input })

const nested = `${"[".repeat(5_000)}${"]".repeat(5_000)}`

const frame = (choices: ReadonlyArray<JsonObject>, more: JsonObject = {}) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices, ...more })}\n\n`
const chunk = (delta: JsonObject, finish_reason: string | null = null, index = 0) =>
  frame([{ index, delta, finish_reason }])
const calls = (...tool_calls: ReadonlyArray<JsonObject>) => chunk({ tool_calls })
const fn = (name: string, written = "") => ({ type: "function", function: { name, arguments: written } })
const more = (index: number, written: string) => ({ index, function: { arguments: written } })
const usage = frame([], { usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 } })
const ending = `${chunk({}, "tool_calls")}${usage}data: [DONE]\n\n`

const codec = () => pair.stream(context)
const told = (...frames: ReadonlyArray<string>) =>
  runCodec(codec(), [Buffer.from(frames.join("") + ending)], "chat")
const callsIn = (stream: string) =>
  readFrames(stream).flatMap((event) =>
    event === "[DONE]"
      ? []
      : (event as { choices: ReadonlyArray<{ delta: { tool_calls?: Array<JsonObject> } }> }).choices.flatMap(
          ({ delta }) => delta.tool_calls ?? []
        )
  )

describe("the stream of a call with custom tools", () => {
  it("tells their calls piece by piece, and leaves all else byte for byte", () => {
    const kept = [
      ": comment\n\n",
      'data: { "choices": [ {"index":0,"delta":{"content":"a"}} ] ,"big":12345678901234567890}\n\n',
      calls({ index: 0, id: "a", ...fn("f", `{"x":`) }),
      calls(more(0, "1}"))
    ]
    const stream = told(
      ...kept,
      calls({ index: 1, id: "b", ...fn("run_1"), extra_content: { google: { thought_signature: "s" } } }),
      ...[`{"in`, `put":"`, "*** ", `\\"x\\`, `"`, '"}'].map((piece) => calls(more(1, piece)))
    )
    assert.strictEqual(stream.slice(0, kept.join("").length), kept.join(""))
    assert.isTrue(stream.endsWith(ending))
    assert.deepStrictEqual(callsIn(stream).slice(2), [
      {
        index: 1,
        id: "b",
        type: "custom",
        extra_content: { google: { thought_signature: "s" } },
        custom: { name: "run", input: "" }
      },
      ...["", "", "*** ", '"x', '"', ""].map((input) => ({ index: 1, custom: { input } }))
    ])
  })

  it("is read by OpenAI's SDK, wherever it is cut", async () => {
    const whole = inputOf(text)
    const pieces = whole.match(/.{1,5}/gsu)!.map((piece) => calls(more(0, piece)))
    const stream =
      chunk({ role: "assistant" }) + calls({ index: 0, id: "a", ...fn("run_1") }) + pieces.join("") + ending
    sameWhereverCut(Buffer.from(stream), codec, "chat", 200)
    const { choices } = await readWithOpenAI(runCodec(codec(), [Buffer.from(stream)], "chat"))
    const [call] = choices[0]!.message.tool_calls!
    assert.deepInclude(call, { id: "a", type: "custom" })
    assert.deepInclude((call as unknown as { custom: object }).custom, { name: "run", input: text })
  })

  const inputs = (...frames: ReadonlyArray<string>) =>
    callsIn(told(...frames)).map(({ custom, function: called }) =>
      custom === undefined ? called : (custom as JsonObject).input
    )

  it.each([
    ["whole in one chunk, without an index", [calls({ id: "a", ...fn("run_1", inputOf(text)) })], [text]],
    [
      "several in one chunk",
      [
        calls(
          { index: 0, id: "a", ...fn("run_1", inputOf("1")) },
          { index: 1, id: "b", ...fn("run_1", inputOf("2")) }
        )
      ],
      ["1", "2"]
    ],
    [
      "several without ids and indexes",
      [calls(fn("run_1", inputOf("1"))), calls(fn("run_1", inputOf("2")))],
      ["1", "2"]
    ],
    [
      "several of the same index",
      [
        calls({ index: 0, id: "a", ...fn("run_1", inputOf("1")) }),
        calls({ index: 0, id: "b", ...fn("f", "{}") })
      ],
      ["1", { name: "f", arguments: "{}" }]
    ],
    [
      "interleaved",
      [
        calls(
          { index: 0, id: "a", ...fn("run_1", `{"input":"`) },
          { index: 1, id: "b", ...fn("run_1", `{"input":"`) }
        ),
        calls(more(0, "1"), more(1, "2")),
        calls(more(1, `"}`), more(0, `"}`))
      ],
      ["", "", "1", "2", "", ""]
    ],
    [
      "with their name and kind in each chunk",
      [
        calls({ index: 0, id: "a", ...fn("run_1", `{"input":"x`) }),
        calls({ index: 0, id: "a", ...fn("run_1", `y"}`) })
      ],
      ["x", "y"]
    ],
    [
      "with other arguments",
      [calls({ index: 0, id: "a", ...fn("run_1", `{"text":"x"}`) })],
      [`{"text":"x"}`]
    ],
    [
      "with what may still become an input at the end",
      [calls({ index: 0, id: "a", ...fn("run_1", `{"input": `) }), calls(more(0, "1}"))],
      ["", `{"input": 1}`]
    ],
    [
      "with other arguments, piece by piece",
      [calls({ index: 0, id: "a", ...fn("run_1", `[1,`) }), calls(more(0, ` "x"]`))],
      ["[1,", ` "x"]`]
    ],
    [
      "that have an index of no kind",
      [calls({ index: { toString: 1 }, id: "a", ...fn("run_1", inputOf("1")) })],
      ["1"]
    ]
  ])("tells calls that come %s", (_, frames, expected) => {
    assert.deepStrictEqual(inputs(...frames), expected)
  })

  it.each([
    ["halves of a character", "\\ud83d\\ude00 \\u1ebf", "😀 ế"],
    ["half a character", "a\\ud83d b\\ude00", "a\ufffd b\ufffd"],
    ["half a character before another escape", "\\ud83d\\n", "\ufffd\n"],
    ["halves that are not escaped", "😀😀", "😀😀"],
    ["escapes that JSON does not know", "\\d\\(\\x", "\\d\\(\\x"],
    ["a line end and a tab as they are", "a\n\tb", "a\n\tb"]
  ])("tells a text with %s, wherever its pieces are cut", (_, written, text) => {
    const whole = `{"input":"${written}"}`
    for (let at = 1; at < whole.length; at++) {
      const pieces = [whole.slice(0, at), whole.slice(at)].map((piece) => calls(more(0, piece)))
      assert.strictEqual(
        inputs(calls({ index: 0, id: "a", ...fn("run_1") }), ...pieces).join(""),
        text,
        `${at}`
      )
    }
  })

  it("says in no further piece that the call is a function's", () => {
    const named = (written: string) => calls({ index: 0, id: "a", ...fn("run_1", written) })
    const [, further] = callsIn(told(named('{"input":"x'), named('y"}')))
    assert.deepStrictEqual(further, { index: 0, id: "a", custom: { input: "y" } })
  })

  it("keeps the calls of several answers apart", () => {
    const both = pair.stream({ ...context, choices: 2 })
    const of = (index: number, ...tool_calls: ReadonlyArray<JsonObject>) => chunk({ tool_calls }, null, index)
    const frames = [
      of(0, { index: 0, id: "a", ...fn("run_1", `{"input":"1`) }),
      of(1, { index: 0, id: "b", ...fn("f", "{") }),
      of(0, more(0, `1"}`)),
      of(1, more(0, "}")),
      chunk({}, "tool_calls", 1)
    ]
    const stream = runCodec(both, [Buffer.from(frames.join("") + ending)], "chat")
    assert.deepStrictEqual(
      callsIn(stream).map(({ custom, function: called }) => custom ?? called),
      [{ name: "run", input: "1" }, { name: "f", arguments: "{" }, { input: "1" }, { arguments: "}" }]
    )
  })

  it("takes a call of hundreds of kilobytes in one event, and no larger one", () => {
    const long = "a\n".repeat(150_000)
    assert.deepStrictEqual(inputs(calls({ index: 0, id: "a", ...fn("run_1", inputOf(long)) })), [long])
    const larger = codec()
    larger.push(Buffer.from(calls({ index: 0, id: "a", ...fn("run_1", inputOf(long.repeat(5))) })))
    assert.strictEqual(larger.failure?.type, "api_error")
    const deep = codec()
    deep.push(Buffer.from(chunk({}).replace("{}", nested)))
    assert.strictEqual(deep.failure?.type, "api_error")
  })

  it("weighs as much as it does without them", () => {
    const bytes = Buffer.from(calls({ index: 0, id: "a", ...fn("run_1", inputOf(text)) }) + ending)
    const plain = pair.stream(contextFor("m"))
    const custom = codec()
    for (const each of [plain, custom]) each.push(bytes)
    assert.deepEqual({ ...custom.meter }, { ...plain.meter })
    assert.deepStrictEqual(custom.usage, plain.usage)
  })
})

describe("the whole answer of a call with custom tools", () => {
  const answer = (...tool_calls: ReadonlyArray<JsonObject>) => ({
    id: "c",
    choices: [
      { index: 0, message: { role: "assistant", content: null, tool_calls }, finish_reason: "tool_calls" }
    ],
    usage: { prompt_tokens: 3 }
  })
  const read = (body: JsonObject) =>
    Result.map(pair.answer(body, Buffer.from(JSON.stringify(body)), context), (bytes) =>
      JSON.parse(Buffer.from(bytes).toString())
    )
  const signature = { extra_content: { google: { thought_signature: "s" } } }

  it("tells their calls, and leaves all else", () => {
    const body = answer(
      { id: "a", ...fn("run_1", inputOf(text)), ...signature },
      { id: "b", ...fn("f", "{}") }
    )
    const expected = answer(
      { id: "a", type: "custom", ...signature, custom: { name: "run", input: text } },
      { id: "b", ...fn("f", "{}") }
    )
    assert.deepStrictEqual(Result.getOrThrow(read(body)), expected)
  })

  it.each([
    ["", ""],
    ["{}", ""],
    [`{"text":"x"}`, `{"text":"x"}`],
    ["cut", "cut"]
  ])("tells a call with %j as one with %j", (written, input) => {
    const [call] = Result.getOrThrow(read(answer({ id: "a", ...fn("run_1", written) }))).choices[0].message
      .tool_calls
    assert.deepStrictEqual(call, { id: "a", type: "custom", custom: { name: "run", input } })
  })

  it("is the provider's where it holds no calls, and refused where it is no answer", () => {
    const said = {
      choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }, 1]
    }
    assert.deepStrictEqual(Result.getOrThrow(read(said)), said)
    assert.isTrue(Result.isFailure(read({})))
    const deep = { choices: [], x: JSON.parse(nested) }
    assert.isTrue(Result.isFailure(pair.answer(deep, Buffer.alloc(0), context)))
  })
})
