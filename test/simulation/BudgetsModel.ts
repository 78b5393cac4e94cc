/** What `hold_budgets` and its like do (0030-budget-look-ups.sql), for budgets that have no end, as plain maps. */
import type { CallRecord } from "../../src/domain/call.ts"
import type { CallId, KeyId } from "../../src/domain/ids.ts"
import type { BudgetAsk, BudgetHold } from "../../src/storage/BudgetStore.ts"

interface KeyHold {
  readonly keyId: KeyId
  readonly nodeId: number
  readonly amount: bigint
}

export class BudgetsModel {
  /** µVND of the keys that have one. */
  readonly budgets = new Map<KeyId, bigint>()
  readonly #spent = new Map<KeyId, bigint>()
  readonly #holds = new Map<CallId, KeyHold>()
  readonly #committed = new Set<CallId>()
  readonly #isLiving: (nodeId: number) => boolean
  readonly #forgetsHolds: boolean

  constructor(isLiving: (nodeId: number) => boolean, forgetsHolds: boolean) {
    this.#isLiving = isLiving
    this.#forgetsHolds = forgetsHolds
  }

  spentOf(keyId: KeyId): bigint {
    return this.#spent.get(keyId) ?? 0n
  }

  hold(nodeId: number, asks: ReadonlyArray<BudgetAsk>): ReadonlyArray<BudgetHold> {
    this.#forgetEnded()
    const free = new Map<KeyId, bigint>()
    return asks.map(({ callId, keyId, minimum, wanted }) => {
      const budget = this.budgets.get(keyId)
      if (budget === undefined) return { callId, held: wanted }
      const before = this.#holds.get(callId)
      const room =
        (free.get(keyId) ?? budget - this.spentOf(keyId) - this.#countedOf(keyId)) + (before?.amount ?? 0n)
      if (room < (minimum > 1n ? minimum : 1n)) return { callId, held: undefined }
      const held = wanted < room ? wanted : room
      free.set(keyId, room - held)
      if (held > 0n || before !== undefined) this.#holds.set(callId, { keyId, nodeId, amount: held })
      return { callId, held }
    })
  }

  release(callIds: ReadonlyArray<CallId>): void {
    for (const callId of callIds) this.#holds.delete(callId)
  }

  /** They are in the log now: what they held is over in the moment in which their cost counts. */
  committed(records: ReadonlyArray<CallRecord>): void {
    for (const { callId, cost, keyId } of records) {
      this.#holds.delete(callId)
      this.#committed.add(callId)
      this.#spent.set(keyId, this.spentOf(keyId) + cost)
    }
  }

  heldOf(keyId: KeyId): bigint {
    this.#forgetEnded()
    return [...this.#holds.values()].reduce(
      (sum, hold) => (hold.keyId === keyId ? sum + hold.amount : sum),
      0n
    )
  }

  #countedOf(keyId: KeyId): bigint {
    return this.#forgetsHolds ? 0n : this.heldOf(keyId)
  }

  /** What is held for a call that is in the log, or by a node that is gone, is nobody's. */
  #forgetEnded(): void {
    for (const [callId, { nodeId }] of this.#holds)
      if (this.#committed.has(callId) || !this.#isLiving(nodeId)) this.#holds.delete(callId)
  }
}
