/** What becomes of calls that wait for their commit, on a clock of the test's own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Logger } from "effect"
import { TestClock } from "effect/testing"
import { endJournal } from "../../src/ledger/journal/end-journal.ts"
import { batchMax } from "../../src/ledger/journal/JournalWriter.ts"
import type { CallBatch } from "../../src/storage/calls/commit-calls.ts"
import { beginWriter, escrow, record } from "./begin-writer.ts"

const quiet = Effect.provide(Logger.layer([]))

describe("the journal's writer", () => {
  it.effect("commits all that waits in one statement, and answers only then", () =>
    Effect.gen(function* () {
      const { append, database, disk, outcomes, turn } = yield* beginWriter()
      for (const name of [1, 2, 3]) append(name)
      assert.deepStrictEqual(outcomes, [])
      yield* turn
      assert.deepStrictEqual(outcomes, ["1 committed", "2 committed", "3 committed"])
      assert.deepStrictEqual(
        database.batches.map(({ records }) => records.length),
        [3]
      )
      assert.strictEqual(disk.clears, 1)
    })
  )

  it.effect("takes no more than its bound to a commit, in order", () =>
    Effect.gen(function* () {
      const { append, database, turn, writer } = yield* beginWriter()
      for (let name = 0; name < batchMax + 5; name++) append(name)
      yield* turn
      assert.strictEqual(writer.queued, 5)
      yield* turn
      assert.strictEqual(writer.queued, 0)
      assert.deepStrictEqual(
        database.batches[1]!.records.map(({ callId }) => callId as string),
        [0, 1, 2, 3, 4].map((each) => `call_${batchMax + each}`)
      )
    })
  )

  it.effect(
    "sets aside the row that is refused, and what the node has is told with the last of the others",
    () =>
      Effect.gen(function* () {
        const { append, database, disk, outcomes, turn, writer } = yield* beginWriter()
        database.refused.add("call_2")
        for (const name of [1, 2, 3, 4]) append(name)
        yield* turn
        assert.deepStrictEqual(disk.aside, ["call_2"])
        assert.strictEqual(writer.state.refusedRows, 1)
        const written = database.batches.flatMap(({ records }) =>
          records.map(({ callId }) => callId as string)
        )
        assert.deepStrictEqual(written, ["call_1", "call_3", "call_4"])
        assert.deepStrictEqual(
          database.batches.map(({ escrows }) => escrows.length),
          [0, 1]
        )
        assert.lengthOf(outcomes, 4)
      }).pipe(quiet)
  )

  it.effect("keeps what a lost connection may have taken, tells no one, and writes it again", () =>
    Effect.gen(function* () {
      const { append, database, outcomes, turn, writer } = yield* beginWriter()
      const untold: Array<unknown> = []
      writer.owner = { ...writer.owner, notTold: (escrows) => void untold.push(...escrows) }
      database.isAway = true
      append(1)
      assert.isTrue(Exit.isFailure(yield* Effect.exit(turn)))
      assert.deepStrictEqual([outcomes, untold], [[], [escrow]])
      database.isAway = false
      yield* turn
      assert.deepStrictEqual(outcomes, ["1 committed"])
    })
  )

  it.effect("answers from the spool what has waited ten seconds, and clears it once that is committed", () =>
    Effect.gen(function* () {
      const { append, disk, outcomes, turn, writer } = yield* beginWriter()
      append(1)
      yield* TestClock.adjust("9 seconds")
      append(2)
      yield* TestClock.adjust("1 seconds")
      yield* writer.endOverdue
      assert.deepStrictEqual(disk.spooled, [])
      yield* TestClock.adjust(1)
      yield* writer.endOverdue
      yield* writer.endOverdue
      assert.deepStrictEqual([disk.spooled, outcomes], [["call_1"], ["1 spooled"]])
      yield* turn
      assert.deepStrictEqual(outcomes, ["1 spooled", "1 committed", "2 committed"])
      assert.strictEqual(disk.clears, 1)
    })
  )

  it.effect("answers nothing that the spool can not be written with, and tries again", () =>
    Effect.gen(function* () {
      const { append, disk, outcomes, writer } = yield* beginWriter()
      disk.isFull = true
      append(1)
      yield* TestClock.adjust(10_001)
      yield* writer.endOverdue
      assert.deepStrictEqual(outcomes, [])
      disk.isFull = false
      yield* writer.endOverdue
      assert.deepStrictEqual(outcomes, ["1 spooled"])
    }).pipe(quiet)
  )

  it.effect(
    "leaves unpaid beside other nodes what waited half a minute, but what may have been written waits",
    () =>
      Effect.gen(function* () {
        const { append, database, disk, outcomes, turn, writer } = yield* beginWriter(2)
        database.isAway = true
        append(1)
        yield* Effect.exit(turn)
        append(2)
        yield* TestClock.adjust(30_001)
        yield* writer.endOverdue
        assert.deepStrictEqual([outcomes, disk.spooled], [["2 unpaid"], []])
        database.isAway = false
        yield* turn
        const [{ records }] = database.batches as [CallBatch]
        assert.deepStrictEqual(
          records.map(({ callId, cost, status }) => [callId as string, cost, status]),
          [
            ["call_1", 1n, 200],
            ["call_2", 0n, 503]
          ]
        )
        assert.deepStrictEqual(outcomes, ["2 unpaid", "1 committed"])
      })
  )

  it.effect("counts once what it leaves unpaid, and tells a call that failed as it failed", () =>
    Effect.gen(function* () {
      const { append, database, turn, writer } = yield* beginWriter(2)
      append(1)
      writer.append({ ...record(2, 0n), status: 404 }, true, () => {})
      yield* TestClock.adjust(30_001)
      yield* writer.endOverdue
      yield* writer.endOverdue
      assert.strictEqual(writer.state.unpaidCalls, 1)
      yield* turn
      const [{ records }] = database.batches as [CallBatch]
      assert.deepStrictEqual(
        records.map(({ status }) => status),
        [503, 404]
      )
    })
  )

  it.effect("asks the database every two seconds whether it is there, where nothing waits", () =>
    Effect.gen(function* () {
      const { database, turn, writer } = yield* beginWriter()
      const waiting = yield* Effect.forkChild(Effect.andThen(writer.waitForWork, turn))
      yield* TestClock.adjust(1_999)
      assert.strictEqual(database.pings, 0)
      yield* TestClock.adjust(1)
      yield* Fiber.join(waiting)
      assert.strictEqual(database.pings, 1)
    })
  )

  it.effect("holds commits apart beside other nodes, by ten ms at most, and not alone", () =>
    Effect.gen(function* () {
      for (const [nodes, apartMs] of [
        [1, 0],
        [3, 8],
        [50, 10]
      ] as const) {
        const { append, turn, writer } = yield* beginWriter(nodes)
        append(1)
        yield* turn
        writer.state.lastCommitMs = 4
        append(2)
        let isReady = false
        const waiting = yield* Effect.forkChild(
          Effect.map(writer.waitForWork, () => (isReady = true)),
          { startImmediately: true }
        )
        if (apartMs > 0) yield* TestClock.adjust(apartMs - 1)
        assert.strictEqual(isReady, apartMs === 0, `${nodes} nodes`)
        yield* TestClock.adjust(1)
        yield* Fiber.join(waiting)
      }
    })
  )

  it.effect(
    "fails reads at once while the database is away, those that wait among them, and tells of the loss",
    () =>
      Effect.gen(function* () {
        const { writer } = yield* beginWriter()
        let failures = 0
        let losses = 0
        writer.lossListeners.push(() => losses++)
        const read = { run: () => Promise.resolve(), failed: () => void failures++ }
        writer.between(read)
        writer.suspend()
        assert.deepStrictEqual([failures, losses, writer.state.available], [1, 1, false])
        writer.between(read)
        assert.strictEqual(failures, 2)
      })
  )

  for (const [nodes, second] of [
    [1, "2 spooled"],
    [2, "2 unpaid"]
  ] as const)
    it.effect(`of ${nodes} nodes waits no longer when the process ends`, () =>
      Effect.gen(function* () {
        const { append, database, outcomes, turn, writer } = yield* beginWriter(nodes)
        database.isAway = true
        append(1)
        yield* Effect.exit(turn)
        append(2)
        yield* TestClock.adjust("2 seconds")
        yield* writer.endOverdue
        assert.deepStrictEqual(outcomes, [])
        writer.hurry()
        yield* writer.endOverdue
        assert.sameMembers(outcomes, ["1 spooled", second])
      })
    )

  it.effect("puts on disk at the end what the database does not take, and says so", () => {
    const log: Array<string> = []
    return Effect.gen(function* () {
      const { append, database, disk, outcomes, turn, writer } = yield* beginWriter()
      database.isAway = true
      append(1)
      const ending = yield* Effect.forkChild(endJournal(writer, turn))
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(ending)
      assert.deepStrictEqual([disk.spooled, outcomes, disk.clears], [["call_1"], ["1 spooled"], 0])
      assert.match(log.join(), /did not take the last 1 calls/)
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void log.push(String(message)))])))
  })

  it.effect("offers it again for a while, and leaves nothing on disk where the database takes it then", () =>
    Effect.gen(function* () {
      const { append, database, disk, outcomes, turn, writer } = yield* beginWriter()
      database.isAway = true
      append(1)
      const ending = yield* Effect.forkChild(endJournal(writer, turn))
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual([disk.spooled, outcomes], [["call_1"], ["1 spooled"]])
      database.isAway = false
      yield* TestClock.adjust("200 millis")
      yield* Fiber.join(ending)
      assert.deepStrictEqual([outcomes, disk.clears], [["1 spooled", "1 committed"], 1])
    })
  )
})
