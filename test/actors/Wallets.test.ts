/** Wallets in memory against a plain model of the database: whatever comes in between, never more is granted than there is. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { unavailable } from "../../src/actors/Actor.ts"
import { Random, seeds } from "../Random.ts"
import { settled } from "./answers.ts"
import { accountId, call, setUp } from "./set-up-wallets.ts"
import { WalletRun } from "./WalletRun.ts"

describe("wallets in memory", () => {
  it.effect.each(seeds(40))("never grant more than there is, whatever comes between, seed %i", (seed) =>
    Effect.gen(function* () {
      const run = new WalletRun(new Random(seed))
      for (let step = 0; step < 150; step++) yield* run.step
      yield* run.end
    })
  )

  it.effect("are claimed by their first call, and by what they lack later", () =>
    Effect.gen(function* () {
      const { ask, claimed, claims, tags } = setUp()
      ask("Hold", "a", 10n, 30n)
      yield* settled
      assert.deepStrictEqual(claims, [{ minimum: 10n, wanted: 30n }])
      yield* claimed(40n)
      ask("Hold", "b", 10n)
      assert.deepStrictEqual(tags(), ["Held", "Held"])
      ask("Hold", "c", 5n)
      yield* settled
      assert.deepStrictEqual(claims[1], { minimum: 5n, wanted: 5n })
      yield* claimed(0n)
      assert.deepStrictEqual(tags(), ["Held", "Held", "Insufficient"])
    })
  )

  it.effect("that have nothing left are not asked for again until they are changed", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, claims, tags, wallets } = setUp()
      yield* begin(10n, 0n)
      for (let count = 0; count < 5; count++) ask("Hold", "b", 10n)
      assert.deepStrictEqual(
        tags(),
        Array.from({ length: 6 }, () => "Insufficient")
      )
      assert.lengthOf(claims, 1)
      wallets.invalidate(accountId)
      ask("Hold", "c", 10n)
      yield* settled
      yield* claimed(10n)
      assert.strictEqual(tags().at(-1), "Held")
    })
  )

  it.effect("know a smaller call that what is left would pay for", () =>
    Effect.gen(function* () {
      const { ask, claimed, tags } = setUp()
      ask("Hold", "a", 10n)
      yield* settled
      yield* claimed(0n, { free: 4n })
      ask("Hold", "b", 4n)
      yield* settled
      yield* claimed(4n)
      assert.deepStrictEqual(tags(), ["Insufficient", "Held"])
    })
  )

  it.effect("are not refused to a call for which nothing was left of what others were waited for", () =>
    Effect.gen(function* () {
      const { ask, claimed, tags } = setUp({ elsewhere: 50n })
      ask("Hold", "a", 10n)
      ask("Hold", "b", 10n)
      yield* settled
      yield* claimed(10n, { isUnheard: true })
      assert.deepStrictEqual(tags(), ["Held"])
      yield* claimed(0n, { isUnheard: true })
      assert.deepStrictEqual(tags(), ["Held", "Unknown"])
    })
  )

  it.effect("are not refused to a call while it is not known what others have", () =>
    Effect.gen(function* () {
      const { ask, claimed, tags } = setUp()
      ask("Hold", "a", 10n)
      yield* settled
      yield* claimed(0n, { isPending: true })
      assert.deepStrictEqual(tags(), ["Unknown"])
    })
  )

  it.effect("give back what is not held as long as they are exact, with the next commit", () =>
    Effect.gen(function* () {
      const { ask, claimed, wallets } = setUp()
      ask("Hold", "a", 10n)
      yield* settled
      yield* claimed(10n, { isExact: true })
      assert.isUndefined(wallets.allow(accountId, { thread: 1, wanted: 1n, open: () => undefined }))
      assert.strictEqual(wallets.settle(accountId, call("a"), 4n), "charged")
      assert.deepStrictEqual(wallets.takeIdle(), [accountId])
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 4n, isExact: true })
      assert.deepStrictEqual(wallets.escrowOf(accountId, 4n), { accountId, amount: 0n, isExact: true })
      wallets.committed(accountId, 4n)
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 0n, isExact: true })
    })
  )

  it.effect(
    "ask for all that a call wants while what is idle goes back, and know by that that it is too little",
    () =>
      Effect.gen(function* () {
        const { ask, begin, claimed, claims, tags, wallets } = setUp()
        yield* begin(10n, 24n, { isExact: true })
        ask("Hold", "b", 30n)
        yield* settled
        assert.deepStrictEqual(wallets.takeIdle(), [accountId])
        assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 10n, isExact: true })
        yield* claimed(0n, { isExact: true, free: 26n })
        assert.deepStrictEqual(claims, [
          { minimum: 10n, wanted: 10n },
          { minimum: 30n, wanted: 30n }
        ])
        assert.deepStrictEqual(tags(), ["Held", "Insufficient"])
      })
  )

  it.effect("are not refused to a call by a claim that came before what was idle went back", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, claims, tags, wallets } = setUp()
      yield* begin(10n, 24n, { isExact: true })
      ask("Hold", "b", 30n)
      yield* settled
      yield* claimed(0n, { isExact: true, free: 16n })
      assert.deepStrictEqual(tags(), ["Held"])
      wallets.escrowOf(accountId, 0n)
      yield* claimed(30n, { isExact: true })
      assert.lengthOf(claims, 3)
      assert.deepStrictEqual(tags(), ["Held", "Held"])
    })
  )

  it.effect("are told of when they become exact, though nothing is left of them", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, wallets } = setUp()
      yield* begin(30n, 30n)
      assert.deepStrictEqual(wallets.takeIdle(), [])
      ask("Hold", "b", 10n)
      yield* settled
      yield* claimed(10n, { isExact: true })
      assert.deepStrictEqual(wallets.takeIdle(), [accountId])
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 40n, isExact: true })
    })
  )

  it.effect("give back at once what others lack, and keep what calls hold", () =>
    Effect.gen(function* () {
      const { begin, wallets } = setUp()
      yield* begin(30n, 100n)
      wallets.recall(accountId)
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 30n, isExact: true })
      assert.strictEqual(wallets.heldBy(accountId), 30n)
    })
  )

  it.effect("that others have taken from leave nothing of what calls held to later ones", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, tags, wallets } = setUp()
      yield* begin(10n, 100n)
      ask("Hold", "b", 20n)
      wallets.invalidate(accountId)
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 30n, isExact: true })
      wallets.release(accountId, call("a"))
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 20n, isExact: true })
      ask("Hold", "c", 5n)
      yield* settled
      yield* claimed(0n, { free: -19n })
      wallets.settle(accountId, call("b"), 4n)
      ask("Hold", "d", 5n)
      yield* settled
      // Unless it is told first, a claim says too little.
      assert.deepStrictEqual(wallets.escrowOf(accountId, 4n), { accountId, amount: 0n, isExact: true })
      yield* claimed(0n, { free: 1n })
      assert.deepStrictEqual(tags(), ["Held", "Held", "Insufficient", "Insufficient"])
    })
  )

  it.effect("that others have added to are as before once more of them is claimed", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, tags, wallets } = setUp()
      yield* begin(10n, 100n)
      wallets.invalidate(accountId)
      ask("Hold", "b", 20n)
      yield* settled
      yield* claimed(190n)
      wallets.release(accountId, call("a"))
      assert.deepStrictEqual(tags(), ["Held", "Held"])
      assert.deepStrictEqual(wallets.escrowOf(accountId, 0n), { accountId, amount: 200n, isExact: false })
    })
  )

  it.effect("keep what is not held as long as they are not exact", () =>
    Effect.gen(function* () {
      const { begin, wallets } = setUp()
      yield* begin(10n, 100n)
      wallets.settle(accountId, call("a"), 4n)
      assert.deepStrictEqual(wallets.takeIdle(), [])
      assert.deepStrictEqual(wallets.escrowOf(accountId, 4n), { accountId, amount: 96n, isExact: false })
    })
  )

  it.effect("of a node that was taken for gone charge what is still there, and nothing beyond", () =>
    Effect.gen(function* () {
      const { ask, claimed, tags, wallets } = setUp()
      for (const name of ["a", "b", "c"]) ask("Hold", name, 10n)
      yield* settled
      yield* claimed(10n)
      yield* claimed(20n)
      wallets.confine()
      wallets.cover(accountId, 15n, true)
      assert.strictEqual(wallets.settle(accountId, call("a"), 10n), "charged")
      assert.strictEqual(wallets.settle(accountId, call("b"), 10n), "unpaid")
      assert.strictEqual(wallets.settle(accountId, call("c"), 5n), "charged")
      assert.strictEqual(wallets.overdraft, 0n)
      assert.deepStrictEqual(tags(), ["Held", "Held", "Held"])
    })
  )

  it.effect("give a claim that comes back too late to nobody", () =>
    Effect.gen(function* () {
      const { ask, claimed, tags, wallets } = setUp()
      ask("Hold", "a", 10n)
      yield* settled
      wallets.confine()
      yield* claimed(10n)
      assert.deepStrictEqual(tags(), ["Unknown"])
    })
  )

  it.effect("admit nothing of an account that is disabled, and let its calls under way go on", () =>
    Effect.gen(function* () {
      const { ask, begin, claimed, tags, wallets } = setUp()
      yield* begin(1n, 10n)
      wallets.invalidate(accountId)
      ask("Hold", "b", 1n)
      yield* settled
      yield* claimed(9n, { active: false })
      ask("Extend", "a", 1n)
      ask("Hold", "c", 1n)
      yield* settled
      yield* claimed(0n)
      assert.deepStrictEqual(tags(), ["Held", "Disabled", "Held", "Held"])
    })
  )

  it.effect("are unavailable when they can not be claimed", () =>
    Effect.gen(function* () {
      const { answers, ask, failed } = setUp()
      ask("Hold", "a", 1n)
      yield* settled
      yield* failed
      assert.deepStrictEqual(answers, ["unavailable"])
      assert.isTrue(Exit.isFailure(unavailable))
    })
  )
})
