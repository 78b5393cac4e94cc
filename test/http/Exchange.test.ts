/** One request and its answer over a stand-in for uWebSockets.js, which forbids all that the real one forbids. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { afterEach, beforeEach, vi } from "vitest"
import { AccountId } from "../../src/domain/ids.ts"
import type { Exchange } from "../../src/http/Exchange.ts"
import { FakeClient } from "./FakeClient.ts"
import { edgeOf } from "./start-edge.ts"

const account = AccountId.make("00000000-0000-7000-8000-000000000001")
const bodyBytesMax = 1_000

/** To the end of this turn of the event loop; what comes of that is for the next. */
const endTurn = () => void vi.advanceTimersByTime(1)

const withBody = (exchange: Exchange) => exchange.expectBody(undefined, bodyBytesMax)
const answer = (exchange: Exchange) => exchange.respond(200, [["x-a", "b"]], "answered")

afterEach(() => void vi.useRealTimers())

describe("a request", () => {
  beforeEach(() => void vi.useFakeTimers())

  it("is read while its handler runs, and never after", () => {
    const headers = {
      "x-api-key": "k",
      authorization: "Bearer b",
      "content-encoding": "gzip",
      "msgapi-version": "v",
      "anthropic-beta": "one,two",
      "x-openai-internal-codex-responses-lite": "true",
      traceparent: "00-1-2-01"
    }
    const exchange = new FakeClient(edgeOf()).ask(
      { headers, query: "a=b", method: "PUT", url: "/x" },
      () => {}
    )!
    assert.deepStrictEqual([exchange.method, exchange.path, exchange.query], ["PUT", "/x", "a=b"])
    assert.deepStrictEqual(exchange.headers, {
      apiKey: "k",
      authorization: "Bearer b",
      contentEncoding: "gzip",
      anthropicVersion: "v",
      anthropicBeta: "one,two",
      codexResponsesLite: "true",
      traceParent: "00-1-2-01"
    })
    const both = { "anthropic-version": "own", "msgapi-version": "v" }
    assert.strictEqual(
      new FakeClient(edgeOf()).ask({ headers: both }, () => {})!.headers.anthropicVersion,
      "own"
    )
    assert.strictEqual(new FakeClient(edgeOf()).ask({}, () => {})!.query, "")
  })

  it("comes from where the last proxy says, if proxies are believed, and from nowhere once it is over", () => {
    const headers = { "x-forwarded-for": "192.0.2.1, 192.0.2.2:80" }
    const stranger = new FakeClient(edgeOf()).ask({ headers }, () => {})!
    assert.strictEqual(stranger.address, "198.51.100.7")
    const client = new FakeClient(edgeOf({}, true))
    const exchange = client.ask({ headers }, () => {})!
    assert.deepStrictEqual([exchange.address, exchange.remoteAddress], ["192.0.2.2", "198.51.100.7"])
    client.leave()
    assert.strictEqual(exchange.address, "")
  })

  it("has its body counted for whoever asked, until it is answered", async () => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    const exchange = client.ask({ hasBody: true }, withBody)!
    exchange.countBodyFor(account)
    const body = Effect.runPromise(exchange.body)
    client.send("some")
    client.send(" more", true)
    assert.strictEqual((await body).toString(), "some more")
    assert.strictEqual(edge.memory.bytes, 9)
    answer(exchange)
    assert.strictEqual(edge.memory.bytes, 0)
  })

  it("whose body is too large is answered while it comes", async () => {
    const client = new FakeClient(edgeOf())
    const exchange = client.ask({ hasBody: true }, (each) => each.expectBody(bodyBytesMax + 1, bodyBytesMax))!
    const exit = await Effect.runPromiseExit(exchange.body)
    assert.deepInclude(Exit.isFailure(exit) && Cause.squash(exit.cause), { _tag: "BodyTooLarge" })
    exchange.respond(413, [], "too large")
    endTurn()
    assert.deepStrictEqual([client.last.status, client.last.body], ["413 Payload Too Large", "too large"])
  })
})

