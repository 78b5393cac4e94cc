/** What the database says that calls hold of a budget is what they hold, in whatever order asks, ends and turns of the journal come. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { makeFork } from "../../src/actors/ActorMap.ts"
import { type CallId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import type { BetweenCommits } from "../../src/ledger/journal/queued-calls.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { JournalSession, JournalStore } from "../../src/ledger/journal/JournalStore.ts"
import { KeyBudgets } from "../../src/ledger/node/KeyBudgets.ts"
import { Random, seeds } from "../Random.ts"

const keyId = "key_1" as KeyId
const ofKey = { key: { amount: 1_000_000n, period: "month" as const }, member: undefined }

/** A budget that covers everything, and a journal between whose commits all waits for its turn, and for its end. */
const startJournal = () => {
  const held = new Map<CallId, MicroVnd>()
  const waiting: Array<BetweenCommits> = []
  let turn: { readonly ended: Promise<void>; readonly end: () => Promise<void> } | undefined
  const store = {
    holdBudgets: async (asks) => {
      for (const { callId, wanted } of asks) held.set(callId, wanted)
      await turn?.ended
      return asks.map(({ callId, wanted }) => ({ callId, held: wanted, shortOf: undefined }))
    },
    releaseBudgets: async (callIds) => {
      for (const callId of callIds) held.delete(callId)
      await turn?.ended
    }
  } satisfies Partial<JournalStore> as unknown as JournalStore
  const begin = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    let running: Promise<unknown> = Promise.resolve()
    turn = {
      ended: promise,
      end: async () => {
        turn = undefined
        resolve()
        await running
      }
    }
    running = Promise.all(waiting.splice(0).map((work) => work.run(store)))
  }
  return {
    held,
    store,
    journal: { between: (work: BetweenCommits) => void waiting.push(work) } as Journal["Service"],
    waits: () => waiting.length > 0 || turn !== undefined,
    /** A turn begins, or the one that has begun ends. */
    goOn: Effect.promise(async () => (turn === undefined ? begin() : turn.end()))
  }
}

interface KnownCall {
  /** µVND that it has been let hold. */
  held: MicroVnd
  isWaiting: boolean
  /** Of one that has ended. */
  cost?: MicroVnd
}

/** A wallet that is nearly empty lets calls hold less, or nothing. */
const nearlyEmpty =
  (random: Random) =>
  (wanted: MicroVnd): Effect.Effect<Admission> => {
    const granted = BigInt(random.below(Number(wanted) + 1))
    return Effect.succeed(granted === 0n ? { _tag: "Insufficient" } : { _tag: "Admitted", granted })
  }

/** Calls begin, ask for more and end at random, also while they wait, and turns of the journal pass. */
const runAtRandom = Effect.fnUntraced(function* (
  random: Random,
  budgets: KeyBudgets,
  goOn: Effect.Effect<void>
) {
  const calls = new Map<CallId, KnownCall>()
  const fibers: Array<Fiber.Fiber<void>> = []
  const ofWallet = nearlyEmpty(random)
  const ask = function* (callId: CallId, call: KnownCall, asked: Effect.Effect<Admission>) {
    call.isWaiting = true
    const answered = Effect.map(asked, (admission) => {
      call.isWaiting = false
      const isOpen = calls.get(callId) === call && call.cost === undefined
      if (admission._tag === "Admitted" && isOpen) call.held += admission.granted
      // As the ledger does with a call that has ended while it waited to begin.
      else if (admission._tag === "Admitted" && call.held === 0n) budgets.release(callId)
      if (call.held === 0n) calls.delete(callId)
    })
    fibers.push(yield* Effect.forkChild(answered, { startImmediately: true }))
  }
  const begin = function* (wanted: MicroVnd) {
    const callId = makeCallId(Date.now())
    const call = { held: 0n, isWaiting: true }
    calls.set(callId, call)
    yield* ask(callId, call, budgets.hold(keyId, ofKey, { callId, minimum: 1n, wanted }, ofWallet))
  }
  const end = (callId: CallId, call: KnownCall) => {
    const cost = random.chance(0.4) ? 0n : BigInt(random.below(Number(call.held) + 1))
    assert.isTrue(budgets.settle(callId, cost))
    if (cost === 0n) calls.delete(callId)
    else call.cost = cost
  }
  const step = function* () {
    const wanted = BigInt(1 + random.below(50))
    const [callId, call] = [...calls][random.below(calls.size)] ?? []
    if (callId === undefined || call === undefined || random.chance(0.3)) return yield* begin(wanted)
    if (call.cost !== undefined) return
    if (random.chance(0.15)) return end(callId, call)
    if (!call.isWaiting) yield* ask(callId, call, budgets.extend({ callId, minimum: 1n, wanted }, ofWallet))
  }
  for (let steps = 0; steps < 80; steps++) {
    if (random.chance(0.3)) yield* goOn
    else yield* step()
  }
  return { calls, answered: Effect.forEach(fibers, Fiber.join) }
})

describe("what calls hold of a budget", () => {
  it.effect.each(seeds(100))("is what they may spend, and what a new node claims, run %i", (seed) =>
    Effect.gen(function* () {
      const { goOn, held, journal, store, waits } = startJournal()
      const budgets = new KeyBudgets({
        journal,
        clock: yield* Clock.Clock,
        fork: yield* makeFork,
        liveNodes: () => 1,
        waitingMax: 100
      })
      const { answered, calls } = yield* runAtRandom(new Random(seed), budgets, goOn)
      while (waits()) {
        yield* goOn
        yield* Effect.yieldNow
      }
      yield* answered
      const due = [...calls].map(([callId, { cost, held }]) => [callId, cost ?? held] as const)
      // One that has ended may hold more than it costs until that is in the log.
      const ended = new Set([...calls].filter(([, { cost }]) => cost !== undefined).map(([callId]) => callId))
      for (const callId of ended) assert.isAtLeast(Number(held.get(callId)), Number(calls.get(callId)!.cost))
      const ofOpen = (amounts: Iterable<readonly [CallId, MicroVnd]>) =>
        new Map([...amounts].filter(([callId]) => !ended.has(callId)).sort())
      assert.deepStrictEqual(ofOpen(held), ofOpen(due))
      held.clear()
      const run: JournalSession["run"] = (_, work) => Effect.promise(() => work(store))
      const queue = { calls: [], settleKnown: () => {}, leaveUnpaid: () => {} }
      yield* budgets.reclaim({ node: {} as JournalSession["node"], run }, queue)
      assert.deepStrictEqual(new Map([...held].sort()), new Map([...due].sort()))
    })
  )
})
