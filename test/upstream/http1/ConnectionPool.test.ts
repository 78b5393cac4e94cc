/** Connections to a provider: when one is used again, and when it must not be. */
import { assert, describe, it } from "vitest"
import { setImmediate as nextTurn } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { Delivery } from "../../../src/upstream/http1/Delivery.ts"
import { endAfterEach, reply, startStub, type Stub, untilClosed } from "../stub-providers.ts"
import { collect, listening, poolTo, request } from "./collect.ts"
import { delay } from "../../delay.ts"

endAfterEach()

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** Calls one after another; answers how many connections that took. */
const connectionsOf = async (stub: Stub, calls = 3): Promise<number> => {
  const pool = poolTo(stub)
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
    const pool = poolTo(await startStub((socket) => socket.end(reply(200))))
    for (let call = 0; call < 20; call++) assert.strictEqual((await collect(pool, request))?.status, 200)
    pool.close()
  })

  it("is looked at before a call goes out on it, which late bytes would answer", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
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
    const pool = poolTo(stub)
    await collect(pool, request)
    const answers = await Promise.all(Array.from({ length: 10 }, () => collect(pool, request)))
    assert.isTrue(answers.every((answer) => answer?.status === 200))
    assert.strictEqual(stub.open.size, 10)
    pool.close()
  })

  it("keeps nothing of a large body while it is idle", async () => {
    // Before it has taken all of the body an answer would end the connection.
    const stub = await startStub((socket) => {
      socket.on("data", (data) => void (data.at(-1) === lastByte && socket.write(reply(200))))
    })
    const pool = poolTo(stub)
    const lastByte = 1
    const send = async () => {
      const body = Buffer.alloc(8_000_000)
      body[body.length - 1] = lastByte
      await collect(pool, { ...request, body })
      return new WeakRef(body.buffer)
    }
    const sent = await send()
    await delay(5)
    collectGarbage()
    assert.isUndefined(sent.deref())
    assert.strictEqual(stub.open.size, 1)
    pool.close()
  })

  it("is not used again where the provider has not taken the whole request", async () => {
    const stub = await startStub((socket) => {
      socket.pause()
      socket.write(reply(413))
    })
    const pool = poolTo(stub)
    const large = { ...request, body: Buffer.alloc(8_000_000) }
    assert.strictEqual((await collect(pool, large))?.status, 413)
    assert.strictEqual((await collect(pool, request))?.status, 413)
    assert.strictEqual(stub.calls, 2)
    pool.close()
  })

  it("carries one call at a time, and is kept for the next ones", async () => {
    const stub = await startStub(reply(200))
    const pool = poolTo(stub)
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 5 }, () => collect(pool, request)))
    assert.strictEqual(stub.open.size, 5)
    pool.close()
    await untilClosed(stub)
  })

  it("that was not read from is read from again once it is idle, so that its closing is seen", async () => {
    const stub = await startStub((socket) => socket.end(reply(200)))
    const pool = poolTo(stub)
    await new Promise<void>((onEnd) => {
      const delivery: Delivery = pool.send(
        request,
        1_000,
        listening({ onData: () => delivery.pause(), onEnd })
      )
    })
    await untilClosed(stub)
    pool.close()
  })
})
