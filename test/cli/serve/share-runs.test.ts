/** What is dear to make and free to ask for. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { shareRuns } from "../../../src/cli/serve/share-runs.ts"

const setUp = () => {
  const begun: Array<number> = []
  const make = Effect.suspend(() => {
    const run = begun.push(begun.length)
    return Effect.delay(Effect.succeed(run), "10 millis")
  })
  return { begun, ask: shareRuns(make, 100) }
}

/** All that ask at this moment. */
const asked = (ask: Effect.Effect<number>, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Effect.forkChild(ask, { startImmediately: true }))

describe("a page that many ask for", () => {
  it.effect("is made for one at once, and for those who ask meanwhile once more after a rest", () =>
    Effect.gen(function* () {
      const { ask, begun } = setUp()
      const [first] = yield* asked(ask, 1)
      yield* TestClock.adjust("5 millis")
      assert.lengthOf(begun, 1)
      const others = yield* asked(ask, 1_000)
      yield* TestClock.adjust("90 millis")
      assert.strictEqual(yield* Fiber.join(first!), 1)
      assert.lengthOf(begun, 1)
      yield* TestClock.adjust("20 millis")
      assert.deepStrictEqual(new Set(yield* Effect.forEach(others, Fiber.join)), new Set([2]))
      assert.lengthOf(begun, 2)
    })
  )

  it.effect("comes to the others when the first of them has left", () =>
    Effect.gen(function* () {
      const { ask } = setUp()
      const [first, second] = yield* asked(ask, 2)
      yield* Fiber.interrupt(first!)
      yield* TestClock.adjust("10 millis")
      assert.strictEqual(yield* Fiber.join(second!), 1)
    })
  )
})
