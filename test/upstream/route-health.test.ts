/** What is known of routes, and what calls make of it. */
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { describe, it, vi } from "vitest"
import type { Route } from "../../src/config/settings.ts"
import { quantileOf } from "../../src/telemetry/Histogram.ts"
import { chooseRoutes, orderRoutes } from "../../src/upstream/choose-route.ts"
import { readHead } from "../../src/upstream/http1/read-head.ts"
import type { AnswerHead } from "../../src/upstream/http1/read-head.ts"
import { RouteHealth } from "../../src/upstream/RouteHealth.ts"
import { RouteRecord } from "../../src/upstream/RouteRecord.ts"
import { BedrockCredentialsError } from "../../src/upstream/sign-bedrock.ts"
import { Random } from "../Random.ts"
import {
  anyAsker,
  endAfterEach,
  faultOf,
  plainShape,
  providerOf,
  reply,
  routesTo,
  start,
  startStub
} from "./stub-providers.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

endAfterEach()

const now = 1_000_000
const ready = { admitted: true, resting: false }
const headOf = (status: number, lines = "") =>
  readHead(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n${lines}`) as AnswerHead
const cutStream = reply(200).replace("content-length: 2", "content-length: 20")

describe("answers that break off", () => {
  it("never close the only route: each caller hears of its own", async () => {
    const only = await startStub((socket) => void socket.end(cutStream))
    const { call, upstreams } = start()
    const provider = providerOf(routesTo(only.port))
    for (let turn = 0; turn < 10; turn++) {
      const { exit, outcomes } = await call(provider, undefined, false, plainShape, anyAsker(0))
      assert.strictEqual(faultOf(exit), "broken")
      assert.deepStrictEqual(outcomes, ["p#0 200"])
      upstreams.reportBroken({ route: provider.routes[0]!, asker: anyAsker(0), noteBroken: () => {} })
    }
    assert.strictEqual(upstreams.retryAfterSeconds(provider, anyAsker(0), steadyMs()), 0)
  })

  it("let another route go first, once five of a caller have", async () => {
    const [first, second] = [
      await startStub((socket) => void socket.end(cutStream)),
      await startStub(reply(200))
    ]
    const { call, upstreams } = start()
    const provider = providerOf(routesTo(first.port, second.port))
    for (let turn = 0; turn < 5; turn++) {
      await call(provider, undefined, false, plainShape, anyAsker(0))
      upstreams.reportBroken({ route: provider.routes[0]!, asker: anyAsker(0), noteBroken: () => {} })
    }
    const { exit, outcomes } = await call(provider, undefined, false, plainShape, anyAsker(0))
    assert.isTrue(Exit.isSuccess(exit))
    assert.deepStrictEqual(outcomes, ["p#1 200"])
  })

  it("are not forgotten for the next one's good beginning, but with time", () => {
    const health = new RouteHealth()
    const [one, two, three] = [0, 1, 2].map(anyAsker)
    for (const asker of [one!, two!, one!, two!, one!, two!]) {
      health.answered(asker, headOf(200), now)
      health.brokeOff(asker, now)
    }
    assert.strictEqual(health.state(now), "open")
    health.answered(one!, headOf(200), now)
    assert.strictEqual(health.state(now), "open")
    assert.deepStrictEqual(health.readiness(three!, now), { admitted: true, resting: true })
    assert.strictEqual(health.state(now + 30_000), "closed")
    assert.deepStrictEqual(health.readiness(three!, now + 30_000), ready)
  })
})

describe("a route", () => {
  it("whose key is refused rests for a minute, for every caller and model", () => {
    for (const status of [401, 402]) {
      const health = new RouteHealth()
      health.answered(anyAsker(0), headOf(status), now)
      const other = { account: "other", model: "other" }
      assert.deepStrictEqual(health.readiness(other, now + 59_999), { admitted: true, resting: true })
      assert.deepStrictEqual(health.readiness(other, now + 60_000), ready)
    }
  })

  it("to which we had no credentials for a while is asked as soon as there are some", async () => {
    const provider = providerOf(routesTo((await startStub(reply(200))).port))
    const { call, upstreams } = start()
    const unsigned = () => Effect.fail(new BedrockCredentialsError({ cause: "none" }))
    for (let turn = 0; turn < 6; turn++) await call(provider, undefined, false, unsigned, anyAsker(0))
    assert.strictEqual(upstreams.routes(steadyMs())[0]!.lastError?.what, "credentials")
    const { outcomes } = await call(provider, undefined, false, plainShape, anyAsker(0))
    assert.deepStrictEqual(outcomes, ["p#0 200"])
  })

  it("that forbids a model rests for it, but for all only once several callers met that and no fewer than were answered", () => {
    const health = new RouteHealth()
    const readinessOf = (account: string, model = "m") => health.readiness({ account, model }, now)
    for (let call = 0; call < 5; call++) health.answered({ account: "one", model: "m" }, headOf(403), now)
    assert.isTrue(readinessOf("one").resting)
    assert.deepStrictEqual(readinessOf("two"), ready)
    for (let call = 0; call < 2; call++) health.answered({ account: "two", model: "m" }, headOf(403), now)
    assert.deepStrictEqual(readinessOf("three"), { admitted: true, resting: true })
    assert.deepStrictEqual(readinessOf("three", "another"), ready)
  })

  it("that said when to come back rests until then, for the model it said it of", () => {
    for (const status of [429, 503, 529]) {
      const health = new RouteHealth()
      health.answered(anyAsker(0), headOf(status, "retry-after: 7\r\n"), now)
      assert.isTrue(health.readiness(anyAsker(1), now + 6_999).resting)
      assert.isFalse(health.readiness(anyAsker(1), now + 7_000).resting)
      assert.isFalse(health.readiness({ account: "acc_1", model: "another" }, now).resting)
    }
  })
})

describe("a route that refuses our account as a bad request", () => {
  it("rests for the model once several callers met that, and no single caller makes it rest for others", () => {
    const health = new RouteHealth()
    const refuse = (account: string, status: number) => {
      const asker = { account, model: "m" }
      health.answered(asker, headOf(status), now)
      health.cameWhole(asker, headOf(status), Buffer.alloc(0), now)
      health.refused(asker, headOf(status), now)
    }
    const readinessOf = (account: string) => health.readiness({ account, model: "m" }, now)
    for (let call = 0; call < 9; call++) refuse("one", 400)
    assert.isTrue(readinessOf("one").resting)
    assert.deepStrictEqual(readinessOf("two"), ready)
    assert.strictEqual(health.state(now), "closed")
    for (let call = 0; call < 2; call++) refuse("two", 400)
    assert.deepStrictEqual(readinessOf("three"), { admitted: true, resting: true })
    assert.strictEqual(health.state(now), "open")
  })

  it("does not rest for what it does not know", () => {
    const health = new RouteHealth()
    for (let call = 0; call < 9; call++) health.refused(anyAsker(call % 3), headOf(404), now)
    assert.strictEqual(health.state(now), "closed")
  })
})

describe("calls over routes of one priority", () => {
  const weights: Readonly<Record<string, number>> = { a: 5, b: 3, c: 2, d: 1 }
  const routes = Object.entries(weights).map(([id, weight]): Route => ({
    id,
    baseUrl: "",
    apiKey: "",
    priority: 1,
    weight
  }))

  it.each([
    ["one is closed", ["a"], []],
    ["one rests", [], ["b"]],
    ["one is closed and one rests", ["c"], ["a"]]
  ])("go to the others in proportion to their weights while %s", (_, closed, resting) => {
    const random = new Random(7)
    const draws = 20_000
    const counts = new Map<string, number>()
    for (let draw = 0; draw < draws; draw++) {
      const ordered = orderRoutes(routes, () => random.below(1e9) / 1e9)
      const readinessOf = ({ id }: Route) => ({
        admitted: !closed.some((each) => each === id),
        resting: resting.some((each) => each === id)
      })
      const { id } = chooseRoutes(ordered, readinessOf, 3)[0]!
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    const left = Object.keys(weights).filter((id) => ![...closed, ...resting].some((each) => each === id))
    const sum = left.reduce((total, id) => total + weights[id]!, 0)
    assert.sameMembers([...counts.keys()], left)
    for (const id of left) assert.closeTo(counts.get(id)! / draws, weights[id]! / sum, 0.02)
  })
})

describe("the record of a route", () => {
  it("tells how many calls were answered well, how soon streams began and what failed last", () => {
    const record = new RouteRecord()
    for (let call = 1; call <= 100; call++) record.succeeded(now, call * 10)
    record.succeeded(now, undefined)
    record.failed(now + 1, "timeout")
    record.failed(now + 2, "503")
    const date = vi.spyOn(Date, "now").mockReturnValue(1_800_000_000_000)
    record.brokeOff(now + 3)
    date.mockRestore()
    const { attempts, firstByte, lastError, successes } = record.numbers("p#0", now + 4)
    assert.deepStrictEqual([attempts, successes], [103, 100])
    assert.deepStrictEqual(lastError, { what: "broken", atMs: 1_800_000_000_000 })
    assert.strictEqual(firstByte.count, 100)
    assert.closeTo(quantileOf(firstByte, 0.5), 0.5, 0.1)
    assert.closeTo(quantileOf(firstByte, 0.95), 0.95, 0.19)
  })

  it("forgets what is older than two minutes, but not the last failure", () => {
    const record = new RouteRecord()
    record.succeeded(now, 10)
    record.failed(now, "connect")
    assert.strictEqual(record.numbers("p#0", now + 60_000).attempts, 2)
    const { attempts, firstByte, lastError } = record.numbers("p#0", now + 120_000)
    assert.deepStrictEqual([attempts, firstByte.count, lastError?.what], [0, 0, "connect"])
  })

  it("is kept of every call by way of it, those that nobody waited for and that we cut left out", async () => {
    const [first, second] = [await startStub(reply(429)), await startStub(reply(400))]
    const { call, upstreams } = start()
    await call(providerOf(routesTo(first.port, second.port)))
    const [one, two] = upstreams.routes(steadyMs())
    assert.deepInclude(one, { route: "p#0", attempts: 1, successes: 0 })
    assert.strictEqual(one!.lastError?.what, "429")
    assert.deepInclude(two, { route: "p#1", attempts: 1, successes: 1, lastError: undefined })
    assert.strictEqual(two!.firstByte.count, 1)
  })
})

describe("what a route has counted", () => {
  it("is told once, by family and kind of failure, an answer that broke off as no other call", () => {
    const record = new RouteRecord()
    record.succeeded(now, 100, "claude")
    record.succeeded(now, undefined, "claude")
    record.brokeOff(now + 1, "claude")
    record.failed(now + 2, "429", "gpt")
    const counted = record.takeTallies("p#0").map(({ calls, failures, family, lastError }) => ({
      calls,
      failures,
      family,
      what: lastError?.what
    }))
    assert.deepStrictEqual(counted, [
      { calls: 2, failures: { broken: 1 }, family: "claude", what: "broken" },
      { calls: 1, failures: { busy: 1 }, family: "gpt", what: "429" }
    ])
    assert.isEmpty(record.takeTallies("p#0"))
  })
})
