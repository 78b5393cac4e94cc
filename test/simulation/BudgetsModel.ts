/** What `hold_budgets` and its like do (0055-member-budgets.sql), for budgets that have no end, as plain maps. */
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { BudgetAsk, BudgetHold } from "../../src/storage/keys/BudgetStore.ts"
import type { ModelBreaks } from "./model-rows.ts"

interface KeyHold {
  readonly keyId: KeyId
  readonly nodeId: number
  readonly amount: bigint
}

export class BudgetsModel {
  /** µVND of the keys that have one. */
  readonly budgets = new Map<KeyId, bigint>()
  /** Who made a key, and µVND of those who have a budget for all they made. */
  readonly makers = new Map<KeyId, AccountId>()
  readonly memberBudgets = new Map<AccountId, bigint>()
  readonly #spent = new Map<KeyId, bigint>()
  readonly #holds = new Map<CallId, KeyHold>()
  readonly #committed = new Set<CallId>()
  readonly #isLiving: (nodeId: number) => boolean
  readonly #breaks: ModelBreaks

  constructor(isLiving: (nodeId: number) => boolean, breaks: ModelBreaks) {
    this.#isLiving = isLiving
    this.#breaks = breaks
  }

  spentOf(keyId: KeyId): bigint {
    return this.#spent.get(keyId) ?? 0n
  }

  /** The keys that a member has made. */
  keysOf(member: AccountId): ReadonlyArray<KeyId> {
    return [...this.makers].flatMap(([keyId, maker]) => (maker === member ? [keyId] : []))
  }

  hold(nodeId: number, asks: ReadonlyArray<BudgetAsk>): ReadonlyArray<BudgetHold> {
    this.#forgetEnded()
    const keys = [...new Set(asks.map(({ keyId }) => keyId))].toSorted()
    return keys.flatMap((keyId) =>
      this.#holdOfKey(
        keyId,
        nodeId,
        asks.filter((ask) => ask.keyId === keyId)
      )
    )
  }

  /** In the order of the asks. What one of them lets hold is not free for those behind it, even of a call that is in the log. */
  #holdOfKey(keyId: KeyId, nodeId: number, asks: ReadonlyArray<BudgetAsk>): ReadonlyArray<BudgetHold> {
    let ofKey = this.#freeOf(this.budgets.get(keyId), [keyId])
    let ofMember = this.#freeOfMember(keyId)
    return asks.map(({ callId, minimum, wanted }): BudgetHold => {
      if (ofKey === undefined && ofMember === undefined) return { callId, held: wanted, shortOf: undefined }
      const before = this.#holds.get(callId)?.amount ?? 0n
      const least = minimum > 1n ? minimum : 1n
      const rooms = [ofKey, ofMember].flatMap((free) => (free === undefined ? [] : [free + before]))
      const room = rooms.reduce((one, other) => (one < other ? one : other))
      if (room < least) {
        const isShort = ofKey !== undefined && ofKey + before < least
        return { callId, held: undefined, shortOf: isShort ? "key" : "member" }
      }
      const held = wanted < room ? wanted : room
      if (ofKey !== undefined) ofKey += before - held
      if (ofMember !== undefined) ofMember += before - held
      if (held > 0n || before > 0n) this.#holds.set(callId, { keyId, nodeId, amount: held })
      return { callId, held, shortOf: undefined }
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

  #freeOfMember(keyId: KeyId): bigint | undefined {
    const member = this.makers.get(keyId)
    if (member === undefined) return undefined
    const keys = this.#breaks.countsMembersByKey === true ? [keyId] : this.keysOf(member)
    return this.#freeOf(this.memberBudgets.get(member), keys)
  }

  #freeOf(budget: bigint | undefined, keys: ReadonlyArray<KeyId>): bigint | undefined {
    if (budget === undefined) return undefined
    let free = budget
    for (const keyId of keys) {
      free -= this.spentOf(keyId)
      if (this.#breaks.forgetsBudgetHolds !== true) free -= this.heldOf(keyId)
    }
    return free
  }

  /** What is held for a call that is in the log, or by a node that is gone, is nobody's. */
  #forgetEnded(): void {
    for (const [callId, { nodeId }] of this.#holds)
      if (this.#committed.has(callId) || !this.#isLiving(nodeId)) this.#holds.delete(callId)
  }
}
