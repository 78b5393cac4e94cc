/** Calls over connections of their own: how they go out, how they end, and what they fail of. */
import { assert, describe, it } from "vitest"
import { delay } from "../../delay.ts"
import { until } from "../../until.ts"
import type { Delivery } from "../../../src/upstream/http1/Delivery.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { endpointOf } from "../../../src/upstream/http1/Endpoint.ts"
import { deadPort, endAfterEach, reply, startStub, untilClosed } from "../stub-providers.ts"
import { collect, failureOf, howItFails, listening, poolTo, request } from "./collect.ts"

endAfterEach()
/** A call that is over. */
const carriedOnce = (pool: ConnectionPool) =>
  new Promise<Delivery>((resolve) => {
    const delivery: Delivery = pool.send(request, 1_000, listening({ onEnd: () => resolve(delivery) }))
  })

describe("a call", () => {
  it("goes out with its length, its host and nothing that it was not given", async () => {
    let received = ""
    const stub = await startStub((socket) => {
      socket.write(reply(200))
    })
    const pool = poolTo(stub)
    const seen = new Promise<void>((resolve) => {
      stub.answer = (socket) => socket.write(reply(200), () => resolve())
    })
    await collect(pool, request)
    for (const socket of stub.open) socket.once("data", (data) => (received = data.toString()))
    await collect(pool, request)
    await seen
    assert.strictEqual(
      received,
      `POST /v1/x?y=z HTTP/1.1\r\nhost: 127.0.0.1:${stub.port}\r\naccept: */*\r\ncontent-length: 2\r\n\r\n{}`
    )
    pool.close()
  })

  it.each([
    ["header", { ...request, headers: { a: "b\r\nc: d" } }],
    ["name", { ...request, headers: { "a\r\nb": "c" } }],
    ["letter", { ...request, headers: { a: "\u{10d}" } }],
    ["path", { ...request, path: "/ HTTP/1.1\r\nx: y\r\n\r\n" }]
  ])("never goes out where a %s would make two of it", async (_, outgoing) => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    assert.isUndefined(await collect(pool, outgoing))
    assert.strictEqual(stub.calls, 0)
    pool.close()
  })

  it("fails where nobody listens, before it was sent", async () => {
    const pool = poolTo({ port: await deadPort() })
    assert.deepStrictEqual(await howItFails(pool), ["ECONNREFUSED", true])
  })

  it("fails where no connection comes about in time, before it was sent", async () => {
    const stub = await startStub(() => {})
    // Nothing answers the greeting of TLS.
    const pool = new ConnectionPool(endpointOf(`https://127.0.0.1:${stub.port}`))
    assert.deepStrictEqual(await howItFails(pool, 50), ["connect timeout", true])
    await untilClosed(stub)
  })

  it.each([
    ["closed", "", "closed"],
    ["closed", "HTTP/1.1 200 OK\r\n", "closed"],
    ["closed", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello", "closed"],
    ["closed", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", "closed"],
    ["no answer", "hello\r\n\r\n", "malformed"]
  ])("fails where its answer is %s: %j", async (_, answer, reason) => {
    const stub = await startStub((socket) => socket.end(answer))
    const pool = poolTo(stub)
    assert.deepStrictEqual(await howItFails(pool), [reason, false])
    pool.close()
  })

  it("fails alone where something throws while its answer is read, and it is told", async () => {
    const faults: Array<unknown> = []
    const stub = await startStub(reply(200))
    const endpoint = endpointOf(`http://127.0.0.1:${stub.port}`)
    const pool = new ConnectionPool(endpoint, undefined, (fault) => void faults.push(fault))
    const bug = new Error("a bug")
    const onData = () => {
      throw bug
    }
    const failed = new Promise<string>((onFailure) =>
      pool.send(request, 1_000, listening({ onData, onFailure }))
    )
    const other = collect(pool, request)
    assert.strictEqual(await failed, "fault")
    assert.strictEqual((await other)?.status, 200)
    assert.deepStrictEqual(faults, [bug])
    assert.strictEqual((await collect(pool, request))?.status, 200)
    pool.close()
  })

  it("fails where its answer comes encoded, which nobody has asked for, and by that name", async () => {
    const answer = "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"
    const pool = poolTo(await startStub(answer))
    assert.deepStrictEqual(await howItFails(pool), ["encoded", false])
    pool.close()
  })

  it("hears of one failure alone, whatever becomes of its connection afterwards", async () => {
    const stub = await startStub((socket) => socket.resetAndDestroy())
    const pool = poolTo(stub)
    const reasons: Array<string> = []
    pool.send(request, 1_000, listening({ onFailure: (reason) => reasons.push(reason) }))
    await until(() => reasons.length > 0)
    pool.close()
    assert.deepStrictEqual(reasons, ["ECONNRESET"])
  })

  it("ends with its connection where nothing else tells its end", async () => {
    const stub = await startStub((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nhello"))
    const pool = poolTo(stub)
    assert.strictEqual((await collect(pool, request))?.body, "hello")
    pool.close()
  })

  it("that is given up hears no more, and its connection is closed", async () => {
    const heard: Array<string> = []
    const stub = await startStub((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello")
    )
    const pool = poolTo(stub)
    const delivery: Delivery = pool.send(
      request,
      1_000,
      listening({
        onHead: () => {
          heard.push("head")
          delivery.abort()
        },
        onData: () => heard.push("data"),
        onEnd: () => heard.push("end"),
        onFailure: () => heard.push("failure")
      })
    )
    await delay(20)
    await untilClosed(stub)
    assert.deepStrictEqual(heard, ["head"])
    pool.close()
  })

  it("that is over has no hold on the connection any more", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    const former = await carriedOnce(pool)
    const next = collect(pool, request)
    former.pause()
    former.abort()
    assert.strictEqual((await next)?.status, 200)
    assert.strictEqual(stub.open.size, 1)
    pool.close()
  })

  it("that is over does not set the next one going, which waits for its own client", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    const former = await carriedOnce(pool)
    stub.answer = (socket) => {
      socket.setNoDelay(true)
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n")
      setTimeout(() => socket.write("{}"), 10)
    }
    let bytes = 0
    const next = listening({ onData: (piece) => (bytes += piece.length) })
    const ended = new Promise<void>((onEnd) => Object.assign(next, { onEnd }))
    const delivery = await new Promise<Delivery>((resolve) => {
      const onHead = () => {
        delivery.pause()
        resolve(delivery)
      }
      const delivery = pool.send(request, 1_000, Object.assign(next, { onHead }))
    })
    former.resume()
    await delay(30)
    assert.strictEqual(bytes, 0)
    delivery.resume()
    await ended
    assert.strictEqual(bytes, 2)
    assert.strictEqual(stub.open.size, 1)
    pool.close()
  })

  it("fails when its pool is closed", async () => {
    const stub = await startStub(() => {})
    const pool = poolTo(stub)
    const failed = failureOf(pool)
    await until(() => stub.calls === 1)
    pool.close()
    assert.strictEqual(await failed, "shutdown")
  })

  it("fails when its pool is closed before it went out", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    await collect(pool, request)
    const failed = failureOf(pool)
    pool.close()
    assert.strictEqual(await failed, "shutdown")
    await untilClosed(stub)
    assert.strictEqual(stub.calls, 1)
  })

  it("fails once its pool is closed, and opens no connection", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    pool.close()
    assert.strictEqual(await failureOf(pool), "shutdown")
    await delay(20)
    assert.strictEqual(stub.open.size, 0)
  })

  it("is read no faster than it is taken", async () => {
    const bytes = Buffer.alloc(64 * 1024 * 1024, "x")
    const stub = await startStub((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${bytes.length}\r\n\r\n`)
      socket.write(bytes)
    })
    const pool = poolTo(stub)
    let read = 0
    let isHeld = true
    let delivery: Delivery
    const ended = new Promise<void>((onEnd) => {
      const onData = (piece: Buffer) => {
        read += piece.length
        if (read < 1024 * 1024) return
        delivery.pause()
        if (!isHeld) setTimeout(() => delivery.resume(), 0)
      }
      delivery = pool.send(request, 1_000, listening({ onData, onEnd }))
    })
    await until(() => read >= 1024 * 1024)
    await delay(40)
    assert.isBelow(read, 2 * 1024 * 1024)
    isHeld = false
    delivery!.resume()
    await ended
    assert.strictEqual(read, bytes.length)
    pool.close()
  })
})
