import { assert, describe, it } from "@effect/vitest"
import {
  addTallies,
  boundOf,
  failedOf,
  failureKindOf,
  firstByteBounds,
  firstByteQuantile,
  noTally,
  successRateOf,
  type TallyCounts,
  worstCondition
} from "../../src/domain/route-health.ts"
import { healthLevelOf } from "../../src/domain/health-level.ts"

const tallyOf = (
  seconds: ReadonlyArray<number>,
  failures: ReadonlyArray<readonly [what: string, atMs: number]> = []
): TallyCounts =>
  [
    ...seconds.map((each) => ({ ...noTally, calls: 1, firstBytes: { [boundOf(each)]: 1 } })),
    ...failures.map(([what, atMs]) => ({
      ...noTally,
      calls: 1,
      failures: { [failureKindOf(what)]: 1 },
      passedOver: 1,
      lastError: { what, atMs }
    }))
  ].reduce<TallyCounts>(addTallies, noTally)

describe("tallies of a route", () => {
  it("of several threads and nodes are one as if one had counted all, in whatever order", () => {
    const [one, two, three] = [
      tallyOf([0.1, 0.2, 5], [["503", 10]]),
      tallyOf(
        [0.1, 2_000],
        [
          ["connect", 30],
          ["429", 20]
        ]
      ),
      tallyOf([])
    ]
    const whole = tallyOf(
      [0.1, 0.2, 5, 0.1, 2_000],
      [
        ["503", 10],
        ["429", 20],
        ["connect", 30]
      ]
    )
    assert.deepStrictEqual([one, two, three].reduce(addTallies, noTally), whole)
    assert.deepStrictEqual([three, two, one].reduce(addTallies, noTally), whole)
    assert.deepStrictEqual(whole.failures, { busy: 2, connect: 1 })
    assert.deepStrictEqual(whole.lastError, { what: "connect", atMs: 30 })
    assert.deepStrictEqual([whole.calls, failedOf(whole), whole.passedOver], [8, 3, 3])
    assert.strictEqual(successRateOf(8, 3), 0.625)
  })

  it("tell the quantiles of what was merged, each at most a fifth above the true one", () => {
    const [fast, slow] = [
      Array.from({ length: 90 }, (_, index) => 0.1 + index / 1_000),
      [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    ]
    const { firstBytes } = addTallies(tallyOf(fast), tallyOf(slow))
    const sorted = [...fast, ...slow].toSorted((left, right) => left - right)
    for (const share of [0.5, 0.95]) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1]!
      const told = firstByteQuantile(firstBytes, share)!
      assert.isAtLeast(told, exact)
      assert.isAtMost(told, exact * 1.2 + 1e-9)
    }
  })

  it("without a stream or a call tell nothing", () => {
    assert.isUndefined(firstByteQuantile({}, 0.5))
    assert.isUndefined(successRateOf(0, 0))
  })

  it("never fall below nothing where an answer broke off after its span", () => {
    assert.strictEqual(successRateOf(1, 2), 0)
  })

  it("count what took longer than all bounds with the last", () => {
    assert.strictEqual(boundOf(1e9), firstByteBounds.length - 1)
    assert.strictEqual(firstByteQuantile({ [boundOf(1e9)]: 1 }, 0.95), firstByteBounds.at(-1))
  })
})

it.each([
  ["401", "locked_out"],
  ["402", "locked_out"],
  ["403", "forbidden"],
  ["429", "busy"],
  ["503", "busy"],
  ["529", "busy"],
  ["500", "server"],
  ["timeout", "timeout"],
  ["credentials", "credentials"],
  ["too_large", "broken"]
] as const)("a failure with %s is one of the kind %s", (what, kind) => {
  assert.strictEqual(failureKindOf(what), kind)
})

describe("of several views of a route", () => {
  const view = (state: "closed" | "resting" | "half_open" | "open", untilMs?: number) => ({ state, untilMs })

  it("the worst counts, and of equals the one that lasts longest", () => {
    const views = [view("closed"), view("resting", 5), view("resting", 9), view("resting")]
    for (const each of [views, views.toReversed()])
      assert.deepStrictEqual(each.reduce(worstCondition), view("resting", 9))
    assert.deepStrictEqual([...views, view("open"), view("half_open")].reduce(worstCondition), view("open"))
  })
})

it.each([
  [0, 0, "idle"],
  [100, 0, "good"],
  [100, 2, "good"],
  [100, 3, "degraded"],
  [100, 49, "degraded"],
  [100, 50, "down"],
  [1, 1, "down"]
] as const)("%i calls of which %i failed are %s", (calls, failed, level) => {
  assert.strictEqual(healthLevelOf(calls, failed), level)
})
