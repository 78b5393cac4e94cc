/** Look-ups of keys: many to a query, one after the other, so many and no more, and none for long. */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import { type Found, KeyLookups, type KeyLookupLimits } from "../../src/ledger/bridge/KeyLookups.ts"
import type { FoundKey } from "../../src/storage/keys/find-keys.ts"

const hashOf = (number: number) => Buffer.alloc(32, number)
const keyOf = (number: number): FoundKey => ({
  keyId: `key_${number}` as KeyId,
  accountId: `acc_${number}` as AccountId,
  secret: 0,
  secretHash: hashOf(number)
})

/** Look-ups in a database that knows the keys of `known`, which a test answers when it likes. */
const open = Effect.fnUntraced(function* (
  limits: Partial<KeyLookupLimits> = {},
  known: ReadonlyArray<number> = []
) {
  const state = { nowMs: 0, known: new Set(known), isAway: false }
  const queries: Array<ReadonlyArray<number>> = []
  let gate = Deferred.makeUnsafe<void>()
  const lookups = new KeyLookups(limits, () => state.nowMs)
  const find = (hashes: ReadonlyArray<Uint8Array>) =>
    Effect.suspend(() => {
      const numbers = hashes.map((hash) => hash[0]!)
      queries.push(numbers)
      return Effect.flatMap(Deferred.await(gate), () =>
        state.isAway
          ? Effect.fail("away")
          : Effect.succeed(numbers.filter((number) => state.known.has(number)).map(keyOf))
      )
    })
  yield* Effect.forkScoped(lookups.serve(find))
  return {
    lookups,
    queries,
    state,
    /** Answers what is asked from now on. */
    letGo: () => Deferred.doneUnsafe(gate, Effect.void),
    hold: () => {
      gate = Deferred.makeUnsafe<void>()
    },
    ask: (number: number) =>
      new Promise<string>((resolve) => lookups.identify(hashOf(number), (found) => resolve(textOf(found)))),
    untilAsked: (count: number) =>
      Effect.promise(async () => {
        while (queries.length < count) await new Promise((resolve) => setImmediate(resolve))
      })
  }
})
const textOf = (found: Found) => (found === null ? "not now" : (found?.keyId ?? "unknown"))

describe("look-ups of keys", () => {
  it.live("share a query when they are asked for at once, and while another is under way", () =>
    Effect.gen(function* () {
      const { ask, letGo, queries, untilAsked } = yield* open({}, [2, 4])
      const first = [ask(1), ask(2), ask(2)]
      yield* untilAsked(1)
      const second = [ask(3), ask(4)]
      letGo()
      assert.deepStrictEqual(yield* Effect.promise(() => Promise.all([...first, ...second])), [
        "unknown",
        "key_2",
        "key_2",
        "unknown",
        "key_4"
      ])
      assert.deepStrictEqual(queries, [
        [1, 2],
        [3, 4]
      ])
    })
  )

  it.live("are bounded in one query, and in what waits: more are told to come again", () =>
    Effect.gen(function* () {
      const { ask, letGo, lookups, queries, untilAsked } = yield* open({ batchMax: 2, waitingMax: 3 })
      const first = ask(1)
      yield* untilAsked(1)
      const waiting = [ask(2), ask(3), ask(4)]
      assert.strictEqual(lookups.waiting, 3)
      assert.strictEqual(yield* Effect.promise(() => ask(5)), "not now")
      letGo()
      yield* Effect.promise(() => Promise.all([first, ...waiting]))
      assert.deepStrictEqual(queries, [[1], [2, 3], [4]])
      assert.deepStrictEqual(lookups.counts, { found: 0, unknown: 4, remembered: 0, unanswered: 1 })
      assert.strictEqual(lookups.waiting, 0)
    })
  )

  it.live("remember for a while what was not there, and so much of it", () =>
    Effect.gen(function* () {
      const { ask, letGo, lookups, queries, state } = yield* open({ rememberedMs: 1_000, rememberedMax: 2 })
      letGo()
      const asked = (number: number) => Effect.promise(() => ask(number))
      yield* asked(1)
      yield* asked(1)
      assert.deepStrictEqual(lookups.counts, { found: 0, unknown: 1, remembered: 1, unanswered: 0 })
      state.known.add(1)
      state.nowMs = 999
      assert.strictEqual(yield* asked(1), "unknown")
      state.nowMs = 1_000
      assert.strictEqual(yield* asked(1), "key_1")
      for (const number of [2, 3, 4]) yield* asked(number)
      const before = queries.length
      yield* asked(4)
      yield* asked(3)
      assert.strictEqual(queries.length, before)
      yield* asked(2)
      assert.deepStrictEqual(queries.at(-1), [2])
    })
  )

  it.live("never remember a key that is there, nor that nobody could say", () =>
    Effect.gen(function* () {
      const { ask, letGo, lookups, state } = yield* open({}, [1])
      letGo()
      const asked = (number: number) => Effect.promise(() => ask(number))
      state.isAway = true
      assert.strictEqual(yield* asked(1), "not now")
      assert.strictEqual(yield* asked(2), "not now")
      state.isAway = false
      state.known.add(2)
      assert.strictEqual(yield* asked(1), "key_1")
      assert.strictEqual(yield* asked(2), "key_2")
      assert.deepStrictEqual(lookups.counts, { found: 2, unknown: 0, remembered: 0, unanswered: 2 })
    })
  )
})