describe("an answer to a body whose last came while the connection was held back", () => {
  beforeEach(() => void vi.useFakeTimers())

  it.each(["whole", "streamed"])("takes as long as it likes (%s)", (kind) => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    const exchange = client.ask({ hasBody: true }, withBody)!
    client.send("some")
    assert.isTrue(client.isHeldBack)
    client.send("more", true)
    assert.isFalse(client.isHeldBack)
    vi.advanceTimersByTime(60_000)
    if (kind === "whole") answer(exchange)
    else {
      exchange.start(200, [])
      exchange.write("ans")
      vi.advanceTimersByTime(60 * 60_000)
      exchange.write("wer")
      exchange.end("ed")
    }
    assert.deepStrictEqual([client.last.body, client.last.isWhole], ["answered", true])
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("waits for a client that does not read for no longer than any other", () => {
    const client = new FakeClient(edgeOf())
    const exchange = client.ask({ hasBody: true }, withBody)!
    client.send("some")
    client.send("more", true)
    client.keepsUp = false
    exchange.start(200, [])
    exchange.write("one")
    vi.advanceTimersByTime(16 * 60_000)
    assert.isFalse(client.isAlive)
  })
})

describe("a whole answer", () => {
  beforeEach(() => void vi.useFakeTimers())

  it("goes out when the turn in which it was made is over, and the connection is free for the next", () => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    for (let turn = 0; turn < 3; turn++) {
      client.ask({ hasBody: true }, (exchange) => {
        withBody(exchange)
        exchange.always([["x-id", "1"]])
        answer(exchange)
      })
      client.send("small", true)
      assert.strictEqual(client.last.status, "")
      endTurn()
      assert.deepStrictEqual(client.last.headers, [
        ["x-a", "b"],
        ["x-id", "1"]
      ])
      assert.deepStrictEqual([client.last.status, client.last.body], ["200 OK", "answered"])
    }
    assert.lengthOf(client.answers, 3)
    assert.strictEqual(edge.openExchanges, 0)
    assert.isTrue(client.isAlive)
  })

  it("is made once: what else is said of it is not heard", () => {
    const client = new FakeClient(edgeOf())
    const exchange = client.ask({}, answer)!
    exchange.respond(500, [], "no")
    exchange.start(500, [])
    assert.isTrue(exchange.write("no"))
    exchange.end("no")
    exchange.drop()
    endTurn()
    assert.deepStrictEqual([client.last.status, client.last.body], ["200 OK", "answered"])
    assert.isTrue(client.isAlive)
  })

  it("ends its connection where that was asked for", () => {
    const client = new FakeClient(edgeOf())
    const close = (body: string) => (exchange: Exchange) => {
      exchange.closeAfter()
      exchange.respond(200, [], body)
    }
    client.ask({}, close("last"))
    endTurn()
    endTurn()
    assert.deepStrictEqual([client.last.header("connection"), client.last.body], ["close", "last"])
    assert.isFalse(client.isAlive)
    const edge = edgeOf()
    const other = new FakeClient(edge)
    other.ask({}, close(""))
    endTurn()
    assert.isUndefined(other.last.header("connection"), "uWebSockets.js writes it itself")
    assert.isFalse(other.isAlive)
    assert.strictEqual(edge.openExchanges, 0)
  })

  it("that ends its connection waits for a slow client to take it, and leaves nothing behind", () => {
    const client = new FakeClient(edgeOf())
    client.keepsUp = false
    client.ask({}, (exchange) => {
      exchange.closeAfter()
      answer(exchange)
    })
    vi.advanceTimersByTime(60_000)
    assert.deepStrictEqual([client.isAlive, client.last.body], [true, ""])
    client.read()
    endTurn()
    assert.deepStrictEqual([client.isAlive, client.last.body], [false, "answered"])
    assert.strictEqual(vi.getTimerCount(), 0)
  })
})

describe("a streamed answer", () => {
  beforeEach(() => void vi.useFakeTimers())

  it("has its head with its first bytes, and waits for a client that does not keep up", () => {
    const client = new FakeClient(edgeOf())
    const exchange = client.ask({}, () => {})!
    endTurn()
    const writable = vi.fn()
    exchange.start(200, [["content-type", "text/event-stream"]])
    exchange.whenWritable(writable)
    assert.isTrue(exchange.isStarted)
    assert.strictEqual(client.last.status, "")
    assert.isTrue(exchange.write("one "))
    assert.strictEqual(client.last.status, "200 OK")
    client.keepsUp = false
    assert.isFalse(exchange.write("two "))
    assert.isFalse(exchange.write("three "))
    assert.strictEqual(client.last.body, "one two ")
    client.read()
    assert.strictEqual(writable.mock.calls.length, 1)
    exchange.end("four")
    assert.deepStrictEqual([client.last.body, client.last.isWhole], ["one two three four", true])
    assert.isFalse(exchange.isOpen)
  })

  it("whose client has left is nobody's any more, and whoever serves it is told once", () => {
    const edge = edgeOf()
    const client = new FakeClient(edge)
    const exchange = client.ask({}, () => {})!
    endTurn()
    const [writable, left] = [vi.fn(), vi.fn()]
    exchange.onAbort(left)
    exchange.start(200, [])
    exchange.whenWritable(writable)
    exchange.write("one")
    client.leave()
    client.read()
    assert.isTrue(exchange.write("two"))
    exchange.end("three")
    exchange.drop()
    endTurn()
    assert.deepStrictEqual([left.mock.calls.length, writable.mock.calls.length], [1, 0])
    assert.deepStrictEqual([client.last.body, edge.openExchanges, exchange.isOpen], ["one", 0, false])
    const late = vi.fn()
    exchange.onAbort(late)
    assert.strictEqual(late.mock.calls.length, 1)
  })

  it("that is broken off ends its connection, and whoever serves it is told", () => {
    const client = new FakeClient(edgeOf())
    const exchange = client.ask({}, () => {})!
    endTurn()
    const left = vi.fn()
    exchange.onAbort(left)
    exchange.start(200, [])
    exchange.write("one")
    exchange.drop()
    assert.isTrue(client.isAlive, "not from inside the connection's own callbacks")
    endTurn()
    assert.isFalse(client.isAlive)
    assert.strictEqual(left.mock.calls.length, 1)
  })
})
