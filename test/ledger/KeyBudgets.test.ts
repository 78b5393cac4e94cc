/** What the database says that calls hold of a budget is what they hold, in whatever order asks and turns of the journal come. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { type CallId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import type { JournalRead } from "../../src/ledger/journal/entries.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { JournalStore } from "../../src/ledger/journal/JournalStore.ts"
import { KeyBudgets } from "../../src/ledger/node/KeyBudgets.ts"
import { Random, seeds } from "../Random.ts"

const keyId = "key_1" as KeyId
const budgets = { key: { amount: 1_000_000n, period: "month" as const }, member: undefined }

/** A budget that covers everything, and a journal whose reads wait for their turn, and for its end. */
const startJournal = () => {
  const held = new Map<CallId, MicroVnd>()
  const reads: Array<JournalRead> = []
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
    running = Promise.all(reads.splice(0).map((read) => read.run(store)))
  }
  return {
    held,
    journal: { read: (read: JournalRead) => void reads.push(read) } as Journal["Service"],
    waits: () => reads.length > 0 || turn !== undefined,
    /** A turn begins, or the one that has begun ends. */
    goOn: Effect.promise(async () => (turn === undefined ? begin() : turn.end()))
  }
}

describe("what calls hold of a budget", () => {
  it.effect.each(seeds(100))("is what they may spend, run %i", (seed) =>
    Effect.gen(function* () {
      const random = new Random(seed)
      const { goOn, held, journal, waits } = startJournal()
      const calls = new KeyBudgets(journal, yield* Clock.Clock, 100)
      /** Of calls that are open and wait for nothing. */
      const open = new Map<CallId, MicroVnd>()
      const fibers: Array<Fiber.Fiber<void>> = []
      /** A wallet that is nearly empty lets calls hold less, or nothing. */
      const ofWallet = (wanted: MicroVnd): Effect.Effect<Admission> => {
        const granted = BigInt(random.below(Number(wanted) + 1))
        return Effect.succeed(granted === 0n ? { _tag: "Insufficient" } : { _tag: "Admitted", granted })
      }
      const ask = function* (callId: CallId, had: MicroVnd, asked: Effect.Effect<Admission>) {
        open.delete(callId)
        const answered = Effect.map(asked, (admission) => {
          if (admission._tag === "Admitted") open.set(callId, had + admission.granted)
          else if (had > 0n) open.set(callId, had)
        })
        fibers.push(yield* Effect.forkChild(answered, { startImmediately: true }))
      }
      const step = function* (chance: number) {
        const wanted = BigInt(1 + random.below(50))
        const [callId, had] = [...open][random.below(open.size)] ?? []
        if (callId === undefined || had === undefined || chance < 0.3) {
          const begun = makeCallId(Date.now())
          const hold = { callId: begun, minimum: 1n, wanted }
          return yield* ask(begun, 0n, calls.hold(keyId, budgets, hold, ofWallet))
        }
        if (chance < 0.9)
          return yield* ask(callId, had, calls.extend({ callId, minimum: 1n, wanted }, ofWallet))
        calls.release(callId)
        open.delete(callId)
      }
      for (let steps = 0; steps < 60; steps++) {
        if (random.chance(0.3)) yield* goOn
        else yield* step(random.next())
      }
      while (waits()) {
        yield* goOn
        yield* Effect.yieldNow
      }
      yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(new Map([...held].sort()), new Map([...open].sort()))
    })
  )
})
