/** Several routes of one provider, each a server of its own: who is asked, and what is made of the answer. */
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { describe, it, vi } from "vitest"
import type { Route } from "../../src/config/settings.ts"
import { BedrockCredentialsError } from "../../src/upstream/sign-bedrock.ts"
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

describe("several routes", () => {
  it.each([401, 402, 429, 503, 529])(
    "go on to the next after a %i, which proves that no work was done",
    async (status) => {
      const [first, second] = [await startStub(reply(status)), await startStub(reply(200))]
      const { call } = start()
      const { exit, outcomes } = await call(providerOf(routesTo(first.port, second.port)))
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(outcomes, [`p#0 ${status}`, "p#1 200"])
    }
  )

  it("go on to the next where nobody listens", async () => {
    const second = await startStub(reply(200))
    const { call } = start()
    const { exit, outcomes } = await call(providerOf(routesTo(await deadPort(), second.port)))
    assert.isTrue(Exit.isSuccess(exit))
    assert.deepStrictEqual(outcomes, ["p#0 connect", "p#1 200"])
  })

  it.each([400, 403, 404, 500, 502])("stay with a %i: the provider may have worked", async (status) => {
    const [first, second] = [await startStub(reply(status)), await startStub(reply(200))]
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(Exit.isSuccess(exit) ? exit.value.status : 0, status)
    assert.strictEqual(second.calls, 0)
  })

  it("are not changed after the request was sent and the connection broke", async () => {
    const [first, second] = [await startStub((socket) => socket.destroy()), await startStub(reply(200))]
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(faultOf(exit), "broken")
    assert.strictEqual(second.calls, 0)
  })

  it("are not changed after the first byte of an answer", async () => {
    const cut = reply(200, "", "{}").replace("content-length: 2", "content-length: 20")
    const first = await startStub((socket) => void socket.write(cut, () => socket.destroy()))
    const second = await startStub(reply(200))
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(first.port, second.port)))
    assert.strictEqual(faultOf(exit), "broken")
    assert.strictEqual(second.calls, 0)
  })

  it.each([429, 503])(
    "go on to the next after a %i whose body breaks off, where it would be read whole",
    async (status) => {
      const broken = reply(status, "", "{}").replace("content-length: 2", "content-length: 20")
      const first = await startStub((socket) => void socket.write(broken, () => socket.destroy()))
      const second = await startStub(reply(200))
      const { call } = start()
      const { exit, outcomes } = await call(providerOf(routesTo(first.port, second.port)), undefined, true)
      assert.isTrue(Exit.isSuccess(exit))
      assert.deepStrictEqual(outcomes, [`p#0 ${status}`, "p#1 200"])
    }
  )

  it("are not changed where an answer that is read whole breaks off", async () => {
    const cut = reply(200, "", "{}").replace("content-length: 2", "content-length: 20")
    const first = await startStub((socket) => void socket.write(cut, () => socket.destroy()))
    const second = await startStub(reply(200))
    const { call } = start()
    const { exit } = await call(providerOf(routesTo(first.port, second.port)), undefined, true)
    assert.strictEqual(faultOf(exit), "broken")
    assert.strictEqual(second.calls, 0)
  })

  it.each([2, 1_000, 700_000])("answer whole with %i bytes, however they come", async (size) => {
    const body = "x".repeat(size)
    const answer = reply(200, "", body)
    const stub = await startStub((socket) => {
      const half = Math.floor(answer.length / 2)
      socket.write(answer.slice(0, half), () => setTimeout(() => socket.write(answer.slice(half)), 20))
    })
    const { call, watched } = start()
    const { exit } = await call(providerOf(routesTo(stub.port)), undefined, true)
    assert.strictEqual(Exit.isSuccess(exit) ? exit.value.body : "", body)
    assert.strictEqual(watched(), 0)
  })

  it("leave nothing open of one that was refused and gone on from", async () => {
    const unfinished = reply(503).replace("content-length: 2", "content-length: 20")
    const [first, second] = [await startStub(unfinished), await startStub(reply(200))]
    const { call, watched } = start()
    const { outcomes } = await call(providerOf(routesTo(first.port, second.port)))
    assert.deepStrictEqual(outcomes, ["p#0 503", "p#1 200"])
    await untilClosed(first)
    assert.strictEqual(watched(), 0)
  })

  it("are tried three times at most", async () => {
    const stubs = await Promise.all([1, 2, 3, 4, 5].map(() => startStub(reply(503))))
    const { call } = start()
    const { exit, attempts } = await call(providerOf(routesTo(...stubs.map(({ port }) => port))))
    assert.strictEqual(Exit.isSuccess(exit) ? exit.value.status : 0, 503)
    assert.strictEqual(attempts.length, 3)
  })

  it("are tried once each, also where one refuses and those behind it are dead", async () => {
    const [first, second] = [await startStub(reply(503)), await startStub(reply(503))]
    const { call } = start()
    const { outcomes } = await call(providerOf(routesTo(first.port, second.port, await deadPort())))
    assert.deepStrictEqual(outcomes, ["p#0 503", "p#1 503", "p#2 connect"])
  })

  it("go on to the next where one's credentials are not to be had", async () => {
    const [first, second] = [await startStub(reply(200)), await startStub(reply(200))]
    const { call } = start()
    const { outcomes } = await call(
      providerOf(routesTo(first.port, second.port)),
      undefined,
      false,
      (route) =>
        route.id === "p#0" ? Effect.fail(new BedrockCredentialsError({ cause: "none" })) : plainShape(route)
    )
    assert.deepStrictEqual(outcomes, ["p#0 credentials", "p#1 200"])
    assert.strictEqual(first.calls, 0)
  })

  it.each([401, 402])(
    "of which one answers our key with a %i come before it, until its key is another",
    async (status) => {
      const [first, second] = [await startStub(reply(status)), await startStub(reply(200))]
      const { call } = start()
      const routes = routesTo(first.port, second.port)
      assert.deepStrictEqual((await call(providerOf(routes))).outcomes, [`p#0 ${status}`, "p#1 200"])
      assert.deepStrictEqual((await call(providerOf(routes))).outcomes, ["p#1 200"])
      const [changed] = routes.map((route) => ({ ...route, apiKey: "another" }))
      first.answer = (socket) => void socket.write(reply(200))
      assert.deepStrictEqual((await call(providerOf([changed!, routes[1]!]))).outcomes, ["p#0 200"])
    }
  )

  it("of which one asked for patience begin with the others, and come back to it when there is no other", async () => {
    const first = await startStub(reply(429, "retry-after: 60\r\n"))
    const second = await startStub(reply(200))
    const { call } = start()
    const provider = providerOf(routesTo(first.port, second.port))
    await call(provider)
    const { outcomes } = await call(provider)
    assert.deepStrictEqual(outcomes, ["p#1 200"])
    assert.strictEqual(first.calls, 1)
    second.answer = (socket) => void socket.write(reply(429))
    assert.deepStrictEqual((await call(provider)).outcomes, ["p#1 429", "p#0 429"])
  })

  it("pass a 429 on where there is no other, again and again", async () => {
    const only = await startStub(reply(429, "retry-after: 60\r\n"))
    const { call } = start()
    for (let turn = 0; turn < 10; turn++) {
      const { exit } = await call(providerOf(routesTo(only.port)))
      assert.strictEqual(Exit.isSuccess(exit) ? exit.value.status : 0, 429)
    }
    assert.strictEqual(only.calls, 10)
  })
})

