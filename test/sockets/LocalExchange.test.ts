/** Over the stand-in for uWebSockets.js that strangers' exchanges are tested with. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import { FakeClient } from "../http/FakeClient.ts"
import { edgeOf } from "../http/start-edge.ts"
import type { LocalExchange } from "../../src/sockets/LocalExchange.ts"

const clientOf = () => new FakeClient(edgeOf())

const answer = (exchange: LocalExchange, body: string) =>
  exchange.cork(() => {
    exchange.begin(200, [["x-a", "b"]])
    exchange.end(body)
  })

/** What became of a request's body, each time that somebody was told. */
const bodiesOf = (client: FakeClient, bytesMax: number) => {
  const told: Array<string | undefined> = []
  client.askLocally({ hasBody: true }, (exchange) =>
    exchange.readBody(bytesMax, (body) => void told.push(body?.toString()))
  )
  return told
}

describe("a request", () => {
  it("is read while its handler runs, and never after", () => {
    const exchange = clientOf().askLocally(
      { headers: { "x-a": ["1", "2", "3"], constructor: "c" }, method: "PUT", query: "a=b", url: "/x" },
      () => {}
    )!
    assert.deepStrictEqual([exchange.method, exchange.path, exchange.query], ["put", "/x", "a=b"])
    assert.deepStrictEqual(exchange.headers, { "x-a": "1, 2, 3", constructor: "c" })
  })

  it("has a body, told once it is whole", () => {
    const client = clientOf()
    const told = bodiesOf(client, 9)
    client.send("some")
    assert.deepStrictEqual(told, [])
    client.send(" more", true)
    assert.deepStrictEqual(told, ["some more"])
  })

  it("without a body has an empty one", () => {
    const told: Array<unknown> = []
    clientOf().askLocally({}, (exchange) => exchange.readBody(9, (body) => void told.push(body?.length)))
    assert.deepStrictEqual(told, [0])
  })

  it("whose body is too large is told of at once, and once", () => {
    const client = clientOf()
    const told = bodiesOf(client, 8)
    for (const piece of ["some", " more", " and more"]) client.send(piece)
    client.send("", true)
    assert.deepStrictEqual(told, [undefined])
  })

  it("whose client leaves says so, and touches nothing more", () => {
    const client = clientOf()
    let isGone = false
    const exchange = client.askLocally({}, (exchange) => exchange.onGone(() => (isGone = true)))!
    assert.isTrue(exchange.isOpen)
    client.leave()
    assert.deepStrictEqual([isGone, exchange.isOpen], [true, false])
    exchange.whenWritable(() => assert.fail("there is nobody to write to"))
    exchange.write("a piece")
    answer(exchange, "too late")
    exchange.destroy()
  })
})

describe("an answer", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const begin = (client: FakeClient) => {
    const exchange = client.askLocally({}, () => {})!
    exchange.cork(() => exchange.begin(200, []))
    return exchange
  }

  it("has a status with its reason, headers and a body of any size, after which nothing is sent", () => {
    const client = clientOf()
    let isGone = false
    const exchange = client.askLocally({}, (exchange) => exchange.onGone(() => (isGone = true)))!
    answer(exchange, "a".repeat(100_000))
    const { body, headers, isWhole, status } = client.last
    assert.deepStrictEqual([status, body.length, isWhole], ["200 OK", 100_000, true])
    assert.deepStrictEqual(headers, [
      ["x-a", "b"],
      ["content-length", "100000"]
    ])
    answer(exchange, "again")
    exchange.destroy()
    client.leave()
    assert.deepStrictEqual([exchange.isOpen, isGone], [false, false])
  })

  it("has a reason also for what a provider with too much to do answers", () => {
    const client = clientOf()
    client.askLocally({}, (exchange) => exchange.begin(529, []))
    assert.strictEqual(client.last.status, "529 Overloaded")
  })

  it("to a HEAD tells the length of what does not come", () => {
    const client = clientOf()
    answer(
      client.askLocally({ method: "HEAD" }, () => {})!,
      "chữ"
    )
    assert.deepStrictEqual(
      [client.last.header("content-length"), client.last.body, client.last.isWhole],
      ["5", "", true]
    )
  })

  it("to a HEAD tells no length of what would be streamed", () => {
    const client = clientOf()
    const exchange = client.askLocally({ method: "HEAD" }, (exchange) => exchange.begin(200, [["x-a", "b"]]))!
    exchange.end()
    assert.deepStrictEqual([client.last.headers, client.last.isWhole], [[["x-a", "b"]], true])
  })

  it("that is streamed goes out in pieces that fit under a cork each", () => {
    const client = clientOf()
    const exchange = begin(client)
    const text = "chữ".repeat(20_000)
    assert.isTrue(exchange.write(text))
    exchange.cork(() => {
      exchange.write("some")
      exchange.write(" more")
    })
    exchange.end()
    assert.isTrue(client.last.isWhole)
    assert.strictEqual(client.last.body, `${text}some more`)
  })

  it("waits for a slow reader, whose connection is held open meanwhile and no longer", () => {
    const client = clientOf()
    const exchange = begin(client)
    let resumed = 0
    exchange.whenWritable(() => void resumed++)
    client.keepsUp = false
    assert.isFalse(exchange.write("some"))
    assert.isFalse(exchange.write("more"))
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(client.pauses, 2)
    client.read()
    assert.strictEqual(resumed, 1)
    assert.isTrue(exchange.write("!"))
    vi.advanceTimersByTime(10_000)
    assert.strictEqual(client.pauses, 2)
  })

  it.each(["leaves", "is thrown out", "has everything"])("holds nothing open once its reader %s", (end) => {
    const client = clientOf()
    const exchange = begin(client)
    client.keepsUp = false
    exchange.write("some")
    if (end === "leaves") client.leave()
    else if (end === "is thrown out") exchange.destroy()
    else exchange.end()
    assert.isFalse(exchange.isOpen)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("of a known length may come in parts", () => {
    const client = clientOf()
    const exchange = begin(client)
    assert.isTrue(exchange.writePart(Buffer.from("some"), 9))
    assert.deepStrictEqual([exchange.offset, exchange.isOpen], [4, true])
    client.keepsUp = false
    assert.isFalse(exchange.writePart(Buffer.from(" more"), 9))
    assert.strictEqual(exchange.offset, 4)
    assert.strictEqual(vi.getTimerCount(), 1)
    client.keepsUp = true
    assert.isTrue(exchange.writePart(Buffer.from(" more"), 9))
    assert.deepStrictEqual([client.last.body, exchange.isOpen], ["some more", false])
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("that can not be finished breaks the connection, and whoever minds is told", () => {
    const client = clientOf()
    const exchange = begin(client)
    let isGone = false
    exchange.onGone(() => (isGone = true))
    exchange.destroy()
    assert.deepStrictEqual([client.isAlive, isGone, exchange.isOpen], [false, true, false])
    exchange.destroy()
  })
})
