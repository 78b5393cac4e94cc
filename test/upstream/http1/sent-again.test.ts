/** Calls that met a connection which their provider was closing, and those that only seem to have. */
import { afterEach, assert, describe, it, vi } from "vitest"
import type { Socket } from "node:net"
import { delay } from "../../delay.ts"
import { endAfterEach, reply, startStub, type Stub } from "../stub-providers.ts"
import { collect, howItFails, poolTo, request } from "./collect.ts"

endAfterEach()
afterEach(() => void vi.useRealTimers())

const timedOut = reply(408, "connection: close\r\n")

/** A pool with one idle connection, on which the next request is answered by `closing`; fresh ones are answered by 200. */
const startClosing = async (closing: (socket: Socket) => void, connections = 1) => {
  const stub = await startStub(reply(200))
  const pool = poolTo(stub)
  await Promise.all(Array.from({ length: connections }, () => collect(pool, request)))
  await delay(5)
  const used = new Set(stub.open)
  stub.calls = 0
  stub.answer = (socket) => (used.has(socket) ? closing(socket) : socket.write(reply(200)))
  return { pool, stub }
}

const statusOn = async (stub: Stub, answer: ReturnType<typeof collect>) => [
  (await answer)?.status,
  stub.calls
]

describe("a call on a connection that was used before", () => {
  it.each<[string, (socket: Socket) => void]>([
    ["is ended", (socket) => socket.end()],
    ["is reset", (socket) => socket.resetAndDestroy()],
    ["says that it was idle for too long, and is ended", (socket) => socket.end(timedOut)],
    ["says that it was idle for too long, and stays open", (socket) => socket.write(reply(408))],
    ["is ended after a while", (socket) => setTimeout(() => socket.end(), 100)]
  ])("goes out again, once, on a fresh one where it %s", async (_, closing) => {
    const { pool, stub } = await startClosing(closing, 3)
    assert.deepStrictEqual(await statusOn(stub, collect(pool, request)), [200, 2])
    pool.close()
  })

  it("goes out again whole, however large it is and wherever it was broken", async () => {
    const { pool, stub } = await startClosing((socket) => socket.resetAndDestroy())
    const body = Buffer.from("0123456789".repeat(800_000))
    let received = 0
    stub.answer = (socket) => {
      if (stub.calls === 1) return void socket.resetAndDestroy()
      socket.on("data", (data) => {
        received += data.length
        if (data.subarray(-4).equals(body.subarray(-4)) && received > 7_000_000) socket.write(reply(200))
      })
    }
    assert.deepStrictEqual(await statusOn(stub, collect(pool, { ...request, body })), [200, 2])
    pool.close()
  })

  it.each<[string, string]>([
    ["a byte of the answer", "H"],
    ["a part of its head", "HTTP/1.1 200 OK\r\ncontent-"],
    ["a head that only informs", "HTTP/1.1 102 Processing\r\n\r\n"],
    ["its head", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n"],
    ["a part of its body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello"]
  ])("does not go out again where %s has come", async (_, begun) => {
    const { pool, stub } = await startClosing((socket) => socket.end(begun))
    assert.deepStrictEqual(await howItFails(pool), ["closed", false])
    assert.strictEqual(stub.calls, 1)
    pool.close()
  })

  it("is answered by 408 where the provider had begun with it", async () => {
    const { pool, stub } = await startClosing((socket) =>
      socket.end(`HTTP/1.1 102 Processing\r\n\r\n${timedOut}`)
    )
    assert.deepStrictEqual(await statusOn(stub, collect(pool, request)), [408, 1])
    pool.close()
  })

  it("does not go out a third time", async () => {
    const { pool, stub } = await startClosing(() => {})
    stub.answer = (socket) => socket.end()
    assert.deepStrictEqual(await howItFails(pool), ["closed", false])
    assert.strictEqual(stub.calls, 2)
    stub.answer = (socket) => socket.write(reply(200))
    await collect(pool, request)
    await delay(5)
    stub.answer = (socket) => socket.end(timedOut)
    stub.calls = 0
    assert.deepStrictEqual(await statusOn(stub, collect(pool, request)), [408, 2])
    pool.close()
  })

  it("does not go out again where its provider may have worked on it for long", async () => {
    const clock = vi.spyOn(performance, "now")
    const { pool, stub } = await startClosing((socket) => {
      // The machine's own may have been set back.
      vi.setSystemTime(Date.now() - 3_600_000)
      clock.mockReturnValue(performance.now() + 10_001)
      socket.end()
    })
    vi.useFakeTimers({ toFake: ["Date"] })
    assert.deepStrictEqual(await howItFails(pool), ["closed", false])
    assert.strictEqual(stub.calls, 1)
    clock.mockRestore()
    pool.close()
  })

  it("counts as never sent where no fresh one can be made, so that another route may take it", async () => {
    const { pool, stub } = await startClosing((socket) => {
      stub.stopListening()
      socket.resetAndDestroy()
    })
    assert.deepStrictEqual(await howItFails(pool), ["ECONNREFUSED", true])
  })

  it("and is given up before it went out again does not go out again", async () => {
    const { pool, stub } = await startClosing((socket) => {
      socket.end()
      setImmediate(() => delivery.abort())
    })
    const delivery = pool.send(request, 1_000, { ...neverHeard })
    await delay(50)
    assert.isAtMost(stub.calls, 2)
    assert.strictEqual((await collect(pool, request))?.status, 200)
    pool.close()
  })
})

describe("a call on a fresh connection", () => {
  it.each<[string, (socket: Socket) => void, string]>([
    ["is ended", (socket) => socket.end(), "closed"],
    ["is reset", (socket) => socket.resetAndDestroy(), "ECONNRESET"]
  ])("does not go out again where it %s: the provider was not closing it", async (_, closing, reason) => {
    const stub = await startStub(closing)
    const pool = poolTo(stub)
    assert.deepStrictEqual(await howItFails(pool), [reason, false])
    assert.strictEqual(stub.calls, 1)
    pool.close()
  })

  it("is answered by 408 where it was", async () => {
    const stub = await startStub(timedOut)
    const pool = poolTo(stub)
    assert.deepStrictEqual(await statusOn(stub, collect(pool, request)), [408, 1])
    pool.close()
  })
})

const unheard = () => assert.fail("a call that was given up hears no more")
const neverHeard = {
  onProgress: () => {},
  onHead: unheard,
  onData: unheard,
  onEnd: unheard,
  onFailure: unheard
}
