import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { Actor, unavailable } from "../../src/actors/Actor.ts"
import { Answers, fork, Pending, settled } from "./answers.ts"

/** An actor whose state is a number that commands must not exceed; larger ones need a fresh state first. */
const setUp = (mailboxCapacity = 100) => {
  const loads = new Pending<ReadonlyArray<number>, number>()
  const actor = new Actor<number, number, number>({
    decide: (state, command) => (command <= state ? state : undefined),
    refresh: (_, commands) => Effect.map(loads.begin(commands), (state) => () => state),
    decideFresh: (state, command) => (command <= state ? state : -1),
    mailboxCapacity,
    fork
  })
  const answers = new Answers<number>()
  const ask = (command: number) => answers.note(actor.askUnsafe(command))
  const loaded = (state: number) =>
    Effect.andThen(
      Effect.sync(() => loads.end(Exit.succeed(state))),
      settled
    )
  const failed = Effect.andThen(
    Effect.sync(() => loads.end(unavailable)),
    settled
  )
  return { actor, answers: answers.all, ask, failed, loaded, loads: loads.asked }
}

describe("an actor", () => {
  it.effect("loads its state with the first command, and answers at once from then on", () =>
    Effect.gen(function* () {
      const { actor, answers, ask, loaded, loads } = setUp()
      ask(1)
      yield* settled
      assert.deepStrictEqual([answers, loads], [[], [[1]]])
      yield* loaded(5)
      assert.deepStrictEqual(actor.askUnsafe(2), Exit.succeed(5))
      assert.deepStrictEqual([answers, loads], [[5], [[1]]])
    })
  )

  it.effect("reads its state again once for a command that it does not suffice for, and then decides", () =>
    Effect.gen(function* () {
      const { answers, ask, loaded, loads } = setUp()
      ask(1)
      yield* loaded(5)
      ask(9)
      yield* settled
      assert.deepStrictEqual([answers, loads], [[5], [[1], [9]]])
      yield* loaded(8)
      assert.deepStrictEqual(
        [answers, loads],
        [
          [5, -1],
          [[1], [9]]
        ]
      )
    })
  )

  it.effect("reads again for commands that came while it was reading, all of them in one go", () =>
    Effect.gen(function* () {
      const { answers, ask, loaded, loads } = setUp()
      ask(1)
      yield* settled
      ask(2)
      ask(3)
      yield* loaded(5)
      assert.deepStrictEqual([answers, loads], [[5], [[1], [2, 3]]])
      yield* loaded(6)
      assert.deepStrictEqual(
        [answers, loads],
        [
          [5, 6, 6],
          [[1], [2, 3]]
        ]
      )
    })
  )

  it.effect("does not trust a state that was read before it was told of a change", () =>
    Effect.gen(function* () {
      const { actor, answers, ask, loaded, loads } = setUp()
      ask(1)
      yield* settled
      actor.invalidate()
      yield* loaded(5)
      ask(1)
      yield* settled
      assert.deepStrictEqual([answers, loads], [[5], [[1], [1]]])
      yield* loaded(7)
      assert.deepStrictEqual(answers, [5, 7])
    })
  )

  it.effect("decides nothing by its old state once that is invalid", () =>
    Effect.gen(function* () {
      const { actor, answers, ask, loaded, loads } = setUp()
      ask(1)
      yield* loaded(5)
      actor.invalidate()
      ask(1)
      yield* settled
      assert.deepStrictEqual([answers, loads], [[5], [[1], [1]]])
    })
  )

  it.effect("answers those who wait when a load fails, and loads again for those who came later", () =>
    Effect.gen(function* () {
      const { actor, answers, ask, failed, loaded, loads } = setUp()
      ask(1)
      yield* settled
      ask(2)
      yield* failed
      assert.deepStrictEqual([answers, loads], [["unavailable"], [[1], [2]]])
      yield* loaded(5)
      assert.deepStrictEqual(answers, ["unavailable", 5])
      assert.isTrue(actor.isIdle)
    })
  )

  it.effect("lets no more wait than its mailbox holds, and refuses the others at once", () =>
    Effect.gen(function* () {
      const { actor, answers, ask, loaded } = setUp(3)
      for (let command = 0; command < 3; command++) ask(1)
      assert.strictEqual(actor.askUnsafe(1), unavailable)
      yield* loaded(5)
      yield* loaded(5)
      assert.deepStrictEqual(answers, [5, 5, 5])
    })
  )

  it.effect("answers everybody when what serves its mailbox is ended or breaks", () =>
    Effect.gen(function* () {
      const answers = new Answers<number>()
      const actor = new Actor<number, number, number>({
        decide: () => undefined,
        refresh: () => Effect.die(new Error("a bug")),
        decideFresh: (state) => state,
        mailboxCapacity: 10,
        fork
      })
      answers.note(actor.askUnsafe(1))
      answers.note(actor.askUnsafe(2))
      yield* settled
      assert.deepStrictEqual(answers.all, ["unavailable", "unavailable"])
      assert.isTrue(actor.isIdle)
    })
  )

  it.effect("does nothing by being asked until the answer is run, unless that was asked for", () =>
    Effect.gen(function* () {
      const { actor, loaded, loads } = setUp()
      const asked = actor.ask(1)
      yield* settled
      assert.lengthOf(loads, 0)
      const answers = new Answers<number>()
      answers.note(asked)
      yield* loaded(5)
      assert.deepStrictEqual(answers.all, [5])
    })
  )
})
