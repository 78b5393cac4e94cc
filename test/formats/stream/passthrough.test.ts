/** Streams whose protocol stays the same: every byte, however they are cut, and what is read from them on the way. */
import { assert, describe, it } from "@effect/vitest"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../../../src/formats/messages/MessagesPassthrough.ts"
import { ResponsesPassthrough } from "../../../src/formats/responses/ResponsesPassthrough.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { inPieces } from "../../wire/stream-runner.ts"

const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`
const usageChunk =
  'data: {"id":"c","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12}}\n\n'
const done = "data: [DONE]\n\n"
const hello = chunk({ content: "Xin chào 😀" })
const finish = chunk({}, "stop")

const chat = (includeUsage = false) => new ChatPassthrough({ includeUsage })

/** What a client has in the end, and the codec it went through. */
const through = <Codec extends StreamCodec>(codec: Codec, text: string, size = text.length + 1) => {
  const given: Array<Buffer> = []
  for (const piece of inPieces(Buffer.from(text), size)) {
    const bytes = codec.push(Buffer.from(piece))
    if (bytes !== undefined) given.push(Buffer.from(bytes))
  }
  const rest = codec.end()
  if (rest !== undefined) given.push(rest)
  return {
    codec,
    before: Buffer.concat(given).toString(),
    text: Buffer.concat([...given, codec.tail]).toString()
  }
}

describe("a chat stream", () => {
  const whole = `: comment\n\n${chunk({ role: "assistant", content: "" })}${hello}${finish}${usageChunk}${done}`

  it("is the upstream's bytes for a client that asked for usage, cut anywhere", () => {
    for (let size = 1; size < 40; size++) {
      const { codec, text } = through(chat(true), whole, size)
      assert.strictEqual(text, whole)
      assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 7 })
      assert.isTrue(codec.finished)
    }
  })

  it("lacks the usage chunk alone for one that did not, whatever its line ends", () => {
    for (const written of [whole, whole.replaceAll("\n", "\r\n")]) {
      for (const size of [1, 7, 1_000]) {
        const { codec, text } = through(chat(), written, size)
        assert.strictEqual(text, written.replace(/data: \{"id":"c","choices":\[\],[^\n]*\n\r?\n/, ""))
        assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 7 })
      }
    }
  })

  it("may begin with a byte order mark, and loses nothing by it", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const written = `\uFEFF${chunk({ content: "a" }, "stop", { usage })}${done}`
    for (const size of [1, 2, 1_000]) {
      const { codec, text } = through(chat(), written, size)
      assert.strictEqual(text, written)
      assert.deepStrictEqual(codec.usage, { inputTokens: 1, outputTokens: 2 })
      assert.isTrue(codec.contentSeen)
    }
  })

  it("keeps usage where it stands inside a content or finish chunk", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const written = `${hello}${chunk({}, "stop", { usage })}${done}`
    assert.strictEqual(through(chat(), written).text, written)
  })

  it("is metered by what a tool of free text is called with, as by arguments", () => {
    const words = "print('hello') ".repeat(20)
    const call = (more: object) => through(chat(), chunk({ tool_calls: [{ index: 0, ...more }] })).codec.meter
    const asFunction = call({ function: { name: "run", arguments: words } })
    const asText = call({ type: "custom", custom: { name: "run", input: words } })
    assert.strictEqual(asText.asciiUsual, asFunction.asciiUsual)
    assert.strictEqual(asText.toolCalls, 1)
  })

  it("is billed by usage in its last choice, which stays there", () => {
    const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 }
    const last = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop", usage }] })}\n\n`
    const { codec, text } = through(chat(), `${hello}${last}${done}`)
    assert.strictEqual(text, `${hello}${last}${done}`)
    assert.deepStrictEqual(codec.usage, { inputTokens: 1, outputTokens: 2 })
  })

  it("loses data without anything in it, which its clients can not read, and ends whatever space is around the end", () => {
    const spaced = "data:  [DONE] \n\n"
    const { codec, text } = through(chat(true), `${hello}data:\n\ndata: \n\n${finish}${usageChunk}${spaced}`)
    assert.isUndefined(codec.failure)
    assert.strictEqual(text, `${hello}${finish}${usageChunk}${spaced}`)
  })

  it("has its end held back until the charge is made", () => {
    const { before, text } = through(chat(), whole)
    assert.notInclude(before, "[DONE]")
    assert.isTrue(text.endsWith(done))
  })

  it("may end without [DONE] after its finish, and never before it", () => {
    assert.isTrue(through(chat(), `${hello}${finish}`).codec.finished)
    for (const broken of [
      hello,
      `${hello}${done}`,
      "",
      `${hello}data: {"id":`,
      `${hello}data: rubbish\n\n${finish}${done}`
    ]) {
      const { codec } = through(chat(), broken)
      assert.isFalse(codec.finished, broken)
      assert.strictEqual(codec.failure?.type, "api_error")
    }
  })

  it("is not finished by an empty finish reason, which some write in every chunk", () => {
    const going = chunk({ content: "a" }, "")
    for (const rest of ["", done])
      assert.strictEqual(through(chat(), going + rest).codec.failure?.type, "api_error")
    assert.isTrue(through(chat(), `${going}${finish}${done}`).codec.finished)
  })

  it("ends at an error of its upstream, and gives nothing of it", () => {
    for (const error of [
      { error: { message: "secret host", code: 429 } },
      { object: "error", message: "secret host", code: 429 }
    ]) {
      const { codec, text } = through(chat(), `${hello}data: ${JSON.stringify(error)}\n\n${finish}${done}`)
      assert.strictEqual(text, hello)
      assert.strictEqual(codec.failure?.type, "rate_limit_error")
    }
  })

  it.each(["error", "network_error", "insufficient_system_resource", "function_call_filter: MALFORMED"])(
    "that its upstream ends with %s has broken off",
    (reason) => {
      const { codec, text } = through(chat(), `${hello}${chunk({}, reason)}${usageChunk}${done}`)
      assert.strictEqual(text, hello)
      assert.strictEqual(codec.failure?.type, "api_error")
    }
  )

  it("that is counted as it goes has a final count until more comes, and again at its end", () => {
    const counted = (completion_tokens: number) => ({
      usage: { prompt_tokens: 5, completion_tokens, total_tokens: 5 + completion_tokens }
    })
    const first = chunk({ content: "a" }, null, counted(1))
    const codec = chat()
    codec.push(Buffer.from(first))
    assert.isTrue(codec.usageIsFinal)
    codec.push(Buffer.from(hello))
    assert.isFalse(codec.usageIsFinal)
    codec.push(Buffer.from(`${chunk({ content: "b" }, "stop", counted(9))}${chunk({})}`))
    assert.isTrue(codec.usageIsFinal)
    assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 9 })
  })

  it("has content with the first text, thought, refusal or tool call, not with roles and empty pieces", () => {
    for (const delta of [{ role: "assistant" }, { content: "" }, { content: null }, {}])
      assert.isFalse(through(chat(), chunk(delta)).codec.contentSeen)
    for (const delta of [
      { content: "a" },
      { reasoning_content: "a" },
      { refusal: "a" },
      { tool_calls: [{ index: 0, function: { name: "f" } }] }
    ]) {
      assert.isTrue(through(chat(), chunk(delta)).codec.contentSeen)
    }
  })
})

