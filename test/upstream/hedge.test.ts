/** Calls whose answer does not begin, and are tried once more beside. */
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { Socket } from "node:net"
import { describe, it } from "vitest"
import type { ProviderSettings } from "../../src/config/settings.ts"
import {
  anyAsker,
  deadPort,
  endAfterEach,
  plainShape,
  providerOf,
  reply,
  routesTo,
  start,
  startStub,
  statusOf,
  untilClosed
} from "./stub-providers.ts"
import { until } from "../until.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

endAfterEach()

const afterMs = 50
const silent = (): void => {}

type Started = ReturnType<typeof start>

/** Writes this once it holds: by time, a machine with too much to do would have one overtake another. */
const once = (holds: () => boolean, answer: string) => (socket: Socket) =>
  void until(holds).then(() => socket.write(answer))

/** The call that has begun last has come to this on one of its routes. */
const hears = (started: Started, outcome: string) => () => started.outcomes().includes(outcome)

const hedge = (
  { call }: Started,
  provider: ProviderSettings,
  { deadlineMs = steadyMs() + 60_000, hedgeAfterMs = afterMs, readWhole = false } = {}
) => call(provider, deadlineMs, readWhole, plainShape, anyAsker(0), hedgeAfterMs)

describe("a call that is not answered for long", () => {
  it("is asked of the next route too, whose answer is given while the first call is broken off", async () => {
    const [first, second] = [await startStub(silent), await startStub(reply(200))]
    const started = start()
    const { exit, outcomes } = await hedge(started, providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(statusOf(exit), 200)
    assert.deepStrictEqual(outcomes, ["p#0 left", "p#1 200"])
    await untilClosed(first)
    assert.strictEqual(started.watched(), 0)
  })

  it("keeps its first answer where that comes sooner after all, and the second call is broken off", async () => {
    const second = await startStub(silent)
    const first = await startStub(once(() => second.calls === 1, reply(200)))
    const started = start()
    const { exit, outcomes } = await hedge(started, providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(statusOf(exit), 200)
    assert.deepStrictEqual(outcomes, ["p#0 200", "p#1 left"])
    await untilClosed(second)
    assert.strictEqual(started.watched(), 0)
  })

  it("is asked of its only route again", async () => {
    const only = await startStub(silent)
    only.answer = () => {
      only.answer = (socket) => void socket.write(reply(200))
    }
    const { exit, outcomes } = await hedge(start(), providerOf(routesTo(only.port)))
    assert.strictEqual(statusOf(exit), 200)
    assert.deepStrictEqual(outcomes, ["p#0 left", "p#0 200"])
  })

  it.each([429, 500])("waits for its first answer where the second is a %i", async (status) => {
    const started = start()
    const first = await startStub(once(hears(started, `p#1 ${status}`), reply(200)))
    const second = await startStub(reply(status))
    const { exit, outcomes } = await hedge(started, providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(statusOf(exit), 200)
    assert.deepStrictEqual(outcomes, ["p#0 200", `p#1 ${status}`])
    assert.strictEqual(started.watched(), 0)
  })

  it("waits for its first answer where the second route can not be reached", async () => {
    const started = start()
    const first = await startStub(once(hears(started, "p#1 connect"), reply(200)))
    const { exit, outcomes } = await hedge(started, providerOf(routesTo(first.port, await deadPort())))
    assert.strictEqual(statusOf(exit), 200)
    assert.deepStrictEqual(outcomes, ["p#0 200", "p#1 connect"])
  })

  it("waits for its second answer where the first is worth nothing", async () => {
    const started = start()
    const second = await startStub(once(hears(started, "p#0 500"), reply(200)))
    const first = await startStub(once(() => second.calls === 1, reply(500)))
    const { exit, outcomes } = await hedge(started, providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(statusOf(exit), 200)
    assert.deepStrictEqual(outcomes, ["p#0 500", "p#1 200"])
  })

  it("counts as one, whose failures beside what it was answered with are passed over", async () => {
    const started = start()
    const isFirstHeard = hears(started, "p#0 500")
    const second = await startStub(once(isFirstHeard, reply(200)))
    const first = await startStub(once(() => second.calls === first.calls, reply(500)))
    const provider = providerOf(routesTo(first.port, second.port))
    await hedge(started, provider)
    second.answer = once(isFirstHeard, reply(503))
    await hedge(started, provider)
    assert.deepStrictEqual(started.tallies(), [
      ["p#0", 2, { server: 2 }, 1],
      ["p#1", 2, { busy: 1 }, 1]
    ])
  })

  it("has its first answer, whole, where neither is worth anything", async () => {
    const started = start()
    const first = await startStub(once(hears(started, "p#1 502"), reply(500)))
    const second = await startStub(reply(502))
    const { exit } = await hedge(started, providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(statusOf(exit), 500)
    assert.strictEqual(started.watched(), 0)
  })

  it("has its first answer, whole, also where that was laid aside until the second came", async () => {
    const started = start()
    const second = await startStub(once(hears(started, "p#0 500"), reply(502)))
    const large = reply(500, "", "x".repeat(900_000))
    const first = await startStub(once(() => second.calls === 1, large))
    const { exit } = await hedge(started, providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(Exit.isSuccess(exit) ? exit.value.body.length : 0, 900_000)
  })

  it("fails as its first try fails where both do", async () => {
    const started = start()
    const isSecondHeard = hears(started, "p#1 connect")
    const first = await startStub((socket) => void until(isSecondHeard).then(() => socket.destroy()))
    const { exit, outcomes } = await hedge(started, providerOf(routesTo(first.port, await deadPort())))
    assert.strictEqual(statusOf(exit), "broken")
    assert.deepStrictEqual(outcomes, ["p#0 broken", "p#1 connect"])
  })

  it("is broken off on both routes where its caller leaves", async () => {
    const [first, second] = [await startStub(silent), await startStub(silent)]
    const { upstreams, watched } = start()
    const leaving = new AbortController()
    const run = Effect.runPromiseExit(
      upstreams.call({
        provider: providerOf(routesTo(first.port, second.port)),
        asker: anyAsker(0),
        deadlineMs: steadyMs() + 60_000,
        readWhole: false,
        hedgeAfterMs: afterMs,
        attempts: [],
        shape: plainShape
      }),
      { signal: leaving.signal }
    )
    await until(() => first.calls + second.calls === 2)
    leaving.abort()
    await run
    await untilClosed(first)
    await untilClosed(second)
    assert.strictEqual(watched(), 0)
  })

  it("is not asked of a route that asked for patience", async () => {
    const [first, second] = [await startStub(reply(200)), await startStub(reply(429, "retry-after: 60\r\n"))]
    const started = start()
    await started.call(providerOf(routesTo(second.port)), undefined, false, plainShape, anyAsker(0))
    const [resting] = routesTo(second.port)
    first.answer = (socket) => {
      first.answer = silent
      once(() => first.calls === 2, reply(200))(socket)
    }
    const [, fresh] = routesTo(0, first.port)
    const { outcomes } = await hedge(started, providerOf([resting!, { ...fresh!, priority: 0 }]))
    assert.deepStrictEqual(outcomes, ["p#1 200", "p#1 left"])
    assert.strictEqual(second.calls, 1)
  })
})

describe("a call that is tried once", () => {
  it.each([
    ["that is answered in time", { hedgeAfterMs: 60_000 }, 200],
    ["that fails in time, as it fails without", { hedgeAfterMs: 60_000 }, 500],
    ["whose answer is read whole: it begins when it is finished", { readWhole: true }, 200]
  ])("is one %s", async (_, options, status) => {
    const first = await startStub((socket) => void setTimeout(() => socket.write(reply(status)), 2 * afterMs))
    const second = await startStub(reply(200))
    const { exit, outcomes } = await hedge(start(), providerOf(routesTo(first.port, second.port)), options)
    assert.strictEqual(statusOf(exit), status)
    assert.deepStrictEqual(outcomes, [`p#0 ${status}`])
    assert.strictEqual(second.calls, 0)
  })
})
