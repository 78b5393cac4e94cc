import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { monotonicMs } from "../../src/actors/monotonic.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { accountId, keyId, setUp } from "./set-up-keys.ts"

const budget = { amount: 1n, period: "day" } as const
const budgets = { key: budget, member: undefined }
const rules = { models: ["a"], endpoints: undefined, allowedIps: undefined }
const nothing = {
  active: true,
  rateLimitPerMinute: 0,
  paused: false,
  expiresAtMs: undefined,
  rules: undefined,
  budgets: undefined
}

describe("keys", () => {
  it.live("are loaded once, and admit their own account only", () =>
    Effect.gen(function* () {
      const { ask, loads } = setUp()
      assert.strictEqual(yield* ask(), "Admitted")
      assert.strictEqual(yield* ask(), "Admitted")
      assert.strictEqual(yield* ask({ accountId: "acc_2" as AccountId }), "Revoked")
      assert.lengthOf(loads, 1)
    })
  )

  it.live("admit nothing from the moment a revocation is heard of", () =>
    Effect.gen(function* () {
      const { ask, change } = setUp()
      yield* ask()
      change({ active: false })
      assert.strictEqual(yield* ask(), "Revoked")
    })
  )

  it.live("admit nothing after a revocation that was heard of while they were read for the first time", () =>
    Effect.gen(function* () {
      const { ask, change, loads, stored } = setUp()
      stored.whileRead = () => change({ active: false })
      yield* ask()
      assert.strictEqual(yield* ask(), "Revoked")
      assert.lengthOf(loads, 2)
    })
  )

  it.live(
    "admit nothing after a revocation that was heard of while their limit was asked for the first time",
    () =>
      Effect.gen(function* () {
        const { ask, change, stored } = setUp()
        stored.key = { ...stored.key!, rateLimitPerMinute: 60 }
        stored.left = 60
        stored.whileTaken = () => change({ active: false })
        yield* ask()
        assert.strictEqual(yield* ask(), "Revoked")
      })
  )

  it.live("admit nothing after a revocation that was heard of while they were read again", () =>
    Effect.gen(function* () {
      const { ask, change, loads, stored } = setUp()
      yield* ask()
      stored.whileRead = () => change({ active: false })
      change({ rateLimitPerMinute: 0 })
      yield* ask()
      assert.strictEqual(yield* ask(), "Revoked")
      assert.lengthOf(loads, 3)
    })
  )

  it.live.each([
    ["of a key that is known", false],
    ["while the key is read for the first time", true]
  ])("admit nothing from the moment on in which their account is heard to be disabled, %s", ([, isFirst]) =>
    Effect.gen(function* () {
      const { ask, keys, stored } = setUp()
      const disable = () => {
        stored.key = { ...stored.key!, active: false }
        keys.invalidateOf("acc_2" as AccountId)
        keys.invalidateOf(accountId)
      }
      if (isFirst) stored.whileRead = disable
      yield* ask()
      if (!isFirst) disable()
      assert.strictEqual(yield* ask(), "Revoked")
    })
  )

  it.live("are not read again for another account's sake", () =>
    Effect.gen(function* () {
      const { ask, keys, loads } = setUp()
      yield* ask()
      keys.invalidateOf("acc_2" as AccountId)
      yield* ask()
      assert.lengthOf(loads, 1)
    })
  )

  it.live("that do not exist admit nothing", () =>
    Effect.gen(function* () {
      const { ask, stored } = setUp()
      stored.key = undefined
      assert.strictEqual(yield* ask(), "Revoked")
    })
  )

  it.live("are unavailable when they can not be loaded, and are read again then", () =>
    Effect.gen(function* () {
      const { ask, loads, stored } = setUp()
      stored.isThere = false
      assert.strictEqual(yield* ask(), "Unavailable")
      stored.isThere = true
      assert.strictEqual(yield* ask(), "Admitted")
      assert.lengthOf(loads, 2)
    })
  )

  it.live("take from the limit for each call that counts, and once for all who wait", () =>
    Effect.gen(function* () {
      const { ask, change, permits, stored } = setUp()
      change({ rateLimitPerMinute: 2 })
      stored.left = 2
      assert.strictEqual(yield* ask({ purpose: "status" }), "Admitted")
      assert.lengthOf(permits, 0)
      const answers = yield* Effect.all(
        Array.from({ length: 4 }, () => ask()),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.toSorted(), ["Admitted", "Admitted", "Limited", "Limited"])
      assert.isBelow(permits.length, 4)
    })
  )

  it.live("are read once, however often their limit is asked, and lose nothing by what it has left", () =>
    Effect.gen(function* () {
      const { ask, change, loads, permits, stored } = setUp()
      change({ rateLimitPerMinute: 3 })
      stored.left = 3
      stored.retryAfterMs = 5_000
      for (let count = 0; count < 3; count++) assert.strictEqual(yield* ask(), "Admitted")
      assert.lengthOf(loads, 1)
      assert.deepStrictEqual(
        permits,
        Array.from({ length: 3 }, () => ({ keyId, calls: 1, perMinute: 3 }))
      )
    })
  )

  it.live("that have reached their limit are refused without asking, until it says otherwise", () =>
    Effect.gen(function* () {
      const { ask, change, permits, stored } = setUp()
      change({ rateLimitPerMinute: 1 })
      stored.left = 1
      assert.deepStrictEqual(
        [yield* ask(), yield* ask(), yield* ask(), yield* ask()],
        ["Admitted", "Limited", "Limited", "Limited"]
      )
      assert.lengthOf(permits, 2)
    })
  )

  it.live(
    "that have reached their limit ask for no more patience than it says, however long a call has waited",
    () =>
      Effect.gen(function* () {
        const { change, keys } = setUp()
        change({ rateLimitPerMinute: 1 })
        const nowMs = (yield* monotonicMs) - 58_000
        const answer = yield* keys.askUnsafe(keyId, { accountId, secret: 0, nowMs, purpose: "call" })
        assert.deepStrictEqual(answer, { _tag: "Limited", retryAfterMs: 5_000 })
      })
  )

  it.live(
    "that have reached their limit start no call until it says otherwise, and are told so without asking",
    () =>
      Effect.gen(function* () {
        const { ask, change, permits, stored } = setUp()
        change({ rateLimitPerMinute: 1 })
        stored.left = 1
        assert.strictEqual(yield* ask({ purpose: "start" }), "Admitted")
        assert.deepStrictEqual([yield* ask(), yield* ask()], ["Admitted", "Limited"])
        assert.strictEqual(yield* ask({ purpose: "start" }), "Limited")
        assert.strictEqual(yield* ask({ purpose: "status" }), "Admitted")
        assert.lengthOf(permits, 2)
        change({ rateLimitPerMinute: 2 })
        assert.strictEqual(yield* ask({ purpose: "start" }), "Admitted")
      })
  )

  it.live("go by a changed limit from the next call on", () =>
    Effect.gen(function* () {
      const { ask, change, stored } = setUp()
      change({ rateLimitPerMinute: 1 })
      assert.strictEqual(yield* ask(), "Limited")
      change({ rateLimitPerMinute: 2 })
      stored.left = 1
      assert.strictEqual(yield* ask(), "Admitted")
      change({ rateLimitPerMinute: 0 })
      assert.strictEqual(yield* ask(), "Admitted")
    })
  )

  it.live("are forgotten when idle", () =>
    Effect.gen(function* () {
      const { ask, keys, loads } = setUp()
      yield* ask()
      keys.putAwayIdle(0)
      yield* ask()
      assert.lengthOf(loads, 1)
      keys.putAwayIdle(Infinity)
      yield* ask()
      assert.lengthOf(loads, 2)
    })
  )

  it.live("that are paused or past their date admit nothing, and go on when that is over", () =>
    Effect.gen(function* () {
      const { ask, change, stored } = setUp()
      change({ paused: true })
      assert.strictEqual(yield* ask(), "Paused")
      change({ paused: false, expiresAtMs: 2_000 })
      assert.strictEqual(yield* ask(), "Admitted")
      stored.dateMs = 2_000
      assert.strictEqual(yield* ask(), "Expired")
      change({ expiresAtMs: 3_000 })
      assert.strictEqual(yield* ask(), "Admitted")
    })
  )

  it.live("take the secret before the present one until its time, and none before that", () =>
    Effect.gen(function* () {
      const { ask, change, stored } = setUp()
      change({ secret: 2, formerSecretUntilMs: 2_000 })
      assert.deepStrictEqual(
        [yield* ask({ secret: 2 }), yield* ask({ secret: 1 }), yield* ask({ secret: 0 })],
        ["Admitted", "Admitted", "Revoked"]
      )
      stored.dateMs = 2_000
      assert.strictEqual(yield* ask({ secret: 1 }), "Revoked")
      change({ formerSecretUntilMs: undefined })
      assert.strictEqual(yield* ask({ secret: 1 }), "Revoked")
    })
  )

  it.live("let nobody go unasked who has anything set, or who has a former secret", () =>
    Effect.gen(function* () {
      const { ask, change, keys } = setUp()
      yield* ask()
      assert.isTrue(keys.isUnlimited(keyId, 0))
      assert.isFalse(keys.isUnlimited(keyId, 1))
      const ofKey = { budgets }
      const ofMember = { budgets: { key: undefined, member: budget } }
      const limit = { rateLimitPerMinute: 1 }
      const sets = [{ active: false }, limit, { paused: true }, { expiresAtMs: 9_000 }, { rules }]
      for (const set of [...sets, ofKey, ofMember]) {
        change({ ...nothing, ...set })
        yield* ask()
        assert.isFalse(keys.isUnlimited(keyId, 0), JSON.stringify(Object.keys(set)))
      }
      change(nothing)
      yield* ask()
      assert.isTrue(keys.isUnlimited(keyId, 0))
      // What has changed is not known yet.
      change({})
      assert.isFalse(keys.isUnlimited(keyId, 0))
      yield* ask()
      keys.invalidateAll()
      assert.isFalse(keys.isUnlimited(keyId, 0))
    })
  )

  it.live.each([
    ["budgets", { budgets, rules: undefined }],
    ["rules", { budgets: undefined, rules }],
    ["both", { budgets, rules }]
  ] as const)("tell what a call must keep to: %s", ([, set]) =>
    Effect.gen(function* () {
      const { change, keys } = setUp()
      change(set)
      const nowMs = yield* monotonicMs
      const answer = yield* keys.askUnsafe(keyId, { accountId, secret: 0, nowMs, purpose: "call" })
      assert.deepStrictEqual(answer, { _tag: "Admitted", ...set })
    })
  )
})
