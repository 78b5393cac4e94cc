/** One budget, of which calls and others hold parts, and who asks for it. */
import { Clock, Effect } from "effect"
import { makeFork } from "../../src/actors/ActorMap.ts"
import { type CallId, type KeyId, makeCallId } from "../../src/domain/ids.ts"
import { type BudgetHolder, periodEndMs } from "../../src/domain/key-settings.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import type { BetweenCommits } from "../../src/ledger/journal/queued-calls.ts"
import type { Journal } from "../../src/ledger/journal/Journal.ts"
import type { JournalSession, JournalStore } from "../../src/ledger/journal/JournalStore.ts"
import { KeyBudgets } from "../../src/ledger/node/KeyBudgets.ts"
import type { BudgetAsk } from "../../src/storage/keys/BudgetStore.ts"

export const keyId = "key_1" as KeyId
export const amount = 1_000n
export const ofKey = { key: { amount, period: "day" as const }, member: undefined }
export const callAtMs = Date.UTC(2026, 10, 28, 12)

/** One budget, of which calls and others hold parts; each read has its turn at once. */
export const startBudget = Effect.fnUntraced(function* (waitingMax = 10) {
  const held = new Map<CallId, MicroVnd>()
  const asked: Array<BudgetAsk> = []
  const budget = {
    left: amount,
    shortOf: "key" as BudgetHolder,
    isAway: false,
    isHeldUp: false,
    liveNodes: 1
  }
  const ask = ({ callId, minimum, wanted }: BudgetAsk) => {
    const room = budget.left + (held.get(callId) ?? 0n)
    if (minimum > room) return { callId, held: undefined, shortOf: budget.shortOf }
    const granted = wanted > room ? room : wanted
    budget.left = room - granted
    held.set(callId, granted)
    return { callId, held: granted, shortOf: undefined }
  }
  const store = {
    holdBudgets: async (asks) => {
      asked.push(...asks)
      return asks.map(ask)
    },
    releaseBudgets: async (callIds) => {
      for (const callId of callIds) {
        budget.left += held.get(callId) ?? 0n
        held.delete(callId)
      }
    }
  } satisfies Partial<JournalStore> as unknown as JournalStore
  const waiting: Array<BetweenCommits> = []
  const between = (turn: BetweenCommits) => {
    if (budget.isAway) turn.failed()
    else if (budget.isHeldUp) waiting.push(turn)
    else void turn.run(store)
  }
  const budgets = new KeyBudgets({
    journal: { between } as Journal["Service"],
    clock: yield* Clock.Clock,
    fork: yield* makeFork,
    liveNodes: () => budget.liveNodes,
    waitingMax
  })
  const run: JournalSession["run"] = (_, work) => Effect.promise(() => work(store))
  const session: JournalSession = { node: {} as JournalSession["node"], run }
  const turns = () => Promise.all(waiting.splice(0).map((turn) => turn.run(store)))
  return { asked, budget, budgets, held, session, turns: Effect.promise(turns) }
})

export const begin = (
  budgets: KeyBudgets,
  wanted: MicroVnd,
  minimum = wanted,
  callId = makeCallId(callAtMs)
) =>
  Effect.map(
    budgets.hold(keyId, ofKey, { callId, minimum, wanted }, admitted),
    (admission) => [admission, callId] as const
  )

export const admitted = (granted: MicroVnd): Effect.Effect<Admission> =>
  Effect.succeed({ _tag: "Admitted", granted })
export const over = (of: BudgetHolder = "key"): Admission => ({
  _tag: "OverBudget",
  of,
  resetsAtMs: of === "key" ? periodEndMs("day", callAtMs) : undefined
})