describe("a circuit", () => {
  it("opens for a route that fails by itself, and calls go to the next at once", async () => {
    const [first, second] = [await startStub(reply(500)), await startStub(reply(200))]
    const { call, upstreams } = start()
    const provider = providerOf(routesTo(first.port, second.port))
    for (let turn = 0; turn < 5; turn++) await call(provider)
    assert.deepStrictEqual((await call(provider)).outcomes, ["p#1 200"])
    assert.strictEqual(first.calls, 5)
    assert.deepInclude(upstreams.circuits(steadyMs()), { route: "p#0", state: "open" })
    assert.strictEqual(upstreams.retryAfterSeconds(provider, anyAsker(0), steadyMs()), 0)
  })

  it("is forgotten with its route, when settings that are read again no longer have it", async () => {
    const [first, second] = [await startStub(reply(500)), await startStub(reply(200))]
    const { call, upstreams } = start()
    const provider = providerOf(routesTo(first.port, second.port))
    for (let turn = 0; turn < 6; turn++) await call(provider)
    upstreams.keepOnly({ p: { ...provider, routes: provider.routes.slice(1) } })
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [{ route: "p#1", state: "closed" }])
  })

  it("that one account's calls have opened, also by finding no connection, lets those of others through", async () => {
    const [failing, dead] = [await startStub(reply(500)), await deadPort()]
    for (const port of [failing.port, dead]) {
      const { call, upstreams } = start()
      const provider = providerOf(routesTo(port))
      const of = (account: string) =>
        call(provider, steadyMs() + 60_000, false, plainShape, { account, model: "m" })
      for (let turn = 0; turn < 20; turn++) await of("acc_1")
      assert.lengthOf((await of("acc_1")).attempts, 0)
      assert.lengthOf((await of("acc_2")).attempts, 1)
      assert.deepStrictEqual(upstreams.circuits(steadyMs()), [{ route: "p#0", state: "closed" }])
    }
  })

  it("never opens for what callers do wrong", async () => {
    const only = await startStub(reply(400))
    const { call } = start()
    for (let turn = 0; turn < 20; turn++) await call(providerOf(routesTo(only.port)))
    assert.strictEqual(only.calls, 20)
  })

  it("of the only route fails fast while it is open, with the seconds until the next try", async () => {
    const only = await startStub(reply(500))
    const { call, upstreams } = start()
    const provider = providerOf(routesTo(only.port))
    for (let turn = 0; turn < 5; turn++) await call(provider)
    const { exit, attempts } = await call(provider)
    assert.strictEqual(faultOf(exit), "connect")
    assert.strictEqual(attempts.length, 0)
    const seconds = upstreams.retryAfterSeconds(provider, anyAsker(0), steadyMs())
    assert.isAtLeast(seconds, 1)
    assert.isAtMost(seconds, 5)
  })

  it("never opens for calls that we cut ourselves", async () => {
    const only = await startStub(() => {})
    const { call, cutAll, upstreams } = start()
    const provider = providerOf(routesTo(only.port))
    const calls = Array.from({ length: 6 }, () => call(provider))
    await until(() => only.calls === 6)
    cutAll()
    for (const { exit } of await Promise.all(calls)) assert.strictEqual(faultOf(exit), "cut")
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [{ route: "p#0", state: "closed" }])
  })

  it("that is half open lets one call through of many at once, also while they are being signed", async () => {
    const only = await startStub(reply(500))
    const { call } = start()
    const provider = providerOf(routesTo(only.port))
    for (let turn = 0; turn < 5; turn++) await call(provider)
    const since = performance.now()
    const later = vi.spyOn(performance, "now").mockReturnValue(since + 6_000)
    const slowly = (route: Route) => Effect.delay(plainShape(route), 20)
    await Promise.all(Array.from({ length: 100 }, () => call(provider, Infinity, false, slowly)))
    later.mockRestore()
    assert.strictEqual(only.calls, 5 + 1)
  })

  it("hears nothing of calls that still go by the route it had before a reload", async () => {
    const [old, fresh] = [await startStub(reply(200)), await startStub(reply(500))]
    const { call, upstreams } = start()
    const [before, after] = [providerOf(routesTo(old.port)), providerOf(routesTo(fresh.port))]
    await call(before)
    for (let turn = 0; turn < 5; turn++) await call(after)
    upstreams.reportBroken({ route: before.routes[0]!, asker: anyAsker(0), noteBroken: () => {} })
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [{ route: "p#0", state: "open" }])
    upstreams.keepOnly({})
    upstreams.reportBroken({ route: after.routes[0]!, asker: anyAsker(0), noteBroken: () => {} })
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [])
  })

  it("stays what it is while calls go on by the route it had before a reload", async () => {
    const [old, fresh] = [await startStub(reply(200)), await startStub(reply(500))]
    const { call, upstreams } = start()
    const [before, after] = [providerOf(routesTo(old.port)), providerOf(routesTo(fresh.port))]
    await call(before)
    upstreams.keepOnly({ p: after })
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [])
    for (let turn = 0; turn < 5; turn++) await call(after)
    assert.deepStrictEqual((await call(before)).outcomes, ["p#0 200"])
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [{ route: "p#0", state: "open" }])
    upstreams.keepOnly({})
    await call(after)
    assert.deepStrictEqual(upstreams.circuits(steadyMs()), [])
  })

  it("begins anew where a route leads elsewhere after a reload", async () => {
    const [bad, good] = [await startStub(reply(500)), await startStub(reply(200))]
    const { call } = start()
    for (let turn = 0; turn < 6; turn++) await call(providerOf(routesTo(bad.port)))
    const { outcomes } = await call(providerOf(routesTo(good.port)))
    assert.deepStrictEqual(outcomes, ["p#0 200"])
  })
})
