/** What a turn of the journal's writer leaves behind: on disk, in its queue, and untold to other nodes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger } from "effect"
import { TestClock } from "effect/testing"
import type { AccountId } from "../../src/domain/ids.ts"
import { batchMax } from "../../src/ledger/journal/JournalWriter.ts"
import { beginWriter, record } from "./begin-writer.ts"

const other = "acc_2" as AccountId

describe("a turn of the journal", () => {
  it.effect("clears the disk only when nothing that is there waits any more", () =>
    Effect.gen(function* () {
      const { append, disk, turn, writer } = yield* beginWriter()
      for (let name = 0; name <= batchMax; name++) append(name)
      yield* TestClock.adjust("11 seconds")
      yield* writer.endOverdue
      assert.lengthOf(disk.spooled, batchMax + 1)
      yield* turn
      assert.deepStrictEqual([writer.queued, disk.clears], [1, 0])
      yield* turn
      assert.deepStrictEqual([writer.queued, disk.clears], [0, 1])
      const { commits, committedCalls, spooledCalls } = writer.state
      assert.deepStrictEqual([commits, committedCalls, spooledCalls], [2, batchMax + 1, batchMax + 1])
    })
  )

  it.effect("takes what a former process left behind for what is on disk already", () =>
    Effect.gen(function* () {
      const { append, disk, outcomes, turn, writer } = yield* beginWriter()
      for (let name = 0; name < batchMax; name++) append(name)
      writer.append(record(-1), false, (outcome) => outcomes.push(`left ${outcome}`))
      yield* TestClock.adjust("11 seconds")
      yield* turn
      yield* writer.endOverdue
      assert.deepStrictEqual([disk.spooled, disk.clears], [[], 0])
      yield* turn
      assert.deepStrictEqual([outcomes.at(-1), disk.clears], ["left committed", 1])
    })
  )

  it.effect("keeps all that costs, and rows that cost nothing as long as there is room", () =>
    Effect.gen(function* () {
      const { append, outcomes, writer } = yield* beginWriter()
      const free = record(1, 0n)
      for (let count = 0; count < 200_000; count++) writer.append(free, true, () => {})
      append(2, 0n)
      append(3, 1n)
      assert.deepStrictEqual([outcomes, writer.state.droppedRows], [["2 committed"], 1])
      assert.strictEqual(writer.queued, 200_001)
    })
  )

  it.effect("runs each read once, and tells it where that failed", () =>
    Effect.gen(function* () {
      const { append, database, turn, writer } = yield* beginWriter()
      const told: Array<string> = []
      const read = (name: string) =>
        writer.between({
          run: () => Promise.resolve(void told.push(name)),
          failed: () => void told.push(`${name} failed`)
        })
      read("a")
      append(1)
      yield* turn
      append(2)
      yield* turn
      assert.deepStrictEqual([told, writer.hasWork], [["a"], false])
      database.isAway = true
      read("b")
      yield* Effect.exit(turn)
      assert.deepStrictEqual([told, writer.hasWork], [["a", "b failed"], false])
    })
  )

  it.effect("asks other nodes for what is lacked here, with a commit and without, once", () =>
    Effect.gen(function* () {
      const { append, database, turn, writer } = yield* beginWriter()
      let recalled: ReadonlyArray<AccountId> = []
      const untold: Array<unknown> = []
      writer.owner = {
        ...writer.owner,
        escrows: () => [],
        takeRecalled: () => recalled,
        notTold: () => void untold.push(1)
      }
      append(1)
      yield* turn
      assert.deepStrictEqual(database.givenBack, [])
      recalled = [other]
      append(2)
      yield* turn
      assert.deepStrictEqual(database.givenBack, [[other]])
      writer.giveBack()
      yield* turn
      assert.deepStrictEqual(database.givenBack, [[other], [other]])
      assert.deepStrictEqual([writer.hasWork, writer.untoldMs(), untold], [false, 0, []])
    })
  )

  it.effect("says since when something is untold, until the database has taken it", () =>
    Effect.gen(function* () {
      const { database, turn, writer } = yield* beginWriter()
      writer.giveBack()
      yield* TestClock.adjust(5)
      database.isAway = true
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turn)))
      yield* TestClock.adjust(5)
      assert.strictEqual(writer.untoldMs(), 10)
      database.isAway = false
      writer.giveBack()
      yield* turn
      assert.strictEqual(writer.untoldMs(), 0)
    }).pipe(Effect.provide(Logger.layer([])))
  )
})
