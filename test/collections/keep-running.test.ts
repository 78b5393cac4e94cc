/** What has ended is started again, later each time in a row. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Data, Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { keepRunning } from "../../src/collections/keep-running.ts"

class Ended extends Data.TaggedError("Ended")<{ readonly message: string }> {}

const pauses = { delaysMs: [500, 2_000, 10_000, 30_000], steadyMs: 60_000 }

const quiet = Effect.provide(Logger.layer([]))

/** Lives so long each time, and notes when it began. */
const living = (lives: ReadonlyArray<number>, starts: Array<number>) =>
  Effect.gen(function* () {
    const life = lives[starts.push(yield* Clock.currentTimeMillis) - 1] ?? 0
    if (life > 0) yield* Effect.sleep(life)
    return yield* new Ended({ message: "the dashboard has ended" })
  })

describe("what is kept running", () => {
  it.effect("waits longer after each death in a row, and no longer than the last of the pauses", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const fiber = yield* Effect.forkChild(keepRunning(living([], starts), { pauses }))
      yield* TestClock.adjust(0)
      for (const pause of [500, 2_000, 10_000, 30_000, 30_000]) {
        const before = starts.length
        yield* TestClock.adjust(pause - 1)
        assert.lengthOf(starts, before)
        yield* TestClock.adjust(1)
        assert.lengthOf(starts, before + 1)
      }
      yield* Fiber.interrupt(fiber)
    }).pipe(quiet)
  )

  it.effect("is started quickly again where it had lived a minute", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const fiber = yield* Effect.forkChild(keepRunning(living([0, 0, 60_000], starts), { pauses }))
      yield* TestClock.adjust(500 + 2_000 + 60_000 + 500)
      assert.deepStrictEqual(starts, [0, 500, 2_500, 63_000])
      yield* Fiber.interrupt(fiber)
    }).pipe(quiet)
  )

  it.effect("is given up, with its reason, where it is not wanted", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const failure = yield* Effect.flip(keepRunning(living([], starts), { pauses, isWanted: () => false }))
      assert.strictEqual(failure.message, "the dashboard has ended")
      assert.lengthOf(starts, 1)
    }).pipe(quiet)
  )
})
