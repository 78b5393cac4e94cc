/** Answers of which no body goes out, over a stand-in for uWebSockets.js. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import type { Exchange } from "../../src/http/Exchange.ts"
import { Unsent } from "../../src/http/Unsent.ts"
import { FakeClient } from "./FakeClient.ts"
import { edgeOf } from "./start-edge.ts"

/** To the end of this turn of the event loop. */
const endTurn = () => void vi.advanceTimersByTime(1)

const answer = (exchange: Exchange) => exchange.respond(200, [["x-a", "b"]], "answered")

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("an answer to a HEAD", () => {
  it("tells its length alone", () => {
    const client = new FakeClient(edgeOf())
    client.ask({ method: "HEAD" }, answer)
    endTurn()
    assert.deepStrictEqual([client.last.header("content-length"), client.last.body], ["8", ""])
    assert.isDefined(client.ask({}, answer))
  })

  it("that ends its connection, or comes early, tells its length alone, too", () => {
    for (const hasBody of [false, true]) {
      const client = new FakeClient(edgeOf())
      client.ask({ method: "HEAD", hasBody }, (exchange) => {
        exchange.closeAfter()
        answer(exchange)
      })
      endTurn()
      assert.deepStrictEqual([client.last.header("connection"), client.last.body], ["close", ""])
      vi.advanceTimersByTime(5_000)
      assert.isFalse(client.isAlive)
    }
  })
})

describe.each([
  ["to a HEAD, of a length that nobody knows", "HEAD", 200],
  ["that has none by its status", "OPTIONS", 204],
  ["of which the client has what there is", "GET", 304]
] as const)("an answer %s", (_, method, status) => {
  const answerSo = (exchange: Exchange) => {
    exchange.respond(status, [["x-a", "b"]], method === "HEAD" ? new Unsent(undefined) : "")
  }

  it("tells no length, and the next one comes on its connection", () => {
    const client = new FakeClient(edgeOf())
    client.ask({ method }, answerSo)
    endTurn()
    assert.deepStrictEqual([client.last.headers, client.last.isWhole], [[["x-a", "b"]], true])
    client.ask({}, answer)
    endTurn()
    endTurn()
    assert.deepStrictEqual([client.last.body, client.isAlive], ["answered", true])
  })

  it.each([false, true])("tells none where it ends its connection (comes early: %s)", (hasBody) => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    client.ask({ method, hasBody }, (exchange) => {
      exchange.closeAfter()
      answerSo(exchange)
    })
    endTurn()
    const { headers, isWhole } = client.last
    assert.deepStrictEqual(headers, [
      ["x-a", "b"],
      ["connection", "close"]
    ])
    endTurn()
    assert.deepStrictEqual([isWhole, client.isAlive], [true, false])
    assert.deepStrictEqual([edge.openExchanges, edge.connections.open, vi.getTimerCount()], [0, 0, 0])
  })

  it("whose client leaves as its connection is to be ended leaves nothing behind", () => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    const exchange = client.ask({ method }, () => {})!
    endTurn()
    exchange.closeAfter()
    answerSo(exchange)
    client.leave()
    endTurn()
    assert.deepStrictEqual([edge.openExchanges, edge.connections.open, vi.getTimerCount()], [0, 0, 0])
  })
})
