/** Converted streams are read from any framing that the protocols allow, whatever pieces the network makes of it. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../../wire/models.ts"
import { inPieces, readFrames, runCodec } from "../../wire/stream-runner.ts"
import { begins, blocksOf, calls, chunk, finish, goesOn, run, says, usage, write } from "./chat-streams.ts"

const family = "👩\u200d👩\u200d👧"
const chat = write([
  chunk({ role: "assistant", content: "" }),
  says(`Xin chào ${family.slice(0, 3)}`),
  says(family.slice(3)),
  calls(begins(0, "a", "f", `{"tên":`)),
  calls(goesOn(0, `"Hà Nội"}`)),
  finish("tool_calls"),
  { choices: [], usage },
  "[DONE]"
])
const messages = [
  { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 10, output_tokens: 1 } } },
  { type: "ping" },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: `Xin chào ${family}` } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } },
  { type: "message_stop" }
]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join("")

const protocols = [
  ["chat", chat, () => pairs.messages.chat_completions.stream(contextFor()), "messages"],
  ["Messages", messages, () => pairs.chat_completions.messages.stream(contextFor()), "chat"]
] as const

describe.each(protocols)("a %s stream, converted", (_, stream, make, client) => {
  const whole = runCodec(make(), [Buffer.from(stream)], client)

  it("holds every character of its upstream", () => {
    assert.include(whole, "Xin chào")
    assert.notInclude(whole, "\ufffd")
  })

  it("says the same where it is written in ASCII alone, as by Python", () => {
    const ascii = stream.replaceAll(
      /[^\0-\x7f]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`
    )
    for (const size of [1, 7, ascii.length])
      assert.deepStrictEqual(
        readFrames(runCodec(make(), inPieces(Buffer.from(ascii), size), client)),
        readFrames(whole)
      )
  })

  it.each([
    ["as it is", stream],
    ["with carriage returns", stream.replaceAll("\n", "\r\n")],
    ["without a space after the colon", stream.replaceAll("data: ", "data:")],
    [
      "with comments, ids and names",
      `: hi\n\n${stream.replaceAll("data: ", "id: 7\nretry: 1\n: x\ndata: ")}`
    ],
    ["with a byte order mark", `\uFEFF${stream}`],
    ["with its data on several lines", stream.replaceAll(`,"`, `,\ndata: "`)],
    ["with padding behind its data", stream.replaceAll("}\n\n", "}   \n\n")],
    ["without the last blank line", stream.trimEnd()]
  ])("is the same %s, wherever it is cut", (__, framed) => {
    const bytes = Buffer.from(framed)
    for (const size of [1, 3, 7, 64, bytes.length])
      assert.strictEqual(runCodec(make(), inPieces(bytes, size), client), whole)
  })
})

describe("a chat stream, converted", () => {
  it("begins no call for an empty list of calls", () => {
    const { events } = run([
      chunk({ role: "assistant", content: "", tool_calls: [] }),
      chunk({ content: "a", tool_calls: [] }),
      chunk({ content: "b", tool_calls: null }),
      chunk({ tool_calls: [] }, { finish_reason: "stop" }),
      "[DONE]"
    ])
    assert.deepStrictEqual(blocksOf(events), [["text", "ab"]])
    const { delta } = events.find(({ type }) => type === "message_delta")!
    assert.strictEqual((delta as JsonObject).stop_reason, "end_turn")
  })
})
