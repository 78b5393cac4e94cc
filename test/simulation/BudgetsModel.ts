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
    return asks.map(({ callId, keyId, minimum, wanted }) => {
      const budget = this.budgets.get(keyId)
      if (budget === undefined) return { callId, held: wanted }
      const before = this.#holds.get(callId)
      const room = budget - this.spentOf(keyId) - this.#heldOf(keyId) + (before?.amount ?? 0n)
      if (room < (minimum > 1n ? minimum : 1n)) return { callId, held: undefined }
      const held = wanted < room ? wanted : room
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
      this.#spent.set(keyId, this.spentOf(keyId) + cost)
    }
  }

  #heldOf(keyId: KeyId): bigint {
    let held = 0n
    for (const [callId, hold] of this.#holds) {
      if (!this.#isLiving(hold.nodeId)) this.#holds.delete(callId)
      else if (hold.keyId === keyId && !this.#forgetsHolds) held += hold.amount
    }
    return held
  }
}
