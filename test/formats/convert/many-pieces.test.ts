/** Streams of chat upstreams in which very much waits behind a call without a name: what takes the square of it holds all calls of a thread. */
import { assert, describe, it, vi } from "@effect/vitest"
import { ChatStreamToMessages } from "../../../src/formats/convert/chat-to-messages/ChatStreamToMessages.ts"
import { ContentBlocks } from "../../../src/formats/convert/chat-to-messages/ContentBlocks.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../../wire/models.ts"
import { calls, says } from "./chat-streams.ts"

const many = 20_000
/** More than any of them looks at for one more. */
const looksMax = 40 * many

const lookedAt = () => {
  let looks = 0
  return () => {
    if (++looks > looksMax) throw new Error("what waits is looked at again and again")
  }
}

const keepsCitations = contextFor("a-model", { keepsCitations: true })

describe("pieces of a stream are put in their places, however many wait", () => {
  it("calls that go backwards", () => {
    const look = lookedAt()
    const blocks = new ContentBlocks(contextFor())
    const order = (place: number) => ({ valueOf: () => (look(), place) }) as unknown as number
    const added = Array.from({ length: many }, (_, index) => blocks.addTool(order(many - index)))
    added.forEach((block, index) => (block.name = `n${many - index}`))
    const events: Array<JsonObject> = []
    blocks.take(events, true)
    const begun = events.filter(({ type }) => type === "content_block_start")
    const names = begun.map(({ content_block }) => (content_block as JsonObject).name)
    assert.deepStrictEqual(
      names,
      Array.from({ length: many }, (_, index) => `n${index + 1}`)
    )
  })

  it("calls without an index", () => {
    const look = lookedAt()
    const find = Array.prototype.find
    const spy = vi.spyOn(Array.prototype, "find").mockImplementation(function (
      this: Array<unknown>,
      isIt: (value: unknown, index: number, all: Array<unknown>) => unknown
    ) {
      return find.call(this, (value, index, all) => (look(), isIt(value, index, all) === true))
    })
    try {
      const stream = new ChatStreamToMessages(contextFor())
      const call = (index: number) => ({ id: `call_${index}`, function: { name: "f", arguments: "{}" } })
      const events = Array.from({ length: many }, (_, index) => stream.push(calls(call(index)))).flat()
      assert.lengthOf(
        events.filter(({ type }) => type === "content_block_stop"),
        many - 1
      )
    } finally {
      spy.mockRestore()
    }
  })

  it("what a text cites", () => {
    const blocks = new ContentBlocks(keepsCitations)
    blocks.addTool(0)
    const text = blocks.text()
    const kept = text.citations
    for (let index = 0; index < many; index++) blocks.cite([{ url: `https://example.com/${index}` }])
    // A list that is copied for each one more takes the square.
    assert.strictEqual(text.citations, kept)
    assert.lengthOf(kept, many)
  })
})

describe("calls that wait", () => {
  const namesOf = (...chunks: ReadonlyArray<JsonObject>) => {
    const stream = new ChatStreamToMessages(contextFor())
    const finished = { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] }
    const events = [...[...chunks, finished].flatMap((chunk) => stream.push(chunk)), ...stream.end()]
    return events.flatMap(({ content_block, type }) => {
      const block = content_block as JsonObject
      return type === "content_block_start" ? [block.type === "text" ? "text" : block.name] : []
    })
  }
  const named = (index: number) => ({
    index,
    id: `call_${index}`,
    function: { name: `n${index}`, arguments: "{}" }
  })
  const nameless = (index: number) => ({ index, function: { arguments: "{" } })
  const nameOf = (index: number) => ({ ...named(index), function: { name: `n${index}`, arguments: "}" } })

  it("come in the upstream's order, but not before a text that stands between them", () => {
    const chunks = [nameless(4), named(2), named(6)].map((call) => calls(call))
    const behind = [named(5), named(1), named(3)].map((call) => calls(call))
    assert.deepStrictEqual(namesOf(...chunks, calls(nameOf(4)), says("hi"), ...behind), [
      "n2",
      "n4",
      "n6",
      "text",
      "n5",
      "n1",
      "n3"
    ])
  })
})