describe("a stream of any protocol", () => {
  it.each([
    ["chat", chat],
    ["Messages", () => new MessagesPassthrough()],
    ["Responses", () => new ResponsesPassthrough()]
  ] as const)("ends at an event that is an error by its name alone, for %s clients", (_name, codecOf) => {
    for (const name of ["event: error", "event:error"]) {
      for (const data of [
        { code: 429, message: "slow down" },
        { error: { code: 429, message: "slow down" } }
      ]) {
        const failing = `${name}\ndata: ${JSON.stringify(data)}\n\n`
        for (const size of [1, 7, 1_000]) {
          const { codec, text } = through(codecOf(), `: comment\n\n${failing}${done}`, size)
          assert.strictEqual(text, ": comment\n\n")
          assert.deepInclude(codec.failure, { type: "rate_limit_error", message: "slow down" })
        }
      }
    }
  })
})

const event = (type: string, more: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

describe("a Messages stream", () => {
  const start = event("message_start", {
    message: { id: "msg_1", usage: { input_tokens: 5, cache_read_input_tokens: 3, output_tokens: 1 } }
  })
  const text = event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Hello" } })
  const end = event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 9 } })
  const stop = event("message_stop")
  const whole = `${start}${event("ping")}${event("content_block_start", { index: 0, content_block: { type: "text", text: "" } })}${text}${event("content_block_stop", { index: 0 })}${end}${stop}`

  it("is the upstream's bytes, cut anywhere, and is billed by its last count", () => {
    for (let size = 1; size < 40; size++) {
      const { before, codec, text: given } = through(new MessagesPassthrough(), whole, size)
      assert.strictEqual(given, whole)
      assert.notInclude(before, "message_stop")
      assert.deepStrictEqual(codec.usage, { inputTokens: 8, outputTokens: 9 })
      assert.strictEqual(codec.stored?.id, "msg_1")
    }
  })

  it("ends at an error, whether the event says that it is one or only holds it", () => {
    const error = { error: { type: "rate_limit_error", message: "slow down" } }
    for (const failing of [event("error", error), `event: error\ndata: ${JSON.stringify(error)}\n\n`]) {
      const { codec, text: given } = through(new MessagesPassthrough(), `${start}${text}${failing}${stop}`)
      assert.strictEqual(given, start + text)
      assert.strictEqual(codec.failure?.type, "rate_limit_error")
    }
  })

  it("is not whole without message_stop", () => {
    assert.strictEqual(
      through(new MessagesPassthrough(), whole.replace(stop, "")).codec.failure?.type,
      "api_error"
    )
  })

  it("counts what the model wrote to compact the conversation as output", () => {
    const summary = "The user asked for many things. ".repeat(20)
    const told = (delta: object) =>
      through(new MessagesPassthrough(), event("content_block_delta", { delta })).codec.meter.asciiUsual
    assert.isAbove(told({ type: "compaction_delta", content: summary }), 0)
    assert.strictEqual(
      told({ type: "compaction_delta", content: summary }),
      told({ type: "text_delta", text: summary })
    )
  })

  it("counts tools and hidden thoughts", () => {
    const tool = { type: "tool_use", id: "t", name: "get_weather", input: {} }
    const { codec } = through(
      new MessagesPassthrough(),
      event("content_block_start", { content_block: { type: "thinking", thinking: "" } }) +
        event("content_block_delta", { delta: { type: "signature_delta", signature: "a".repeat(400) } }) +
        event("content_block_start", {
          content_block: { type: "redacted_thinking", data: "b".repeat(100) }
        }) +
        event("content_block_start", { content_block: tool })
    )
    assert.strictEqual(codec.meter.toolCalls, 1)
    assert.strictEqual(codec.meter.opaqueCharacters, 500)
  })
})

