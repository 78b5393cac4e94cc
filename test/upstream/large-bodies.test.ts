/** Large bodies on their way up, and providers that do not wait for all of one. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import { delay } from "../delay.ts"
import { describe, it } from "vitest"
import type { UpstreamCall } from "../../src/upstream/UpstreamCall.ts"
import { listen } from "../listen.ts"
import {
  endAfterEach,
  plainShape,
  providerOf,
  reply,
  routesTo,
  start,
  startStub,
  statusOf
} from "./stub-providers.ts"

endAfterEach()

const large = Buffer.from("0123456789".repeat(800_000))
const largeShape: UpstreamCall["shape"] = (route) =>
  Effect.map(plainShape(route), (request) => ({ ...request, body: large }))

describe("a large body", () => {
  it("arrives as it is and with its length, also over the second route", async () => {
    const received: Array<Buffer> = []
    let length = ""
    const taking = createServer((request, response) => {
      length = String(request.headers["content-length"])
      request.on("data", (chunk: Buffer) => received.push(chunk))
      request.on("end", () => response.end("{}"))
    })
    const port = await listen(taking)
    const refusing = await startStub(reply(503))
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(refusing.port, port)), undefined, false, largeShape)
    taking.closeAllConnections()
    taking.close()
    assert.strictEqual(statusOf(exit), 200)
    assert.strictEqual(length, String(large.length))
    assert.isTrue(Buffer.concat(received).equals(large))
  })

  it("that was answered before it was taken keeps no later call waiting behind its rest", async () => {
    const only = await startStub((socket) => {
      socket.pause()
      socket.write(reply(413))
    })
    const { call, watched } = start()
    const provider = providerOf(routesTo(only.port), { firstByteTimeoutMs: 500 })
    assert.strictEqual(statusOf((await call(provider, undefined, false, largeShape)).exit), 413)
    only.answer = (socket) => void socket.write(reply(200))
    // By then the connection would be free for the next call.
    await delay(50)
    assert.strictEqual(statusOf((await call(provider)).exit), 200)
    assert.strictEqual(watched(), 0)
  })
})
