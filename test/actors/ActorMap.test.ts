/** Actors by what they are of: how many may wait for each, which of them are read anew, and which are put away. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { unavailable } from "../../src/actors/Actor.ts"
import { ActorMap } from "../../src/actors/ActorMap.ts"
import { fork, Pending, settled } from "./answers.ts"

/** The state of each is the number that was read last. */
const setUp = (mailboxCapacity = 10) => {
  const reads = new Pending<string, number>()
  const actors = new ActorMap<string, number, null, number>(
    (id) => ({
      decide: (state) => state,
      refresh: () => Effect.map(reads.begin(id), (state) => () => state),
      decideFresh: (state) => state
    }),
    { mailboxCapacity, fork }
  )
  const read = (state: number) =>
    Effect.andThen(
      Effect.sync(() => reads.end(Exit.succeed(state))),
      settled
    )
  const ask = (id: string, nowMs = 0) => actors.askUnsafe(id, null, nowMs)
  const known = Effect.fnUntraced(function* (...ids: ReadonlyArray<string>) {
    for (const id of ids) {
      Effect.runFork(ask(id))
      yield* read(1)
    }
  })
  return { actors, ask, known, read, reads }
}

describe("actors by what they are of", () => {
  it.effect("let as many wait as their mailboxes hold, each apart", () =>
    Effect.gen(function* () {
      const { ask, reads } = setUp(2)
      for (const id of ["a", "b"]) {
        for (let count = 0; count < 2; count++) assert.notStrictEqual(ask(id), unavailable)
        assert.strictEqual(ask(id), unavailable)
      }
      yield* settled
      assert.deepStrictEqual(reads.asked, ["a", "b"])
    })
  )

  it.effect("are put away when nobody has used them since a moment", () =>
    Effect.gen(function* () {
      const { actors, ask, known } = setUp()
      yield* known("unused", "asked", "touched")
      assert.isTrue(Exit.isExit(ask("asked", 20)))
      actors.touch("touched", 20)
      actors.touch("unknown", 20)
      assert.deepStrictEqual(
        actors.retire(0, () => true),
        []
      )
      assert.deepStrictEqual(
        actors.retire(20, () => true),
        ["unused"]
      )
      assert.deepStrictEqual([actors.has("unused"), actors.has("asked"), actors.size], [false, true, 2])
      assert.deepStrictEqual(
        actors.retire(21, () => true),
        ["asked", "touched"]
      )
    })
  )

  it.effect("are not put away while somebody waits, nor with something to lose", () =>
    Effect.gen(function* () {
      const { actors, ask, known, read, reads } = setUp()
      yield* known("a")
      assert.deepStrictEqual(
        actors.retire(1, (state) => state !== 1),
        []
      )
      Effect.runFork(ask("b"))
      assert.deepStrictEqual(
        actors.retire(1, () => true),
        ["a"]
      )
      yield* read(2)
      assert.deepStrictEqual(
        actors.retire(1, (state) => state === 2),
        ["b"]
      )
      // One that could never be read has nothing.
      Effect.runFork(Effect.exit(ask("c")))
      reads.end(unavailable)
      yield* settled
      assert.deepStrictEqual(
        actors.retire(1, () => false),
        ["c"]
      )
    })
  )

  it.effect("are read anew where it concerns them, and where it is not known whether it does", () =>
    Effect.gen(function* () {
      const { actors, ask, known, read, reads } = setUp()
      const isKnown = (id: string) => Exit.isExit(ask(id))
      yield* known("a", "b")
      Effect.runFork(ask("c"))
      actors.invalidateWhere((state) => state === 2)
      yield* read(1)
      assert.deepStrictEqual([isKnown("a"), isKnown("b"), isKnown("c")], [true, true, false])
      yield* read(2)
      actors.invalidateWhere((state) => state === 2)
      assert.deepStrictEqual([isKnown("a"), isKnown("b"), isKnown("c")], [true, true, false])
      actors.invalidateAll()
      assert.deepStrictEqual([isKnown("a"), isKnown("b")], [false, false])
      assert.strictEqual(reads.asked.filter((id) => id === "a").length, 2)
    })
  )
})
