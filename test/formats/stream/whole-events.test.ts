/** How much of a stream is passed on that its wallet pays for in part: whole events alone. */
import { assert, describe, it } from "@effect/vitest"
import { eventsIn, wholeEvents } from "../../../src/formats/stream/whole-events.ts"

const ten = "data: 3\n\n".repeat(10)
const shareOf = (text: string, share: number) => wholeEvents(Buffer.from(text), share)?.toString()

describe("a share of a stream's bytes", () => {
  it("is whole events, and never more than the share", () => {
    assert.strictEqual(shareOf(ten, 0.5), ten.slice(0, 45))
    assert.strictEqual(shareOf(ten, 0.59), ten.slice(0, 45))
    assert.strictEqual(shareOf(ten, 1), ten)
    assert.strictEqual(shareOf("data: 3\r\n\r\ndata: 4\r\n\r\n", 0.7), "data: 3\r\n\r\n")
  })

  it("is nothing where it does not make up one", () => {
    for (const share of [0, -1, 0.09, NaN]) assert.isUndefined(shareOf(ten, share))
    assert.isUndefined(shareOf("", 0.5))
  })
})

describe("the events in a stream's bytes", () => {
  it("are counted by the empty lines behind them", () => {
    assert.strictEqual(eventsIn(Buffer.from(ten)), 10)
    assert.strictEqual(eventsIn(Buffer.from("event: a\r\ndata: 3\r\n\r\n")), 1)
    assert.strictEqual(eventsIn(Buffer.alloc(0)), 0)
  })
})
