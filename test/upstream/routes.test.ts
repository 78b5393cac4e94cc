import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { describe, it } from "vitest"
import type { Route } from "../../src/config/settings.ts"
import { chooseRoutes, orderRoutes } from "../../src/upstream/choose-route.ts"
import { readRetryAfter, readRetryDelay } from "../../src/upstream/read-retry-after.ts"
import { tryRoutes } from "../../src/upstream/try-routes.ts"
import type { Attempted, UpstreamAnswer } from "../../src/upstream/UpstreamCall.ts"
import { UpstreamFault } from "../../src/upstream/UpstreamExchange.ts"

const route = (id: string, priority = 1, weight = 1): Route => ({
  id,
  baseUrl: `https://${id}.example`,
  apiKey: "",
  priority,
  weight
})
const ids = (routes: ReadonlyArray<Route>) => routes.map(({ id }) => id).join(" ")

/** A generator of numbers that are the same at each run. */
const numbers = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed / 2_147_483_648
}

describe("the order of routes", () => {
  it("is by priority, whatever their weight", () => {
    const routes = [route("c", 3, 1_000), route("a", 1), route("b", 2, 50)]
    for (let seed = 0; seed < 50; seed++) assert.strictEqual(ids(orderRoutes(routes, numbers(seed))), "a b c")
  })

  it("gives each of equal priority the first place in proportion to its weight", () => {
    const random = numbers(7)
    const routes = [route("heavy", 1, 3), route("light", 1, 1)]
    let heavyFirst = 0
    for (let turn = 0; turn < 10_000; turn++) {
      if (orderRoutes(routes, random)[0]!.id === "heavy") heavyFirst++
    }
    assert.isAbove(heavyFirst, 7_300)
    assert.isBelow(heavyFirst, 7_700)
  })
})

describe("the choice of routes", () => {
  const [first, second, third, fourth] = [route("1"), route("2"), route("3"), route("4")]
  const all = [first, second, third, fourth]
  const fine = { admitted: true, resting: false }

  it("is bounded", () => {
    assert.strictEqual(ids(chooseRoutes(all, () => fine, 3)), "1 2 3")
  })

  it("leaves out open circuits", () => {
    const readinessOf = (each: Route) => ({ admitted: each !== first, resting: false })
    assert.strictEqual(ids(chooseRoutes(all, readinessOf, 3)), "2 3 4")
  })

  it("puts a route that asked for patience behind all others, and takes it when it is the only one", () => {
    const readinessOf = (each: Route) => ({ admitted: true, resting: each === first })
    assert.strictEqual(ids(chooseRoutes([first, second], readinessOf, 3)), "2 1")
    assert.strictEqual(ids(chooseRoutes([first], readinessOf, 3)), "1")
  })
})

describe("a route after the first", () => {
  const [first, second, third] = [route("1"), route("2"), route("3")]
  const answerOf = (status: number) => {
    const done: Array<string> = []
    const exchange = {
      pause: () => done.push("paused"),
      resume: () => done.push("resumed"),
      abort: () => done.push("aborted")
    }
    return { answer: { head: { status }, exchange } as unknown as UpstreamAnswer, done }
  }
  const unreachable = Effect.fail(new UpstreamFault({ reason: "connect", detail: "refused" }))
  const tried = (outcomes: Readonly<Record<string, Attempted>>, closed: ReadonlyArray<Route>) => {
    const asked: Array<string> = []
    const attempt = ({ id }: Route) => Effect.suspend(() => (asked.push(id), outcomes[id]!))
    const mayTry = (each: Route) => !closed.includes(each)
    const trying = { attempt, mayTry, passOver: () => {} }
    return { asked, exit: Effect.runSyncExit(tryRoutes(trying, [first, second, third])) }
  }

  it("is not asked where it has been closed, or is tried by another call, since the call began", () => {
    const [busy, good] = [answerOf(503), answerOf(200)]
    const { asked, exit } = tried({ 1: Effect.succeed(busy.answer), 3: Effect.succeed(good.answer) }, [
      second
    ])
    assert.deepStrictEqual(asked, ["1", "3"])
    assert.deepStrictEqual(exit, Exit.succeed(good.answer))
    assert.deepStrictEqual(busy.done, ["paused", "aborted"])
  })

  it("leaves a refusal as it is where it may not be asked", () => {
    const { answer, done } = answerOf(429)
    const { asked, exit } = tried({ 1: Effect.succeed(answer) }, [second, third])
    assert.deepStrictEqual(asked, ["1"])
    assert.deepStrictEqual(exit, Exit.succeed(answer))
    assert.deepStrictEqual(done, [])
  })

  it("takes a refusal up again where the rest may not be asked either", () => {
    const { answer, done } = answerOf(429)
    const { asked, exit } = tried({ 1: Effect.succeed(answer), 2: unreachable }, [third])
    assert.deepStrictEqual(asked, ["1", "2"])
    assert.deepStrictEqual(exit, Exit.succeed(answer))
    assert.deepStrictEqual(done, ["paused", "resumed"])
  })

  it("is not asked where the first can not be reached, and it may not be", () => {
    const { asked, exit } = tried({ 1: unreachable }, [second, third])
    assert.deepStrictEqual(asked, ["1"])
    assert.isTrue(Exit.isFailure(exit))
  })
})

describe("retry-after", () => {
  const nowMs = Date.parse("2026-01-01T00:00:00Z")
  const afterOf = (told: string) => readRetryAfter({ "retry-after": told }, nowMs)

  it("is read as seconds and as a date, and kept between a second and an hour", () => {
    assert.strictEqual(afterOf("7"), 7)
    assert.strictEqual(afterOf("0"), 1)
    assert.strictEqual(afterOf("86400"), 3600)
    assert.strictEqual(afterOf("7.66"), 8)
    assert.strictEqual(afterOf("Thu, 01 Jan 2026 00:00:30 GMT"), 30)
    assert.strictEqual(afterOf("Wed, 31 Dec 2025 00:00:00 GMT"), 1)
  })

  it("is read from milliseconds where they are told, whatever stands beside them", () => {
    const exactly = (exact: string, told: object = {}) =>
      readRetryAfter({ "retry-after-ms": exact, ...told }, nowMs)
    assert.strictEqual(exactly("2500"), 3)
    assert.strictEqual(exactly("86400000"), 3600)
    assert.strictEqual(exactly("0", { "retry-after": "9" }), 1)
    assert.strictEqual(exactly("soon", { "retry-after": "9" }), 9)
    assert.isUndefined(exactly("-1"))
  })

  it("is read from an error's body where Google tells it there", () => {
    const told = (delay: string) =>
      readRetryDelay(
        Buffer.from(
          JSON.stringify(
            [{ error: { details: [{ "@type": "type/x.RetryInfo", retryDelay: delay }] } }],
            null,
            2
          )
        )
      )
    assert.strictEqual(told("34s"), 34)
    assert.strictEqual(told("45.837906927s"), 46)
    assert.strictEqual(told("0s"), 1)
    for (const delay of ["soon", "-3s", "12", ""]) assert.isUndefined(told(delay))
    assert.isUndefined(readRetryDelay(Buffer.alloc(0)))
  })

  it("is nothing where it can not be read", () => {
    assert.isUndefined(afterOf("soon"))
    assert.isUndefined(readRetryAfter({}, nowMs))
  })
})
