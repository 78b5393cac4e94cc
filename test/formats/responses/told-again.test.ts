/** What opens and ends a Responses stream tells the request again: it is read as if all of it had been. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import { ResponsesPassthrough } from "../../../src/formats/responses/ResponsesPassthrough.ts"
import { contextFor } from "../../wire/models.ts"

const request = {
  instructions: `"Be brief", he said \\ and {"usage":{"input_tokens":1}}}} ${"of the rest nothing. ".repeat(500)}`,
  tools: [{ type: "function", name: "usage", parameters: { error: { status: ["failed", "}}"] } } }]
}
const begun = { id: "resp_1", status: "in_progress", output: [], ...request, usage: null }
const usage = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 5 }
}
const output = [
  { type: "web_search_call", id: "ws_1", action: { type: "search" } },
  {
    type: "message",
    id: "msg_1",
    content: [{ type: "output_text", text: `Xin chào {"}} ${"a".repeat(99)}` }]
  }
]
const ended = { ...begun, status: "completed", error: null, output, service_tier: "flex", usage }

/** As OpenAI writes it, and in another order, in which all of it is parsed. */
const asWritten = (type: string, number: number, response: object) =>
  `{"type":"response.${type}","sequence_number":${number},"response":${JSON.stringify(response)}}`
const otherwise = (type: string, number: number, response: object) =>
  JSON.stringify({ response, sequence_number: number, type: `response.${type}` })

const framed = (events: ReadonlyArray<string>) =>
  Buffer.from(events.map((data) => `data: ${data}\n\n`).join(""))

const through = (events: ReadonlyArray<string>) => {
  const codec = new ResponsesPassthrough()
  const passed = codec.push(framed(events))
  codec.end()
  const { failure, finished, particulars, stored, usage: counted, usageIsFinal, usageIsNonsense } = codec
  const passedEvents = passed?.toString().split("\n\n").length
  const failed = codec.failed({ code: "server_error", message: "m" }, 0, String)
  return {
    failure,
    finished,
    particulars,
    stored,
    counted,
    usageIsFinal,
    usageIsNonsense,
    passedEvents,
    failed
  }
}

const converted = (client: "messages" | "chat_completions", events: ReadonlyArray<string>) => {
  const codec = pairs[client].responses.stream(contextFor())
  const bytes = codec.push(framed(events))?.toString()
  const { failure, finished, particulars, tail, usage: counted } = codec
  return { bytes, failure, finished, particulars, tail: tail.toString(), counted }
}

const item = { output_index: 0, item: { type: "message", id: "msg_1", role: "assistant", content: [] } }
const said = [
  { type: "response.output_item.added", sequence_number: 2, ...item },
  { type: "response.output_text.delta", sequence_number: 3, output_index: 0, content_index: 0, delta: "Xin" }
].map((event) => JSON.stringify(event))

describe("a Responses stream that tells the request again", () => {
  it.each([
    ["completed", ended],
    ["incomplete", { ...ended, status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }],
    ["completed", { ...ended, store: false }],
    ["completed", { ...ended, usage: null }],
    ["completed", { ...ended, usage: { ...usage, output_tokens: -1 } }],
    ["completed", { ...ended, output: [] }],
    ["completed", { ...ended, status: "failed", error: { code: "server_error", message: "secret" } }],
    ["incomplete", { ...ended, status: "cancelled" }],
    ["completed", { ...ended, instructions: null, tools: [] }],
    ["completed", {}],
    ["completed", { ...ended, instructions: "long, ".repeat(20_000) }]
  ])("is read as if all of it were parsed: %s, %j", (type, response) => {
    const events = (write: typeof asWritten) => [
      write("created", 0, begun),
      write("in_progress", 1, begun),
      ...said,
      write(type, 4, response)
    ]
    assert.deepStrictEqual(through(events(asWritten)), through(events(otherwise)))
    for (const client of ["messages", "chat_completions"] as const)
      for (const come of [1, events(asWritten).length]) {
        const [left, right] = [asWritten, otherwise].map((write) =>
          converted(client, events(write).slice(0, come))
        )
        assert.deepStrictEqual(left, right)
      }
  })

  it("is told with it where it fails", () => {
    const { failed } = through([asWritten("created", 0, begun)])
    const [, told] = /data: (.*)\n\n$/.exec(failed!)!
    const error = { code: "server_error", message: "m" }
    assert.deepStrictEqual(JSON.parse(told!).response, { ...begun, status: "failed", error })
  })

  it.each([
    `{"type":"response.completed","sequence_number":2,"response":{"usage":{"input_tokens":1}}`,
    `{"type":"response.completed","sequence_number":2,"response":{"usage":{"input_tokens":}}}`,
    `{"type":"response.completed","sequence_number":2,"response":{"tools":[}}`,
    `{"type":"response.completed","sequence_number":2,"response":{}}}`
  ])("is broken where its end is no JSON: %s", (end) => {
    const { failure, finished } = through([asWritten("created", 0, begun), end])
    assert.isFalse(finished)
    assert.strictEqual(failure?.type, "api_error")
    assert.strictEqual(
      converted("messages", [asWritten("created", 0, begun), end]).failure?.type,
      "api_error"
    )
  })
})
