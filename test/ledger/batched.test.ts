/** Asks that wait while the journal is busy go in one statement, and each hears its own answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { batched } from "../../src/ledger/journal/batched.ts"
import type { BetweenCommits } from "../../src/ledger/journal/queued-calls.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { JournalStore } from "../../src/ledger/journal/JournalStore.ts"

/** Reads wait until the test runs them. */
const busyJournal = () => {
  const waiting: Array<BetweenCommits> = []
  return {
    waiting,
    journal: { between: (work: BetweenCommits) => void waiting.push(work) } as Journal["Service"]
  }
}
const store = {} as JournalStore
const run = (work: BetweenCommits) => Effect.promise(() => work.run(store))

describe("asks of the journal", () => {
  it.effect("that wait together are one statement, whose answers come in their order", () =>
    Effect.gen(function* () {
      const { journal, waiting } = busyJournal()
      const asked: Array<ReadonlyArray<number>> = []
      const heard: Array<number> = []
      const double = batched<number, number>(
        journal,
        async (_, asks) => {
          asked.push(asks)
          return asks.map((ask) => 2 * ask)
        },
        (answer) => heard.push(answer)
      )
      const fibers = yield* Effect.forEach([1, 2, 3], (ask) =>
        Effect.forkChild(double(ask), { startImmediately: true })
      )
      assert.lengthOf(waiting, 1)
      yield* run(waiting[0]!)
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [2, 4, 6])
      const later = yield* Effect.forkChild(double(4), { startImmediately: true })
      yield* run(waiting[1]!)
      assert.strictEqual(yield* Fiber.join(later), 8)
      assert.deepStrictEqual(asked, [[1, 2, 3], [4]])
      assert.deepStrictEqual(heard, [2, 4, 6, 8])
    })
  )

  it.effect("all hear that the database can not be asked, and an answer after that counts for nothing", () =>
    Effect.gen(function* () {
      const { journal, waiting } = busyJournal()
      let answerNow: (answers: ReadonlyArray<number>) => void = () => {}
      const heard: Array<number> = []
      const ask = batched<number, number>(
        journal,
        () => new Promise((resolve) => (answerNow = resolve)),
        (answer) => heard.push(answer)
      )
      const fibers = yield* Effect.forEach([1, 2], (each) =>
        Effect.forkChild(ask(each), { startImmediately: true })
      )
      const running = waiting[0]!.run(store)
      waiting[0]!.failed()
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.isTrue(exits.every(Exit.isFailure))
      answerNow([1, 2])
      yield* Effect.promise(() => running)
      assert.deepStrictEqual(heard, [])
    })
  )

  it.effect("keep the answer they have when another read of the same turn fails", () =>
    Effect.gen(function* () {
      const { journal, waiting } = busyJournal()
      const ask = batched<number, number>(journal, async (_, asks) => asks)
      const fiber = yield* Effect.forkChild(ask(7), { startImmediately: true })
      yield* run(waiting[0]!)
      const next = yield* Effect.forkChild(ask(8), { startImmediately: true })
      waiting[0]!.failed()
      assert.strictEqual(yield* Fiber.join(fiber), 7)
      yield* run(waiting[1]!)
      assert.strictEqual(yield* Fiber.join(next), 8)
    })
  )
})
