import { assert, describe, it } from "@effect/vitest"
import { Actor } from "../../src/actors/Actor.ts"

type Answer = number | "full"

/** An actor whose state is a number that commands must not exceed; larger ones need a fresh state first. */
const setUp = (mailboxCapacity = 100) => {
  const answers: Array<Answer> = []
  let loads = 0
  const actor = new Actor<number, number, Answer>({
    decide: (state, command, fresh) => (command <= state ? state : fresh ? -1 : undefined),
    load: () => loads++,
    unavailable: "full",
    mailboxCapacity
  })
  const ask = (command: number) => actor.ask(command, (answer) => answers.push(answer))
  return { actor, answers, ask, loads: () => loads }
}

describe("an actor", () => {
  it("loads its state with the first command, and answers in order from then on", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    assert.deepStrictEqual([answers, loads()], [[], 1])
    actor.loaded(5)
    ask(2)
    ask(3)
    assert.deepStrictEqual([answers, loads()], [[5, 5, 5], 1])
  })

  it("reads its state again once for a command that it does not suffice for, and then decides", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    actor.loaded(5)
    ask(9)
    assert.deepStrictEqual([answers, loads()], [[5], 2])
    actor.loaded(8)
    assert.deepStrictEqual([answers, loads()], [[5, -1], 2])
  })

  it("reads again for commands that came while it was reading, since their sender may have changed something", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    ask(2)
    actor.loaded(5)
    assert.deepStrictEqual([answers, loads()], [[5], 2])
    actor.loaded(6)
    assert.deepStrictEqual([answers, loads()], [[5, 6], 2])
  })

  it("does not trust a state that was read before it was told of a change", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    actor.invalidate()
    actor.loaded(5)
    ask(1)
    assert.deepStrictEqual([answers, loads()], [[5], 2])
    actor.loaded(7)
    assert.deepStrictEqual(answers, [5, 7])
  })

  it("decides nothing by its old state once that is invalid", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    actor.loaded(5)
    actor.invalidate()
    ask(1)
    assert.deepStrictEqual([answers, loads()], [[5], 2])
  })

  it("answers those who wait when a load fails, and loads again for those who came later", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    ask(2)
    actor.failed()
    assert.deepStrictEqual([answers, loads()], [["full"], 2])
    actor.loaded(5)
    assert.deepStrictEqual(answers, ["full", 5])
    assert.isTrue(actor.isIdle)
  })

  it("lets no more wait than its mailbox holds, and answers the others at once", () => {
    const { actor, answers, ask } = setUp(3)
    for (let command = 0; command < 5; command++) ask(1)
    assert.deepStrictEqual(answers, ["full", "full"])
    actor.loaded(5)
    actor.loaded(5)
    assert.deepStrictEqual(answers, ["full", "full", 5, 5, 5])
  })

  it("is not moved by an answer that comes after it was given up", () => {
    const { actor, answers, ask, loads } = setUp()
    ask(1)
    actor.failed()
    actor.loaded(5)
    assert.isUndefined(actor.state)
    ask(1)
    assert.deepStrictEqual([answers, loads()], [["full"], 2])
  })

  it("serves commands that its answers give rise to", () => {
    const { actor, answers, ask } = setUp()
    actor.ask(1, () => ask(2))
    actor.loaded(5)
    assert.deepStrictEqual(answers, [5])
  })
})