describe("a Responses stream", () => {
  const created = event("response.created", { sequence_number: 0, response: { id: "resp_1" } })
  const text = event("response.output_text.delta", { sequence_number: 1, delta: "Hello" })
  const response = {
    id: "resp_1",
    output: [{ id: "rs_1" }, {}],
    usage: { input_tokens: 5, output_tokens: 7 }
  }
  const completed = (more: object = {}) =>
    event("response.completed", { sequence_number: 2, response: { ...response, ...more } })

  it("is the upstream's bytes, cut anywhere, with its usage and the ids it is stored by", () => {
    const whole = `${created}${text}${completed()}`
    for (let size = 1; size < 40; size++) {
      const { codec, text: given } = through(new ResponsesPassthrough(), whole, size)
      assert.strictEqual(given, whole)
      assert.deepStrictEqual(codec.usage, { inputTokens: 5, outputTokens: 7 })
      assert.deepStrictEqual(codec.stored, { id: "resp_1", itemIds: ["rs_1"] })
      // The last event waits for the charge; where that fails, an error comes under its number.
      assert.strictEqual(codec.nextSequenceNumber, 2)
      assert.strictEqual(
        codec.keepAlive,
        'event: keepalive\ndata: {"type":"keepalive","sequence_number":1}\n\n'
      )
    }
    const { codec } = through(new ResponsesPassthrough(), `${created}${completed({ store: false })}`)
    assert.isUndefined(codec.stored)
  })

  it("fails with the response, with an error event, and without an end", () => {
    const error = { code: "server_error", message: "m" }
    for (const end of [event("response.failed", { response: { error } }), event("error", error), ""]) {
      const { codec, text: given } = through(new ResponsesPassthrough(), `${created}${text}${end}`)
      assert.isDefined(codec.failure)
      assert.strictEqual(given, `${created}${text}`)
    }
  })
})
