/**
 * Whoever changes settings is told that they are in force when no node serves by former ones any more, nor will: whatever is lost or late,
 * and however long a node or a thread of it stands still. And nobody waits for a node that is away for longer than its lease.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { leaseMs } from "../../src/storage/NodeStore.ts"
import { Random, seeds } from "../Random.ts"
import { LeaseRun } from "./LeaseRun.ts"

const stepsOf = (run: LeaseRun, random: Random): ReadonlyArray<() => unknown> => {
  const acts: ReadonlyArray<readonly [times: number, act: () => unknown]> = [
    [10, () => undefined],
    [5, () => run.change("models")],
    [4, () => run.change("maintenance")],
    [2, () => run.tell()],
    [3, () => run.beBusy(random.below(12_000))],
    [2, () => run.standStill(random.below(14_000))],
    [2, () => run.cut()],
    [2, () => run.declareGone()],
    [2, () => run.setFaultiness(random.pick([0, 0, 0.1, 0.3]))],
    [1, () => run.setUp(false)],
    [3, () => run.setUp(true)]
  ]
  return acts.flatMap(([times, act]) => Array.from({ length: times }, () => act))
}

/** A node that has begun; in the end it takes its leave. */
const live = (random: Random, use: (run: LeaseRun) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const run = new LeaseRun(random)
    const scope = yield* Scope.make()
    yield* Effect.forkChild(run.start(scope))
    yield* run.pass(100)
    yield* use(run)
    yield* Effect.forkChild(Scope.close(scope, Exit.void))
    yield* run.pass(3_000)
    assert.isTrue(run.deadline.hasPassed, "it has left")
  })

const areAllReturned = (run: LeaseRun) => run.changes.every(({ isReturned }) => isReturned)

describe("settings that were changed", () => {
  it.effect.each(seeds(12))("are in force once that is said, seed %i", (seed) => {
    const random = new Random(seed)
    return live(random, (run) =>
      Effect.gen(function* () {
        const steps = stepsOf(run, random)
        for (let step = 0; step < 60; step++) {
          random.pick(steps)()
          yield* run.pass(random.pick([5, 50, 400, 1_500]))
        }
        run.setUp(true)
        run.setFaultiness(0)
        yield* run.pass(leaseMs + 16_000)
        assert.isFalse(run.deadline.hasPassed, "it serves again")
        assert.isTrue(areAllReturned(run), "nobody waits any more")
        run.standStill(leaseMs + 1)
        run.change("models")
        assert.isTrue(areAllReturned(run), "nobody waits for who is away")
      })
    )
  })

  it.effect("do not keep a node from serving while a thread of it is too busy to take them", () =>
    live(new Random(1), (run) =>
      Effect.gen(function* () {
        yield* run.pass(2_000)
        run.beBusy(25_000)
        run.change("models")
        for (let second = 0; second < 20; second++) {
          yield* run.pass(1_000)
          assert.isTrue(run.isServing)
        }
        assert.isFalse(areAllReturned(run))
        // Nobody waits for who is away: then its threads must know of it before it serves.
        run.standStill(leaseMs + 1)
        run.beBusy(4_000)
        assert.isTrue(areAllReturned(run))
        yield* run.pass(12_000)
        assert.isTrue(run.isServing)
      })
    )
  )
})
