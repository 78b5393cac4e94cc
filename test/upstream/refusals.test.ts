/** A route that refuses proves that it has done nothing: what becomes of its refusal while others are asked. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { describe, it } from "vitest"
import {
  anyAsker,
  deadPort,
  endAfterEach,
  faultOf,
  plainShape,
  providerOf,
  reply,
  routesTo,
  start,
  startStub,
  untilClosed
} from "./stub-providers.ts"
import { until } from "../until.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

endAfterEach()

describe("several routes of which the first refuses", () => {
  it.each([2, 100_000])(
    "pass a refusal with a body of %i bytes on where no other can even be asked",
    async (bytes) => {
      const first = await startStub(reply(429, "retry-after: 7\r\n", "x".repeat(bytes)))
      const { call, watched } = start()
      const provider = providerOf(routesTo(first.port, await deadPort()))
      const { exit, outcomes } = await call(provider)
      assert.deepStrictEqual(outcomes, ["p#0 429", "p#1 connect"])
      assert.isTrue(Exit.isSuccess(exit))
      const { body, route, status } = Exit.isSuccess(exit) ? exit.value : { body: "", route: "", status: 0 }
      assert.deepStrictEqual([status, route, body.length], [429, "p#0", bytes])
      assert.strictEqual(watched(), 0)
    }
  )

  it.each([
    ["with its head", 0],
    ["after its head", 20]
  ])(
    "begin with the others next where it says how long to wait in its error alone, which comes %s",
    async (_, afterMs) => {
      const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.5s" }
      const answer = reply(429, "", JSON.stringify([{ error: { code: 429, details: [retry] } }]))
      const bodyAt = answer.indexOf("[")
      const first = await startStub((socket) => {
        socket.write(answer.slice(0, bodyAt))
        setTimeout(() => socket.write(answer.slice(bodyAt)), afterMs)
      })
      const second = await startStub((socket) => void setTimeout(() => socket.write(reply(200)), 60))
      const { call, upstreams } = start()
      const provider = providerOf(routesTo(first.port, second.port))
      assert.deepStrictEqual((await call(provider)).outcomes, ["p#0 429", "p#1 200"])
      assert.deepStrictEqual((await call(provider)).outcomes, ["p#1 200"])
      assert.strictEqual(first.open.size, 1)
      const [condition] = upstreams.takeHealth(steadyMs()).conditions
      assert.deepInclude(condition, { route: "p#0", state: "resting" })
      assert.approximately(condition!.untilMs! - Date.now(), 35_000, 5_000)
    }
  )

  it("tell which failures a call went on from, that of the last one asked not among them", async () => {
    const [first, second] = [await startStub(reply(429)), await startStub(reply(200))]
    const { call, tallies } = start()
    const provider = providerOf(routesTo(await deadPort(), first.port, second.port))
    await call(provider)
    second.answer = (socket) => void socket.write(reply(503))
    await call(provider)
    assert.deepStrictEqual(tallies(), [
      ["p#0", 2, { connect: 2 }, 2],
      ["p#1", 2, { busy: 2 }, 2],
      ["p#2", 2, { busy: 1 }, 0]
    ])
  })

  it("tell of the other's failure, not of the refusal, where the other may have worked", async () => {
    const first = await startStub(reply(429).replace("content-length: 2", "content-length: 20"))
    const second = await startStub((socket) => socket.destroy())
    const { call, watched } = start()
    const { exit } = await call(providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(faultOf(exit), "broken")
    await untilClosed(first)
    assert.strictEqual(watched(), 0)
  })

  it("leave nothing open of a refusal whose caller left while another was asked", async () => {
    const first = await startStub(reply(429).replace("content-length: 2", "content-length: 20"))
    const second = await startStub(() => {})
    const { upstreams, watched } = start()
    const calling = Effect.runFork(
      upstreams.call({
        provider: providerOf(routesTo(first.port, second.port)),
        asker: anyAsker(0),
        deadlineMs: steadyMs() + 60_000,
        readWhole: false,
        attempts: [],
        shape: plainShape
      })
    )
    await until(() => second.calls === 1)
    await Effect.runPromise(Fiber.interrupt(calling))
    await until(() => first.open.size + second.open.size === 0)
    assert.strictEqual(watched(), 0)
  })
})
