/** Asks that wait while the journal is busy go in one statement, and each hears its own answer. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { batched } from "../../src/ledger/journal/batched.ts"
import type { JournalRead } from "../../src/ledger/journal/queued-calls.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { JournalStore } from "../../src/ledger/journal/JournalStore.ts"

/** Reads wait until the test runs them. */
const busyJournal = () => {
  const reads: Array<JournalRead> = []
  return { reads, journal: { read: (read: JournalRead) => void reads.push(read) } as Journal["Service"] }
}
const store = {} as JournalStore
const run = (read: JournalRead) => Effect.promise(() => read.run(store))

describe("asks of the journal", () => {
  it.effect("that wait together are one statement, whose answers come in their order", () =>
    Effect.gen(function* () {
      const { journal, reads } = busyJournal()
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
      assert.lengthOf(reads, 1)
      yield* run(reads[0]!)
      assert.deepStrictEqual(yield* Effect.forEach(fibers, Fiber.join), [2, 4, 6])
      const later = yield* Effect.forkChild(double(4), { startImmediately: true })
      yield* run(reads[1]!)
      assert.strictEqual(yield* Fiber.join(later), 8)
      assert.deepStrictEqual(asked, [[1, 2, 3], [4]])
      assert.deepStrictEqual(heard, [2, 4, 6, 8])
    })
  )

  it.effect("all hear that the database can not be asked, and an answer after that counts for nothing", () =>
    Effect.gen(function* () {
      const { journal, reads } = busyJournal()
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
      const running = reads[0]!.run(store)
      reads[0]!.failed()
      const exits = yield* Effect.forEach(fibers, Fiber.await)
      assert.isTrue(exits.every(Exit.isFailure))
      answerNow([1, 2])
      yield* Effect.promise(() => running)
      assert.deepStrictEqual(heard, [])
    })
  )

  it.effect("keep the answer they have when another read of the same turn fails", () =>
    Effect.gen(function* () {
      const { journal, reads } = busyJournal()
      const ask = batched<number, number>(journal, async (_, asks) => asks)
      const fiber = yield* Effect.forkChild(ask(7), { startImmediately: true })
      yield* run(reads[0]!)
      const next = yield* Effect.forkChild(ask(8), { startImmediately: true })
      reads[0]!.failed()
      assert.strictEqual(yield* Fiber.join(fiber), 7)
      yield* run(reads[1]!)
      assert.strictEqual(yield* Fiber.join(next), 8)
    })
  )
})
