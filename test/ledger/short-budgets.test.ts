/** What becomes of calls that a budget does not cover, or does not cover any more. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type AccountId, type CallId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import type { QueuedCall, ReclaimQueue } from "../../src/ledger/journal/queued-calls.ts"
import type { JournalSession } from "../../src/ledger/journal/JournalStore.ts"
import { Random, seeds } from "../Random.ts"
import { callRecord } from "./call-record.ts"
import { admitted, amount, begin, callAtMs, keyId, ofKey, over, startBudget } from "./start-budget.ts"

const accountId = "acc_1" as AccountId

const queuedOf = (callId: CallId, spooled: boolean): QueuedCall => ({
  record: callRecord({ accountId, keyId }, callId, 200n),
  queuedAtMs: 0,
  done: () => {},
  isOwn: true,
  spooled,
  attempted: false
})

const queueOf = (calls: ReadonlyArray<QueuedCall>) => {
  const unpaid: Array<QueuedCall> = []
  const queue: ReclaimQueue = {
    calls,
    settleKnown: () => {},
    leaveUnpaid: (some) => void unpaid.push(...some)
  }
  return { queue, unpaid }
}

describe("a budget that does not cover a call", () => {
  it.effect("says whose it is, and when it begins anew", () =>
    Effect.gen(function* () {
      const { budget, budgets } = yield* startBudget()
      budget.left = 99n
      assert.deepStrictEqual((yield* begin(budgets, 100n))[0], over())
      budget.shortOf = "member"
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual((yield* begin(budgets, 100n))[0], over("member"))
      assert.strictEqual(budgets.size, 0)
    })
  )

  it.effect("is asked once more where there are other nodes, whose calls may have ended just now", () =>
    Effect.gen(function* () {
      const { asked, budget, budgets } = yield* startBudget()
      Object.assign(budget, { left: 0n, liveNodes: 2 })
      const first = yield* Effect.forkChild(begin(budgets, 100n), { startImmediately: true })
      yield* TestClock.adjust(49)
      assert.isUndefined(first.pollUnsafe())
      budget.left = 100n
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(first))[0]._tag, "Admitted")
      const second = yield* Effect.forkChild(begin(budgets, 100n), { startImmediately: true })
      yield* TestClock.adjust(50)
      assert.deepStrictEqual((yield* Fiber.join(second))[0], over())
      assert.strictEqual(asked.length, 4)
    })
  )

  it.effect("is asked once in a second by calls that need as much", () =>
    Effect.gen(function* () {
      const { asked, budget, budgets } = yield* startBudget()
      budget.left = 50n
      yield* begin(budgets, 100n)
      const second = yield* Effect.forkChild(begin(budgets, 100n), { startImmediately: true })
      yield* TestClock.adjust(999)
      assert.strictEqual(asked.length, 1)
      // One that needs less is asked for at once.
      const [{ _tag }] = yield* begin(budgets, 50n)
      assert.deepStrictEqual([_tag, asked.length], ["Admitted", 2])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual((yield* Fiber.join(second))[0], over())
      assert.strictEqual(asked.length, 3)
    })
  )

  it.effect("is asked again as soon as it is set anew, or a call has come to its end", () =>
    Effect.gen(function* () {
      const { budget, budgets } = yield* startBudget()
      const [, callId] = yield* begin(budgets, 600n)
      const [, another] = yield* begin(budgets, 300n)
      yield* begin(budgets, 500n)
      budget.left += 500n
      budgets.keyChanged(keyId)
      const [set, third] = yield* begin(budgets, 500n)
      assert.strictEqual(set._tag, "Admitted")
      yield* begin(budgets, 700n)
      budgets.release(callId)
      assert.strictEqual((yield* begin(budgets, 700n))[0]._tag, "Admitted")
      yield* begin(budgets, 300n)
      budget.left += 300n
      assert.isTrue(budgets.settle(another, 1n))
      budgets.written(another, "committed")
      assert.strictEqual((yield* begin(budgets, 300n))[0]._tag, "Admitted")
      assert.isTrue(budgets.holds(third))
      assert.isFalse(budgets.holds(another))
    })
  )

  it.effect("is not looked at where nothing was short, and asked for the least where something was", () =>
    Effect.gen(function* () {
      const { asked, budget, budgets } = yield* startBudget()
      const callId = makeCallId(callAtMs)
      assert.deepStrictEqual(yield* budgets.look(keyId, ofKey, callId), { _tag: "Admitted", granted: 0n })
      assert.strictEqual(asked.length, 0)
      budget.left = 0n
      yield* begin(budgets, 100n)
      assert.deepStrictEqual(yield* budgets.look(keyId, ofKey, callId), over())
      assert.deepStrictEqual(asked.at(-1), { keyId, callId, atMs: callAtMs, minimum: 1n, wanted: 0n })
      // The shortage is forgotten when its time is over.
      yield* TestClock.adjust(999)
      budgets.putAway()
      const look = yield* Effect.forkChild(budgets.look(keyId, ofKey, callId), { startImmediately: true })
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(look), over())
      yield* TestClock.adjust(1_000)
      budgets.putAway()
      assert.strictEqual((yield* budgets.look(keyId, ofKey, callId))._tag, "Admitted")
    })
  )

  it.effect("but has something left is looked at once in a second, and asked by one call in a second", () =>
    Effect.gen(function* () {
      const { asked, budget, budgets } = yield* startBudget()
      budget.left = 50n
      yield* begin(budgets, 100n)
      const look = () => budgets.look(keyId, ofKey, makeCallId(callAtMs))
      for (let looks = 0; looks < 5; looks++) assert.strictEqual((yield* look())._tag, "Admitted")
      assert.strictEqual(asked.length, 2)
      const second = yield* Effect.forkChild(begin(budgets, 100n), { startImmediately: true })
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual((yield* Fiber.join(second))[0], over())
      assert.strictEqual(asked.length, 3)
      // The rest may have gone meanwhile.
      budget.left = 0n
      assert.deepStrictEqual(yield* look(), over())
    })
  )

  it.effect("is not extended beyond what is left", () =>
    Effect.gen(function* () {
      const { budgets, held } = yield* startBudget()
      const [, callId] = yield* begin(budgets, 600n)
      yield* begin(budgets, 300n)
      const extend = (minimum: MicroVnd, wanted: MicroVnd) =>
        budgets.extend({ callId, minimum, wanted }, admitted)
      assert.deepStrictEqual(yield* extend(101n, 200n), over())
      assert.deepStrictEqual(yield* extend(50n, 200n), { _tag: "Admitted", granted: 100n })
      assert.strictEqual(held.get(callId), 700n)
    })
  )

  it.effect.each(seeds(50))(
    "keeps no call of another key from its budget, however many wait for it, run %i",
    (seed) =>
      Effect.gen(function* () {
        const random = new Random(seed)
        const waitingMax = 2 + random.below(8)
        const { budget, budgets } = yield* startBudget(waitingMax)
        const other = "key_2" as KeyId
        const waiting: Array<Fiber.Fiber<Admission>> = []
        budget.left = 50n
        yield* begin(budgets, 100n)
        for (let steps = 0; steps < 40; steps++) {
          if (random.chance(0.2)) yield* TestClock.adjust(random.below(1_200))
          else if (random.chance(0.25)) {
            const hold = { callId: makeCallId(callAtMs), minimum: 1n, wanted: 1n }
            assert.strictEqual((yield* budgets.hold(other, ofKey, hold, admitted))._tag, "Admitted")
          } else {
            const refused = Effect.map(begin(budgets, 100n), ([admission]) => admission)
            waiting.push(yield* Effect.forkChild(refused, { startImmediately: true }))
          }
        }
        yield* TestClock.adjust(1_000)
        for (const { _tag } of yield* Effect.forEach(waiting, Fiber.join))
          assert.include(["OverBudget", "Unavailable"], _tag)
      })
  )

  it.effect("lets no more wait than it may", () =>
    Effect.gen(function* () {
      const { budget, budgets, turns } = yield* startBudget(2)
      budget.isHeldUp = true
      const first = yield* Effect.forkChild(begin(budgets, 1n), { startImmediately: true })
      const second = yield* Effect.forkChild(begin(budgets, 1n), { startImmediately: true })
      assert.strictEqual((yield* begin(budgets, 1n))[0]._tag, "Unavailable")
      yield* turns
      assert.strictEqual((yield* Fiber.join(first))[0]._tag, "Admitted")
      assert.strictEqual((yield* Fiber.join(second))[0]._tag, "Admitted")
    })
  )
})

describe("what a call held of a budget", () => {
  it.effect("is free again when the call is left unpaid, and stays where it is spooled", () =>
    Effect.gen(function* () {
      const { budgets, held } = yield* startBudget()
      const [, callId] = yield* begin(budgets, 600n)
      assert.isTrue(budgets.settle(callId, 500n))
      budgets.written(callId, "spooled")
      assert.isTrue(held.has(callId) && budgets.holds(callId))
      budgets.written(callId, "unpaid")
      yield* Effect.yieldNow
      assert.isFalse(held.has(callId) || budgets.holds(callId))
    })
  )

  it.effect("is freed once the database can be asked again, also where its ask may have been done", () =>
    Effect.gen(function* () {
      const { budget, budgets, held, session } = yield* startBudget()
      const [, callId] = yield* begin(budgets, 600n)
      budget.isAway = true
      budgets.release(callId)
      const unheard = makeCallId(callAtMs)
      assert.strictEqual((yield* begin(budgets, 1n, 1n, unheard))[0]._tag, "Unavailable")
      held.set(unheard, 1n)
      budget.isAway = false
      yield* budgets.begin(session)
      assert.strictEqual(held.size, 0)
    })
  )

  it.effect("is told to be free again with the time, without a new session", () =>
    Effect.gen(function* () {
      const { budget, budgets, held } = yield* startBudget()
      const [, callId] = yield* begin(budgets, 600n)
      budget.isAway = true
      budgets.release(callId)
      budget.isAway = false
      assert.isTrue(held.has(callId))
      budgets.putAway()
      yield* Effect.yieldNow
      assert.isFalse(held.has(callId))
    })
  )

  it.effect("is lost where others have spent it: the call goes no further, and costs nothing", () =>
    Effect.gen(function* () {
      const { asked, budget, budgets, held, session } = yield* startBudget()
      const [, open] = yield* begin(budgets, 300n)
      const [, ended] = yield* begin(budgets, 300n)
      const [, answered] = yield* begin(budgets, 300n)
      const [, kept] = yield* begin(budgets, 50n)
      for (const callId of [ended, answered]) assert.isTrue(budgets.settle(callId, 200n))
      // The node was taken for gone, and another has spent what it held.
      for (const callId of [open, ended, answered]) held.delete(callId)
      budget.left = 0n
      asked.length = 0
      const calls = [queuedOf(ended, false), queuedOf(answered, true)]
      const { queue, unpaid } = queueOf(calls)
      yield* budgets.reclaim(session, queue)
      assert.deepStrictEqual(
        asked.map(({ minimum, wanted }) => [minimum, wanted]),
        [300n, 200n, 200n, 50n].map((held) => [held, held])
      )
      // Whoever has had the answer is charged, whatever comes.
      assert.deepStrictEqual(unpaid, [calls[0]])
      const extend = (callId: CallId) => budgets.extend({ callId, minimum: 1n, wanted: 1n }, admitted)
      // Nor where there is room again.
      budget.left = amount
      assert.deepStrictEqual(yield* extend(open), over())
      assert.isFalse(budgets.settle(open, 100n))
      assert.isFalse(budgets.holds(open))
      budget.left = 10n
      assert.deepStrictEqual(yield* extend(kept), { _tag: "Admitted", granted: 1n })
      assert.isTrue(budgets.settle(kept, 51n))
    })
  )

  it.effect("is claimed by a thousand calls in a statement", () =>
    Effect.gen(function* () {
      const { budgets, session } = yield* startBudget()
      for (let calls = 0; calls < 1_000; calls++) yield* begin(budgets, 1n)
      const sizes: Array<string> = []
      const run: JournalSession["run"] = (name, work) => {
        sizes.push(name)
        return session.run(name, work)
      }
      yield* budgets.reclaim({ ...session, run }, queueOf([]).queue)
      assert.strictEqual(sizes.length, 1)
    })
  )
})
