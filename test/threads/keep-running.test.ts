/** What has ended is started again, later each time in a row. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { HelperFailed, keepRunning } from "../../src/threads/keep-running.ts"

const quiet = Effect.provide(Logger.layer([]))

/** Lives so long each time, and notes when it began. */
const living = (lives: ReadonlyArray<number>, starts: Array<number>) =>
  Effect.gen(function* () {
    const life = lives[starts.push(yield* Clock.currentTimeMillis) - 1] ?? 0
    if (life > 0) yield* Effect.sleep(life)
    return yield* new HelperFailed({ thread: "dashboard", reason: "it ended" })
  })

describe("what is kept running", () => {
  it.effect("waits longer after each death in a row, and no longer than half a minute", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const fiber = yield* Effect.forkChild(keepRunning(living([], starts), () => true))
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
      const fiber = yield* Effect.forkChild(keepRunning(living([0, 0, 60_000], starts), () => true))
      yield* TestClock.adjust(500 + 2_000 + 60_000 + 500)
      assert.deepStrictEqual(starts, [0, 500, 2_500, 63_000])
      yield* Fiber.interrupt(fiber)
    }).pipe(quiet)
  )

  it.effect("is given up, with its reason, where it never came up", () =>
    Effect.gen(function* () {
      const starts: Array<number> = []
      const failure = yield* Effect.flip(keepRunning(living([], starts), () => false))
      assert.strictEqual(failure.message, "The dashboard has failed: it ended")
      assert.lengthOf(starts, 1)
    }).pipe(quiet)
  )
})
