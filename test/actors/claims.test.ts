/** What wallets in memory claim of the database, when they ask again, and what they say meanwhile. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { settled } from "./answers.ts"
import { Purse } from "./Purse.ts"
import { accountId, call, setUp } from "./set-up-wallets.ts"

describe("a claim", () => {
  it.effect("is of what is lacked beyond what is there: by all who wait together, and at least by one", () =>
    Effect.gen(function* () {
      const { ask, claimed, claims, tags } = setUp()
      ask("Hold", "a", 10n, 30n)
      yield* settled
      for (const [name, minimum, wanted] of [
        ["b", 20n, 25n],
        ["c", 15n, 25n],
        ["d", 17n, 0n]
      ] as const)
        ask("Hold", name, minimum, wanted)
      yield* claimed(40n)
      assert.deepStrictEqual(claims, [
        { minimum: 10n, wanted: 30n },
        { minimum: 5n, wanted: 41n }
      ])
      yield* claimed(41n)
      assert.deepStrictEqual(tags().slice(0, 3), ["Held", "Held", "Held"])
    })
  )

  it.effect(
    "is made for a call that would have less than it wants, of which there may be more elsewhere",
    () =>
      Effect.gen(function* () {
        const { answers, ask, begin, claimed, claims, tags } = setUp()
        yield* begin(30n, 50n)
        ask("Hold", "b", 10n, 40n)
        yield* settled
        assert.deepStrictEqual(claims[1], { minimum: 0n, wanted: 20n })
        assert.deepStrictEqual(tags(), ["Held"])
        yield* claimed(0n)
        assert.deepInclude(answers[1], { _tag: "Held", granted: 20n })
        // What it holds already is not asked for.
        ask("Hold", "b", 10n, 40n)
        assert.deepInclude(answers[2], { _tag: "Held", amount: 20n, granted: 0n })
      })
  )

  it.effect("takes what threads have not taken back where nothing may lie idle", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, wallets } = setUp()
      yield* begin(10n, 170n)
      const purse = wallets.allow(accountId, { thread: 1, wanted: 1n, open: () => new Purse() })!
      ask("Hold", "b", 200n)
      yield* settled
      const again = wallets.allow(accountId, { thread: 1, wanted: 1n, open: () => purse })!
      assert.isTrue(again.free > 0n)
      yield* claimed(40n, { isExact: true })
      assert.strictEqual(purse.free, 0n)
      assert.strictEqual(wallets.heldBy(accountId), 210n)
    })
  )

  it.effect(
    "is made once more where what lay idle was given back meanwhile, and nobody is refused for that",
    () =>
      Effect.gen(function* () {
        const { ask, begin, claimed, claims, tags, wallets } = setUp()
        yield* begin(10n, 20n)
        ask("Hold", "b", 15n)
        yield* settled
        wallets.recall(accountId)
        assert.deepInclude(wallets.escrowOf(accountId, 0n), { amount: 10n })
        yield* claimed(5n)
        assert.deepStrictEqual(tags(), ["Held"])
        assert.deepStrictEqual(claims.slice(1), [
          { minimum: 5n, wanted: 5n },
          { minimum: 10n, wanted: 10n }
        ])
        yield* claimed(10n)
        assert.deepStrictEqual(tags(), ["Held", "Held"])
      })
  )

  it.effect("is not made again for a while where others hold the rest, unless something has changed", () =>
    Effect.gen(function* () {
      const runFork = Effect.runForkWith(yield* Effect.context())
      const { ask, begin, claimed, claims, tags, wallets } = setUp({ elsewhere: 50n, runFork })
      yield* begin(10n, 0n)
      assert.deepStrictEqual(tags(), ["Insufficient"])
      for (const name of ["b", "c"]) ask("Hold", name, 10n)
      yield* TestClock.adjust(1_099)
      yield* settled
      assert.lengthOf(claims, 1)
      yield* TestClock.adjust(1)
      yield* settled
      assert.lengthOf(claims, 2)
      yield* claimed(0n)
      wallets.invalidate(accountId)
      yield* settled
      assert.lengthOf(claims, 3)
    })
  )

  it.effect(
    "is made by each call of a disabled account, and of those under way only while they lack something",
    () =>
      Effect.gen(function* () {
        const { ask, claimed, claims, tags } = setUp()
        ask("Hold", "a", 1n)
        yield* settled
        yield* claimed(10n, { active: false })
        assert.deepStrictEqual(tags(), ["Disabled"])
        ask("Hold", "a", 1n)
        yield* settled
        assert.deepStrictEqual(tags(), ["Disabled"])
        yield* claimed(0n, { active: true })
        assert.deepStrictEqual(tags(), ["Disabled", "Held"])
        ask("Extend", "a", 20n)
        yield* settled
        yield* claimed(20n, { active: false })
        ask("Extend", "a", 1n)
        assert.deepStrictEqual(tags().slice(2), ["Held", "Held"])
        assert.lengthOf(claims, 3)
      })
  )

  it.effect("that finds nothing is told apart from one that is not known, by what was waited for", () =>
    Effect.gen(function* () {
      const { ask, claimed, tags, wallets } = setUp({ elsewhere: 50n })
      ask("Hold", "a", 10n)
      ask("Hold", "b", 10n)
      yield* settled
      // Others may still give back more than they have: who was waited for is not known.
      yield* claimed(10n, { isUnheard: true, isPending: true })
      yield* claimed(0n, { isPending: true })
      assert.deepStrictEqual(tags(), ["Held", "Unknown"])
      assert.strictEqual(wallets.settle(accountId, call("a"), 3n), "charged")
    })
  )

  it.effect("is not made again for calls that cost more than there is, while others only look", () =>
    Effect.gen(function* () {
      const { ask, claimed, claims, tags, wallets } = setUp()
      /** As the database rules of 600 µVND and more: a look is given an eighth, a call that lacks more nothing. */
      const lookAndCall = Effect.fnUntraced(function* (
        turn: number,
        answers: ReadonlyArray<readonly [bigint, bigint]>
      ) {
        ask("Hold", `look ${turn}`, 1n)
        yield* settled
        for (const [granted, free] of answers) yield* claimed(granted, { free, isExact: granted === 0n })
        wallets.release(accountId, call(`look ${turn}`))
        ask("Hold", `call ${turn}`, 650n)
        yield* settled
      })
      yield* lookAndCall(1, [[75n, 525n]])
      assert.deepStrictEqual(claims[1], { minimum: 575n, wanted: 575n })
      yield* claimed(0n, { free: 525n, isExact: true })
      assert.deepStrictEqual(tags(), ["Held", "Insufficient"])
      // What is idle goes back, and is looked for anew: the calls need not be told once more that it is too little.
      assert.deepInclude(wallets.escrowOf(accountId, 0n), { amount: 0n })
      yield* lookAndCall(2, [[75n, 525n]])
      for (const turn of [3, 4, 5]) yield* lookAndCall(turn, [])
      assert.lengthOf(claims, 3)
      assert.deepStrictEqual(
        tags().slice(2),
        Array.from({ length: 4 }, () => ["Held", "Insufficient"]).flat()
      )
      // What there may be is asked for, and so is anything after a credit.
      ask("Hold", "smaller", 600n)
      yield* settled
      assert.deepStrictEqual(claims[3], { minimum: 525n, wanted: 525n })
      yield* claimed(525n, { free: 0n, isExact: true })
      wallets.release(accountId, call("smaller"))
      wallets.invalidate(accountId)
      ask("Hold", "after a credit", 650n)
      yield* settled
      assert.deepStrictEqual(claims[4], { minimum: 650n, wanted: 650n })
      yield* claimed(650n)
      assert.deepStrictEqual(tags().slice(-2), ["Held", "Held"])
    })
  )

  it.effect("tells nothing of what there was before a credit that came while it was made", () =>
    Effect.gen(function* () {
      const { ask, claimed, claims, tags, wallets } = setUp()
      ask("Hold", "a", 10n)
      yield* settled
      wallets.invalidate(accountId)
      yield* claimed(0n, { free: 5n })
      ask("Hold", "b", 10n)
      yield* settled
      // Another node has some of it by now.
      yield* claimed(0n, { free: 8n, elsewhere: 3n, isUnheard: true })
      ask("Hold", "c", 10n)
      yield* settled
      assert.lengthOf(claims, 2)
      assert.deepStrictEqual(tags(), ["Insufficient", "Unknown"])
    })
  )
})
