/** A chat stream of several choices, which has ended well only where each that has begun has come to its end. */
import { assert, describe, it } from "@effect/vitest"
import { ChatPassthrough } from "../../../src/formats/chat/ChatPassthrough.ts"

const choice = (index: number, delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index, delta, finish_reason: finish }] })}\n\n`
const said = (index: number) => choice(index, { content: "a" })
const ended = (index: number) => choice(index, {}, "stop")
const done = "data: [DONE]\n\n"

const through = (choices: number, ...events: ReadonlyArray<string>) => {
  const codec = new ChatPassthrough({ includeUsage: false, choices })
  const given = [codec.push(Buffer.from(events.join(""))), codec.end(), codec.tail]
  return { codec, text: given.map((bytes) => bytes?.toString() ?? "").join("") }
}

describe.each([
  ["without its last event", ""],
  ["with its last event", done]
])("a stream of several choices %s", (_, last) => {
  it.each([
    [said(0) + said(1) + ended(1) + ended(0)],
    [said(1) + ended(1)],
    [choice(0, { role: "assistant", content: "" }) + said(1) + ended(1)]
  ])("ends well where every choice that has begun has ended: %#", (events) => {
    const { codec, text } = through(2, events, last)
    assert.isUndefined(codec.failure)
    assert.isTrue(codec.finished)
    assert.strictEqual(text, events + last)
  })

  it.each([[said(0)], [choice(0, { tool_calls: [{ index: 0, function: { name: "f" } }] })]])(
    "has broken off where one of them has not: %#",
    (begun) => {
      const { codec, text } = through(2, begun, said(1), ended(1), last)
      assert.isDefined(codec.failure)
      assert.notInclude(text, "[DONE]")
    }
  )
})

it("a stream of one choice ends with a finish under whatever index", () => {
  const { codec } = through(1, said(0), ended(1), done)
  assert.isUndefined(codec.failure)
})
