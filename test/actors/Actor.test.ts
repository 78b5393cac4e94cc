import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { Actor, unavailable } from "../../src/actors/Actor.ts"
import { Random, seeds } from "../Random.ts"
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

  it.effect("has room for the next once it has answered, also where its mailbox holds but one", () =>
    Effect.gen(function* () {
      const { actor, answers, ask, failed, loaded } = setUp(1)
      for (const state of [5, 6]) {
        ask(1)
        assert.strictEqual(actor.askUnsafe(1), unavailable)
        yield* loaded(state)
        actor.invalidate()
      }
      ask(1)
      yield* failed
      ask(1)
      yield* loaded(7)
      assert.deepStrictEqual(answers, [5, 6, "unavailable", 7])
    })
  )

  it.effect("asks again for who is overtaken, however often, and not for ever", () =>
    Effect.gen(function* () {
      let timesMax = 30
      let times = 0
      const runFork = Effect.runForkWith(yield* Effect.context())
      const actor = new Actor<number, number, number>({
        decide: () => undefined,
        refresh: () => Effect.as(TestClock.adjust(10), () => ++times),
        decideFresh: (state) => (state > timesMax ? state : undefined),
        mailboxCapacity: 10,
        fork: (serve) => void runFork(serve)
      })
      assert.strictEqual(yield* actor.askUnsafe(1), 31)
      timesMax = Infinity
      assert.deepStrictEqual(yield* Effect.exit(actor.askUnsafe(1)), unavailable)
      assert.strictEqual(times, 31 + 51)
    })
  )

  it.effect("asks again for who is overtaken some times where storage is slow, too", () =>
    Effect.gen(function* () {
      let timesMax = 7
      let times = 0
      const runFork = Effect.runForkWith(yield* Effect.context())
      const actor = new Actor<number, number, number>({
        decide: () => undefined,
        refresh: () => Effect.as(TestClock.adjust(700), () => ++times),
        decideFresh: (state) => (state > timesMax ? state : undefined),
        mailboxCapacity: 10,
        fork: (serve) => void runFork(serve)
      })
      assert.strictEqual(yield* actor.askUnsafe(1), 8)
      timesMax = Infinity
      assert.deepStrictEqual(yield* Effect.exit(actor.askUnsafe(1)), unavailable)
      assert.strictEqual(times, 8 + 8)
    })
  )

  it.effect("answers everybody when what serves its mailbox is ended or breaks", () =>
    Effect.gen(function* () {
      const answers = new Answers<number>()
      const loads = new Pending<ReadonlyArray<number>, () => number>()
      const exits: Array<Exit.Exit<void>> = []
      const actor = new Actor<number, number, number>({
        decide: () => undefined,
        refresh: (_, commands) => loads.begin(commands),
        decideFresh: (state) => state,
        mailboxCapacity: 3,
        fork: (serve) => void Effect.runCallback(serve, { onExit: (exit) => exits.push(exit) })
      })
      const askThrice = () => {
        for (let command = 1; command <= 3; command++) answers.note(actor.askUnsafe(command))
        return settled
      }
      yield* askThrice()
      loads.end(
        Effect.succeed(() => {
          throw new Error("a bug")
        })
      )
      yield* settled
      assert.deepStrictEqual(answers.all, ["unavailable", "unavailable", "unavailable"])
      assert.deepStrictEqual([actor.isIdle, exits.map(Exit.isFailure)], [true, [true]])
      yield* askThrice()
      loads.end(Effect.succeed(() => 5))
      yield* settled
      loads.end(Effect.succeed(() => 6))
      yield* settled
      assert.deepStrictEqual(answers.all.slice(3), [5, 6, 6])
      assert.deepStrictEqual(loads.asked, [[1], [1], [2, 3]])
    })
  )
})

/** Storage is written to, by others too, while it is read and what is read is decided on; and all of that may break. */
const runAtRandom = Effect.fnUntraced(function* (random: Random) {
  const reads: Array<(read: Exit.Exit<number>) => void> = []
  /** How often storage was written to, and how much of that the actor must know by now. */
  let written = 0
  let told = 0
  let asked = 0
  let answered = 0
  const outdated: Array<number> = []
  const mayBreak = <A>(value: A): A => {
    if (random.chance(0.05)) throw new Error("a bug")
    return value
  }
  const actor = new Actor<number, null, number>({
    decide: (state) => (random.chance(0.5) ? state : undefined),
    refresh: () => {
      const before = written
      const read = Effect.callback<number>((resume) => void reads.push(resume))
      return Effect.map(read, (after) => () => mayBreak(random.chance(0.5) ? before : after))
    },
    decideFresh: (state) => (random.chance(0.1) ? undefined : mayBreak(state)),
    onServed: mayBreak,
    mailboxCapacity: 20,
    fork
  })
  const ask = () => {
    const least = told
    asked++
    Effect.runCallback(actor.askUnsafe(null), {
      onExit: (exit) => {
        answered++
        if (Exit.isSuccess(exit) && exit.value < least) outdated.push(exit.value)
      }
    })
  }
  const read = () =>
    reads.shift()?.(random.chance(0.1) ? Exit.die(new Error("a bug")) : Exit.succeed(written))
  const tell = () => {
    told = written
    actor.invalidate()
  }
  for (let step = 0; step < 60; step++) {
    random.pick([ask, ask, ask, read, read, tell, () => written++])()
    if (random.chance(0.4)) yield* settled
  }
  yield* settled
  while (reads.length > 0) {
    read()
    yield* settled
  }
  assert.strictEqual(answered, asked)
  assert.deepStrictEqual(outdated, [])
  assert.isTrue(actor.isIdle)
})

describe("whoever asks an actor", () => {
  it.effect.each(seeds(30))("is answered by what it was told before, or not, but always, run %i", (seed) =>
    runAtRandom(new Random(seed))
  )
})
