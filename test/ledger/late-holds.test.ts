/** A node whose right to admit calls runs out while one of them waits: what it would give is others' by then. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { type AccountId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import type { BetweenCommits } from "../../src/ledger/journal/queued-calls.ts"
import { Journal } from "../../src/ledger/journal/Journal.ts"
import type { JournalStore } from "../../src/ledger/journal/JournalStore.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { escrowClaim } from "../actors/escrow-claim.ts"
import { plainKey } from "../actors/plain-key.ts"
import { ofKey } from "./start-budget.ts"

const identity = { keyId: "key_1" as KeyId, accountId: "acc_1" as AccountId, secret: 0 }
const callAtMs = Date.UTC(2026, 10, 28, 12)
const leaseMs = 5_000

/** One of two nodes, with one key. Reads wait for `turns`, and a claim is given so much. */
const startOneOfTwo = Effect.fnUntraced(function* (granted: bigint, budgets?: typeof ofKey) {
  const at = { ms: 1_000 }
  const deadline = LeaseDeadline.make({
    monotonicNs: () => BigInt(at.ms) * 1_000_000n,
    wallMs: () => callAtMs + at.ms
  })
  deadline.set(deadline.now(), leaseMs)
  const store = {
    loadKeys: async () => [plainKey({ ...identity, budgets })],
    claim: async (asks) => [...asks.keys()].map((accountId) => escrowClaim({ accountId, granted })),
    holdBudgets: async (asks) =>
      asks.map(({ callId, wanted }) => ({ callId, held: wanted, shortOf: undefined })),
    releaseBudgets: async () => {}
  } satisfies Partial<JournalStore> as unknown as JournalStore
  const waiting: Array<BetweenCommits> = []
  const journal = {
    state: { available: true },
    between: (turn: BetweenCommits) => void waiting.push(turn),
    serves: () => {},
    onLoss: () => {},
    giveBack: () => {}
  } as unknown as Journal["Service"]
  const life = { deadline, liveNodes: () => 2, onEnd: () => {} } as unknown as NodeLife["Service"]
  const layer = Layer.provide(Ledger.layer, [Layer.succeed(Journal, journal), Layer.succeed(NodeLife, life)])
  const ledger = yield* Effect.service(Ledger).pipe(Effect.provide(yield* Layer.build(layer)))
  const turns = Effect.gen(function* () {
    while (waiting.length > 0) {
      yield* Effect.promise(() => Promise.all(waiting.splice(0).map((turn) => turn.run(store))))
      yield* Effect.yieldNow
    }
  })
  const ask = (name: "admitUnsafe" | "extendUnsafe", callId = makeCallId(callAtMs)) =>
    Effect.forkChild(
      Effect.suspend(() => ledger[name]({ ...identity, callId, minimum: 10n, wanted: 10n })),
      { startImmediately: true }
    )
  const admit = Effect.gen(function* () {
    const callId = makeCallId(callAtMs)
    const asked = yield* ask("admitUnsafe", callId)
    yield* turns
    assert.deepStrictEqual(yield* Fiber.join(asked), { _tag: "Admitted", granted: 10n })
    return callId
  })
  return { admit, ask, at, turns, waits: () => waiting.length }
})

describe("a node whose lease runs out", () => {
  it.effect.each([
    // What is granted at first is spent by the first call.
    ["a call", "its wallet", "admitUnsafe", undefined, 10n],
    ["an extension", "its wallet", "extendUnsafe", undefined, 10n],
    // The wallet has enough at hand.
    ["a call", "its budget", "admitUnsafe", ofKey, 1_000n],
    ["an extension", "its budget", "extendUnsafe", ofKey, 1_000n]
  ] as const)("while %s waits for %s gives it nothing", ([, , name, budgets, granted]) =>
    Effect.gen(function* () {
      const { admit, ask, at, turns, waits } = yield* startOneOfTwo(granted, budgets)
      const callId = yield* admit
      const asked = yield* ask(name, name === "extendUnsafe" ? callId : undefined)
      assert.isAbove(waits(), 0)
      at.ms += leaseMs
      yield* turns
      assert.deepStrictEqual(yield* Fiber.join(asked), { _tag: "Unavailable" })
    })
  )
})
