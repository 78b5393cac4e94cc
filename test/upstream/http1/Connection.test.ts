/** Calls over connections of their own: how they go out, how they end, and what they fail of. */
import { assert, describe, it } from "vitest"
import { setTimeout as delay } from "node:timers/promises"
import type { AnswerListener, Connection } from "../../../src/upstream/http1/Connection.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { deadPort, endAfterEach, reply, startStub, untilClosed } from "../stub-providers.ts"
import { collect, failureOf, listening, originOf, request } from "./collect.ts"

endAfterEach()
describe("a call", () => {
  it("goes out with its length, its host and nothing that it was not given", async () => {
    let received = ""
    const stub = await startStub((socket) => {
      socket.write(reply(200))
    })
    const pool = new ConnectionPool(originOf(stub))
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
    const pool = new ConnectionPool(originOf(stub))
    assert.isUndefined(await collect(pool, outgoing))
    assert.strictEqual(stub.calls, 0)
    pool.close()
  })

  it("fails where nobody listens, before it was sent", async () => {
    let isSent = false
    const pool = new ConnectionPool(originOf({ port: await deadPort() }))
    const reason = await new Promise<string>((onFailure) =>
      pool.send(request, 1_000, listening({ onFailure, onSent: () => (isSent = true) }))
    )
    assert.strictEqual(reason, "ECONNREFUSED")
    assert.isFalse(isSent)
  })

  it("fails where no connection comes about in time, before it was sent", async () => {
    const stub = await startStub(() => {})
    let isSent = false
    // Nothing answers the greeting of TLS.
    const pool = new ConnectionPool(`https://127.0.0.1:${stub.port}`)
    const reason = await new Promise<string>((onFailure) =>
      pool.send(request, 50, listening({ onFailure, onSent: () => (isSent = true) }))
    )
    assert.strictEqual(reason, "connect timeout")
    assert.isFalse(isSent)
    await untilClosed(stub)
  })

  it.each([2, 8_000_000])("that is given up as it is to go out never does (%i bytes)", async (bytes) => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    const heard: Array<string> = []
    const listener = listening({
      onSent: (connection) => connection.abort(listener),
      onHead: () => heard.push("head"),
      onFailure: (reason) => heard.push(reason)
    })
    pool.send({ ...request, body: Buffer.alloc(bytes) }, 1_000, listener)
    await delay(30)
    await untilClosed(stub)
    assert.deepStrictEqual(heard, [])
    assert.strictEqual(stub.calls, 0)
  })

  it.each([
    ["closed", "", "closed"],
    ["closed", "HTTP/1.1 200 OK\r\n", "closed"],
    ["closed", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello", "closed"],
    ["closed", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n", "closed"],
    ["no answer", "hello\r\n\r\n", "malformed"]
  ])("fails where its answer is %s: %j", async (_, answer, reason) => {
    const stub = await startStub((socket) => socket.end(answer))
    const pool = new ConnectionPool(originOf(stub))
    assert.strictEqual(await failureOf(pool), reason)
    pool.close()
  })

  it("hears of one failure alone, whatever becomes of its connection afterwards", async () => {
    const stub = await startStub((socket) => socket.resetAndDestroy())
    const pool = new ConnectionPool(originOf(stub))
    const reasons: Array<string> = []
    pool.send(request, 1_000, listening({ onFailure: (reason) => reasons.push(reason) }))
    await delay(30)
    pool.close()
    assert.deepStrictEqual(reasons, ["ECONNRESET"])
  })

  it("ends with its connection where nothing else tells its end", async () => {
    const stub = await startStub((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nhello"))
    const pool = new ConnectionPool(originOf(stub))
    assert.strictEqual((await collect(pool, request))?.body, "hello")
    pool.close()
  })

  it("that is given up hears no more, and its connection is closed", async () => {
    const heard: Array<string> = []
    const stub = await startStub((socket) =>
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello")
    )
    const pool = new ConnectionPool(originOf(stub))
    let carrier: Connection
    const listener = listening({
      onSent: (connection) => (carrier = connection),
      onHead: () => {
        heard.push("head")
        carrier.abort(listener)
      },
      onData: () => heard.push("data"),
      onEnd: () => heard.push("end"),
      onFailure: () => heard.push("failure")
    })
    pool.send(request, 1_000, listener)
    await delay(20)
    await untilClosed(stub)
    assert.deepStrictEqual(heard, ["head"])
    pool.close()
  })

  it("that is over has no hold on the connection any more", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    let carrier: Connection
    const former = await new Promise<AnswerListener>((resolve) => {
      const listener = listening({
        onSent: (connection) => (carrier = connection),
        onEnd: () => resolve(listener)
      })
      pool.send(request, 1_000, listener)
    })
    const next = collect(pool, request)
    carrier!.pause(former)
    carrier!.abort(former)
    assert.strictEqual((await next)?.status, 200)
    assert.strictEqual(stub.open.size, 1)
    pool.close()
  })

  it("that is over does not set the next one going, which waits for its own client", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    let carrier: Connection
    const former = listening({ onSent: (connection) => (carrier = connection) })
    await new Promise<void>((onEnd) => pool.send(request, 1_000, Object.assign(former, { onEnd })))
    stub.answer = (socket) => {
      socket.setNoDelay(true)
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n")
      setTimeout(() => socket.write("{}"), 10)
    }
    let bytes = 0
    const next = listening({ onData: (piece) => (bytes += piece.length) })
    const ended = new Promise<void>((onEnd) => Object.assign(next, { onEnd }))
    await new Promise<void>((resolve) => {
      const onHead = () => {
        carrier.pause(next)
        resolve()
      }
      pool.send(request, 1_000, Object.assign(next, { onHead }))
    })
    carrier!.resume(former)
    await delay(30)
    assert.strictEqual(bytes, 0)
    carrier!.resume(next)
    await ended
    assert.strictEqual(bytes, 2)
    assert.strictEqual(stub.open.size, 1)
    pool.close()
  })

  it("fails when its pool is closed", async () => {
    const pool = new ConnectionPool(originOf(await startStub(() => {})))
    const failed = failureOf(pool)
    await delay(20)
    pool.close()
    assert.strictEqual(await failed, "shutdown")
  })

  it("fails when its pool is closed before it went out", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    await collect(pool, request)
    const failed = failureOf(pool)
    pool.close()
    assert.strictEqual(await failed, "shutdown")
    await untilClosed(stub)
    assert.strictEqual(stub.calls, 1)
  })

  it("fails once its pool is closed, and opens no connection", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
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
    const pool = new ConnectionPool(originOf(stub))
    let read = 0
    let carrier: Connection
    const ended = new Promise<void>((onEnd) => {
      const listener = listening({
        onSent: (connection) => (carrier = connection),
        onData: (piece) => {
          read += piece.length
          if (read < 1024 * 1024) return
          carrier.pause(listener)
          setTimeout(() => carrier.resume(listener), read < 2 * 1024 * 1024 ? 50 : 0)
        },
        onEnd
      })
      pool.send(request, 1_000, listener)
    })
    await delay(40)
    assert.isBelow(read, 2 * 1024 * 1024)
    await ended
    assert.strictEqual(read, bytes.length)
    pool.close()
  })
})
