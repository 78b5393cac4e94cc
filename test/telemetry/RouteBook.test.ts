import { assert, describe, it } from "@effect/vitest"
import { healthSpanMs, noTally } from "../../src/domain/route-health.ts"
import { RouteBook } from "../../src/telemetry/RouteBook.ts"

const now = 1_000 * healthSpanMs
const tally = (calls: number, family = "claude") => ({ ...noTally, route: "p#0", family, calls })

describe("the book of routes", () => {
  it("adds up what threads tell, in rows of five minutes that are written whole", () => {
    const book = new RouteBook()
    book.hear(0, [tally(2)], [], now + 1)
    book.hear(1, [tally(3), tally(1, "gpt")], [], now + 2)
    const first = book.unwritten(now + 3)
    assert.deepStrictEqual(
      first.rows.map(({ atMs, calls, family }) => [atMs, family, calls]),
      [
        [now, "claude", 5],
        [now, "gpt", 1]
      ]
    )
    first.written()
    assert.isEmpty(book.unwritten(now + 4).rows)
    book.hear(0, [tally(1)], [], now + 5)
    assert.deepStrictEqual(
      book.unwritten(now + 6).rows.map(({ calls }) => calls),
      [6]
    )
  })

  it("writes again what could not be written, and what was counted meanwhile", () => {
    const book = new RouteBook()
    book.hear(0, [tally(2)], [], now)
    book.unwritten(now)
    const second = book.unwritten(now)
    assert.lengthOf(second.rows, 1)
    book.hear(0, [tally(1)], [], now + 1)
    second.written()
    assert.deepStrictEqual(
      book.unwritten(now + 2).rows.map(({ calls }) => calls),
      [3]
    )
  })

  it("begins anew with each five minutes", () => {
    const book = new RouteBook()
    book.hear(0, [tally(2)], [], now)
    book.unwritten(now).written()
    book.hear(0, [tally(1)], [], now + healthSpanMs)
    assert.deepStrictEqual(
      book.unwritten(now + healthSpanMs).rows.map(({ atMs, calls }) => [atMs, calls]),
      [[now + healthSpanMs, 1]]
    )
  })

  it("tells the worst that a thread sees, as long as it says so", () => {
    const book = new RouteBook()
    const open = { route: "p#0", state: "open", untilMs: undefined } as const
    book.hear(0, [], [open], now)
    book.hear(1, [], [{ route: "p#0", state: "resting", untilMs: now + 5 }], now)
    assert.deepStrictEqual(book.conditions(now), [open])
    book.hear(0, [], [], now + 1)
    assert.deepStrictEqual(
      book.conditions(now + 1).map(({ state }) => state),
      ["resting"]
    )
    assert.isEmpty(book.conditions(now + 20_000))
  })
})
