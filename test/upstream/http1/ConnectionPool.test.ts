/** Connections to a provider: when one is used again, and when it must not be. */
import { assert, describe, it } from "vitest"
import { setImmediate as nextTurn, setTimeout as delay } from "node:timers/promises"
import type { AnswerListener, Connection } from "../../../src/upstream/http1/Connection.ts"
import { ConnectionPool } from "../../../src/upstream/http1/ConnectionPool.ts"
import { deadPort, endAfterEach, reply, startStub, type Stub, untilClosed } from "../stub-providers.ts"
import { collect } from "./collect.ts"

endAfterEach()

const request = { path: "/v1/x?y=z", headers: { accept: "*/*" }, body: Buffer.from("{}") }
const originOf = ({ port }: Pick<Stub, "port">) => `http://127.0.0.1:${port}`

/** Calls one after another; answers how many connections that took. */
const connectionsOf = async (stub: Stub, calls = 3): Promise<number> => {
  const pool = new ConnectionPool(originOf(stub))
  const seen = new Set<unknown>()
  for (let call = 0; call < calls; call++) {
    await collect(pool, request)
    for (const socket of stub.open) seen.add(socket)
    // What the provider sends or closes behind its answer arrives.
    await delay(5)
  }
  pool.close()
  return seen.size
}

/** Told of nothing but what a test says. */
const listening = (more: Partial<AnswerListener>): AnswerListener => ({
  onSent: () => {},
  onHead: () => {},
  onData: () => {},
  onEnd: () => {},
  onFailure: () => {},
  ...more
})

/** Why a call failed. */
const failureOf = (pool: ConnectionPool, connectTimeoutMs = 1_000) =>
  new Promise<string>((resolve) =>
    pool.send(request, connectTimeoutMs, listening({ onEnd: () => resolve("none"), onFailure: resolve }))
  )

describe("a connection", () => {
  it.each([
    ["an answer of a length", reply(200)],
    ["an empty answer", reply(200, "", "")],
    ["chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
    ["an answer without body", "HTTP/1.1 204 No Content\r\n\r\n"],
    ["an older version that says so", reply(200, "connection: keep-alive\r\n").replace("1.1", "1.0")],
    ["a long patience told", reply(200, "keep-alive: timeout=5, max=1000\r\n")]
  ])("is used again behind %s", async (_, answer) => {
    assert.strictEqual(await connectionsOf(await startStub(answer)), 1)
  })

  it.each([
    ["its end told", reply(200, "connection: close\r\n")],
    ["an older version", reply(200).replace("1.1", "1.0")],
    ["bytes that nobody asked for", `${reply(200)}${reply(200)}`],
    ["a patience that is over before the next call", reply(200, "keep-alive: timeout=2\r\n")],
    ["an answer that breaks", reply(200, "content-length: 7\r\n")]
  ])("is not used again behind %s", async (_, answer) => {
    assert.strictEqual(await connectionsOf(await startStub(answer)), 3)
  })

  it("is not used again when bytes come later that nobody asked for", async () => {
    const stub = await startStub((socket) => {
      socket.write(reply(200))
      setTimeout(() => socket.write(reply(200)), 1)
    })
    assert.strictEqual(await connectionsOf(stub), 3)
  })

  it("is not used again once its provider has closed it", async () => {
    const stub = await startStub((socket) => socket.end(reply(200)))
    assert.strictEqual(await connectionsOf(stub), 3)
  })

  it("that its provider closes right behind an answer, without a word, loses no call that comes at once", async () => {
    const pool = new ConnectionPool(originOf(await startStub((socket) => socket.end(reply(200)))))
    for (let call = 0; call < 20; call++) assert.strictEqual((await collect(pool, request))?.status, 200)
    pool.close()
  })

  it("is looked at before a call goes out on it, which late bytes would answer", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    for (let call = 0; call < 20; call++) {
      assert.strictEqual((await collect(pool, request))?.status, 200)
      await delay(1)
      // From here on the loop of events reads before it sends.
      await nextTurn()
      for (const socket of stub.open) socket.write(reply(500))
    }
    pool.close()
  })

  it("is used by one of many calls that come at once, and others are made for the rest", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    await collect(pool, request)
    const answers = await Promise.all(Array.from({ length: 10 }, () => collect(pool, request)))
    assert.isTrue(answers.every((answer) => answer?.status === 200))
    assert.strictEqual(stub.open.size, 10)
    pool.close()
  })

  it("is not used again where the provider has not taken the whole request", async () => {
    const stub = await startStub((socket) => {
      socket.pause()
      socket.write(reply(413))
    })
    const pool = new ConnectionPool(originOf(stub))
    const large = { ...request, body: Buffer.alloc(8_000_000) }
    assert.strictEqual((await collect(pool, large))?.status, 413)
    assert.strictEqual((await collect(pool, request))?.status, 413)
    assert.strictEqual(stub.calls, 2)
    pool.close()
  })

  it("carries one call at a time, and is kept for the next ones", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 5 }, () => collect(pool, request)))
    assert.strictEqual(stub.open.size, 5)
    pool.close()
    await untilClosed(stub)
  })

  it("is closed when it was idle for long, the one used last only later", async () => {
    const stub = await startStub(reply(200))
    const pool = new ConnectionPool(originOf(stub))
    await Promise.all([collect(pool, request), collect(pool, request)])
    const startedMs = Date.now()
    await delay(20)
    await collect(pool, request)
    pool.closeIdle(startedMs + 29_000)
    assert.strictEqual(stub.open.size, 2)
    pool.closeIdle(startedMs + 30_010)
    await delay(20)
    assert.strictEqual(stub.open.size, 1)
    pool.closeIdle(startedMs + 31_000)
    await untilClosed(stub)
  })

  it("that was not read from is read from again once it is idle, so that its closing is seen", async () => {
    const stub = await startStub((socket) => socket.end(reply(200)))
    const pool = new ConnectionPool(originOf(stub))
    await new Promise<void>((resolve) => {
      let carrier: Connection
      const listener = listening({
        onSent: (connection) => (carrier = connection),
        onData: () => carrier.pause(listener),
        onEnd: resolve
      })
      pool.send(request, 1_000, listener)
    })
    await untilClosed(stub)
    pool.close()
  })
})

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
