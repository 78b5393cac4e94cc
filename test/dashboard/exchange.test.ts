/** Over a stand-in for a connection that, as uWebSockets.js does, may not be touched once its client has left. */
import { assert, describe, it } from "@effect/vitest"
import { setImmediate } from "node:timers/promises"
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { serveExchange } from "../../src/dashboard/exchange.ts"

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
    serveExchange(response, request, {
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
    serveExchange(response, request, {
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
      serveExchange(response, request, {
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
