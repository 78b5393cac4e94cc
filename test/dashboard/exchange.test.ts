/** Over a stand-in for a connection that, as uWebSockets.js does, may not be touched once its client has left. */
import { assert, describe, it } from "@effect/vitest"
import { setImmediate } from "node:timers/promises"
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { serveExchange } from "../../src/dashboard/exchange.ts"
import { LocalExchange } from "../../src/sockets/LocalExchange.ts"
import { FakeClient } from "../http/FakeClient.ts"
import { edgeOf } from "../http/start-edge.ts"

const request = {
  forEach: () => {},
  getMethod: () => "get",
  getUrl: () => "/dashboard/api/usage.csv",
  getQuery: () => ""
} as unknown as HttpRequest

const connect = () => {
  let leave = () => {}
  let hasLeft = false
  let isClosed = false
  const touched = () => {
    if (hasLeft) throw new Error("the response was touched after its client had left")
  }
  const response = {
    onAborted: (listener: () => void) => {
      leave = listener
    },
    onData: (listener: (chunk: ArrayBuffer, isLast: boolean) => void) => listener(new ArrayBuffer(0), true),
    onWritable: touched,
    cork: touched,
    close: () => {
      touched()
      isClosed = true
    }
  } as unknown as HttpResponse
  return {
    response,
    closed: () => isClosed,
    leave: () => {
      hasLeft = true
      leave()
    }
  }
}

describe("a streamed reply", () => {
  it("is run to its end also for a client who left before it began, so that what it holds is let go", async () => {
    const { leave, response } = connect()
    const events: Array<string | boolean> = []
    serveExchange(new LocalExchange(response, request), {
      answer: async () => {
        leave()
        const stream = async (write: () => Promise<boolean>) => void events.push(await write())
        return {
          status: 200,
          headers: [],
          body: (sink) => stream(() => sink.write("a piece")).finally(() => events.push("let go"))
        }
      },
      broken: (_, cause) => assert.fail(String(cause))
    })
    await setImmediate()
    assert.deepStrictEqual(events, [false, "let go"])
  })

  it("that fails under way breaks the connection off, and somebody is told why", async () => {
    const { closed, response } = connect()
    const causes: Array<unknown> = []
    serveExchange(new LocalExchange(response, request), {
      answer: async () => ({ status: 200, headers: [], body: () => Promise.reject(new Error("a bug")) }),
      broken: ({ method, path }, cause) => void causes.push(`${method} ${path}: ${String(cause)}`)
    })
    await setImmediate()
    assert.deepStrictEqual(causes, ["GET /dashboard/api/usage.csv: Error: a bug"])
    assert.isTrue(closed())
  })

  it("that can not be made breaks the connection off too, unless its client has left", async () => {
    for (const hasLeft of [false, true]) {
      const { closed, leave, response } = connect()
      const causes: Array<unknown> = []
      serveExchange(new LocalExchange(response, request), {
        answer: async () => {
          if (hasLeft) leave()
          throw new Error("a bug")
        },
        broken: (_, cause) => void causes.push(String(cause))
      })
      await setImmediate()
      assert.deepStrictEqual(causes, ["Error: a bug"])
      assert.strictEqual(closed(), !hasLeft)
    }
  })
})

describe("a request with a body", () => {
  const bodyOf = async (bytes: number) => {
    const client = new FakeClient(edgeOf())
    client.askLocally({ hasBody: true, method: "POST" }, (exchange) =>
      serveExchange(exchange, {
        answer: async ({ body, method }) => ({ status: 200, headers: [], body: `${method} ${body.length}` }),
        broken: (_, cause) => assert.fail(String(cause))
      })
    )
    const half = bytes >> 1
    client.send("a".repeat(half))
    client.send("a".repeat(bytes - half), true)
    await setImmediate()
    return client.last
  }

  it("of 256 KiB is answered", async () => {
    assert.strictEqual((await bodyOf(262_144)).body, "POST 262144")
  })

  it("of a byte more is refused", async () => {
    const { body, isWhole, status } = await bodyOf(262_145)
    assert.isTrue(isWhole)
    assert.deepStrictEqual([status, body], ["413 Payload Too Large", '{"error":{"code":"too_large"}}'])
  })
})

describe("a reply", () => {
  const piece = "a".repeat(40_000)

  it("is streamed no faster than its reader takes it", async () => {
    const client = new FakeClient(edgeOf())
    const events: Array<unknown> = []
    client.askLocally({ method: "GET" }, (exchange) =>
      serveExchange(exchange, {
        answer: async () => ({
          status: 200,
          headers: [],
          body: async ({ left, write }) => {
            left.addEventListener("abort", () => events.push("over"))
            for (let at = 0; at < 3; at++) events.push(await write(piece))
          }
        }),
        broken: (_, cause) => assert.fail(String(cause))
      })
    )
    client.keepsUp = false
    await setImmediate()
    assert.deepStrictEqual([events, client.last.body.length], [[], 40_000])
    client.read()
    await setImmediate()
    assert.deepStrictEqual(events, [true, true, true, "over"])
    assert.deepStrictEqual([client.last.body.length, client.last.isWhole], [120_000, true])
  })

  it("whose slow reader leaves is told so", async () => {
    const client = new FakeClient(edgeOf())
    const events: Array<unknown> = []
    client.askLocally({ method: "GET" }, (exchange) =>
      serveExchange(exchange, {
        answer: async () => ({
          status: 200,
          headers: [],
          body: async ({ write }) => void events.push(await write(piece), await write(piece))
        }),
        broken: (_, cause) => assert.fail(String(cause))
      })
    )
    client.keepsUp = false
    await setImmediate()
    client.leave()
    await setImmediate()
    assert.deepStrictEqual(events, [false, false])
  })

  it("to a HEAD tells the length of what does not come", async () => {
    const client = new FakeClient(edgeOf())
    client.askLocally({ method: "HEAD" }, (exchange) =>
      serveExchange(exchange, {
        answer: async () => ({ status: 200, headers: [], body: piece }),
        broken: (_, cause) => assert.fail(String(cause))
      })
    )
    await setImmediate()
    assert.deepStrictEqual([client.last.header("content-length"), client.last.body], ["40000", ""])
  })

  it("to a HEAD has nothing of a stream, and comes once that has let go of what it holds", async () => {
    const client = new FakeClient(edgeOf())
    const letGo = Promise.withResolvers<void>()
    const events: Array<unknown> = []
    client.askLocally({ method: "HEAD" }, (exchange) =>
      serveExchange(exchange, {
        answer: async () => ({
          status: 200,
          headers: [],
          body: async (sink) => {
            events.push(sink.left.aborted, await sink.write(piece))
            await letGo.promise
          }
        }),
        broken: (_, cause) => assert.fail(String(cause))
      })
    )
    await setImmediate()
    assert.deepStrictEqual([events, client.last.isWhole], [[true, false], false])
    letGo.resolve()
    await setImmediate()
    assert.deepStrictEqual([client.last.body, client.last.isWhole], ["", true])
    assert.isUndefined(client.last.header("content-length"))
  })
})
