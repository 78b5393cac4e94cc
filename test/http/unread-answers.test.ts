/** What is kept for a client that sends its requests and reads none of the answers, over a stand-in for uWebSockets.js. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import type { Exchange } from "../../src/http/Exchange.ts"
import { FakeClient } from "./FakeClient.ts"
import { edgeOf } from "./start-edge.ts"

/** To the end of this turn of the event loop. */
const endTurn = () => void vi.advanceTimersByTime(1)

afterEach(() => void vi.useRealTimers())

describe("a client that reads nothing", () => {
  beforeEach(() => void vi.useFakeTimers())

  it.each([
    ["whole", (exchange: Exchange) => exchange.respond(200, [], "answered")],
    [
      "streamed, of one piece",
      (exchange: Exchange) => {
        exchange.start(200, [])
        exchange.end("answered")
      }
    ]
  ] as const)("has one small answer kept for it, and no more (%s)", (_, answerSo) => {
    const client = new FakeClient(edgeOf())
    const ask = () => {
      const exchange = client.ask({}, () => {})!
      endTurn()
      answerSo(exchange)
      return exchange
    }
    ask()
    client.keepsUp = false
    ask()
    assert.deepStrictEqual([client.answers.length, client.last.isWhole], [2, false])
    assert.isUndefined(
      client.ask({}, () => {}),
      "it waits for its answer"
    )
    client.read()
    assert.deepStrictEqual([client.last.body, client.last.isWhole], ["answered", true])
    assert.isTrue(client.isAlive)
  })

  it.each(["OPTIONS", "HEAD"])("has its connection end after some that have no body (%s)", (method) => {
    const client = new FakeClient(edgeOf())
    const ask = (asked: string, body: string) => {
      const exchange = client.ask({ method: asked }, () => {})!
      endTurn()
      exchange.respond(200, [], body)
      endTurn()
      return client.last.header("connection")
    }
    const bodyOf = (asked: string) => (asked === "OPTIONS" ? "" : "body")
    for (let turn = 0; turn < 31; turn++) assert.isUndefined(ask(method, bodyOf(method)))
    // One that could not have gone out behind what is unread.
    ask("GET", "body")
    for (let turn = 0; turn < 31; turn++) assert.isUndefined(ask(method, bodyOf(method)))
    ask(method, bodyOf(method))
    assert.isFalse(client.isAlive)
  })
})
