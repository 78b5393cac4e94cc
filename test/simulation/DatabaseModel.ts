/**
 * What the SQL functions of the ledger do (0020-escrow.sql and its stores), as plain maps: each function is one statement,
 * done at one moment. That both answer alike is tested on PostgreSQL (`model.system.test.ts`).
 */
import type { CallRecord } from "../../src/domain/call.ts"
import { grantOf, type WaitingAsk } from "../../src/domain/escrow.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { BudgetAsk, BudgetHold } from "../../src/storage/keys/BudgetStore.ts"
import type { CallBatch } from "../../src/storage/calls/commit-calls.ts"
import type { Escrow, EscrowClaim } from "../../src/storage/EscrowStore.ts"
import type { KeyState } from "../../src/storage/LedgerStore.ts"
import type { Permit, PermitAsk } from "../../src/storage/keys/LimitStore.ts"
import type { Beat, NodeEvent, Registration } from "../../src/storage/NodeStore.ts"
import {
  type EscrowRow,
  type ModelBreaks,
  type ModelListeners,
  newEscrow,
  type WalletRow
} from "./model-rows.ts"
import { BudgetsModel } from "./BudgetsModel.ts"
import { NodesModel } from "./NodesModel.ts"
import { PermitWindows } from "./permit-window.ts"

export class DatabaseModel {
  readonly nodes: NodesModel
  readonly wallets = new Map<AccountId, WalletRow>()
  readonly recalls = new Map<number, Set<AccountId>>()
  readonly calls = new Map<CallId, CallRecord>()
  readonly keys = new Map<KeyId, KeyState>()
  readonly budgets: BudgetsModel
  readonly events: Array<NodeEvent> = []
  readonly windows = new PermitWindows()
  readonly #nowMs: () => number
  readonly #breaks: ModelBreaks
  readonly #listeners: ModelListeners

  constructor(nowMs: () => number, listeners: ModelListeners, breaks: ModelBreaks = {}) {
    this.#nowMs = nowMs
    this.#listeners = listeners
    this.#breaks = breaks
    this.nodes = new NodesModel(nowMs, listeners.onGone, breaks)
    this.budgets = new BudgetsModel((id) => this.isLiving(id), breaks)
  }

  register(token: string, former: ReadonlyArray<string>): Registration {
    const { id, seen, slot } = this.nodes.register(token, former, this.#latestEventId)
    return { id, slot, token, renewals: 0, eventId: seen }
  }

  beat(id: number, seen: bigint, toldAtMs: number | undefined): Beat | undefined {
    const liveNodes = this.nodes.renew(id, seen, toldAtMs)
    if (liveNodes === undefined) return undefined
    const recalled = [...(this.recalls.get(id) ?? [])]
    return { renewals: 0, liveNodes, latestEventId: this.#latestEventId, recalled, atMs: this.#nowMs() }
  }

  leave(id: number): void {
    const node = this.nodes.present(id)
    if (node !== undefined) this.nodes.end(node)
  }

  eventsAfter(id: bigint): ReadonlyArray<NodeEvent> {
    return this.events.slice(Number(id), Number(id) + 1_000)
  }

  /** `undefined`: the session or its node is over. */
  claim(
    id: number,
    session: number,
    asks: ReadonlyMap<AccountId, WaitingAsk>
  ): ReadonlyArray<EscrowClaim> | undefined {
    if (!this.nodes.hasSession(id, session)) return undefined
    const isAlone = this.nodes.living.length === 1
    const claims: Array<EscrowClaim> = []
    let recallsAny = false
    for (const [accountId, ask] of asks) {
      const wallet = this.wallets.get(accountId)
      if (wallet === undefined) continue
      const others = [...wallet.escrows].filter(([node]) => node !== id && this.isLiving(node))
      const free = this.freeOf(wallet)
      const othersIdle = others.some(([, { exact }]) => !exact)
      const isAhead = this.nodes.rows.get(id)!.renewedAtMs > this.#nowMs() + 1_000
      const unheard = others.reduce((sum, [node, { amount }]) => {
        const behindMs = this.#nowMs() - this.nodes.rows.get(node)!.renewedAtMs
        const isHeard =
          this.#breaks.believesUnheard === true ||
          (behindMs <= Math.floor(ask.waitedMs) && behindMs >= -1_000 && !isAhead)
        return isHeard || amount <= 0n ? sum : sum + amount
      }, 0n)
      const state = { free, othersIdle, unheard, isAlone }
      const { granted, isExact, isPending, isUnheard } = grantOf(ask, state)
      const canGive = free >= (ask.minimum > 1n ? ask.minimum : 1n) || othersIdle
      const mine = wallet.escrows.get(id) ?? newEscrow()
      if (canGive) {
        this.#bookGone(wallet)
        wallet.escrows.set(id, mine)
        mine.amount += granted
        mine.flying += granted
        mine.exact &&= isExact
      }
      if (isPending) {
        for (const [node, { exact }] of others)
          recallsAny = (!exact && this.#recall(node, accountId)) || recallsAny
      }
      claims.push({
        accountId,
        granted,
        amount: mine.amount,
        isExact,
        isPending,
        isUnheard,
        elsewhere: others.reduce((sum, [, { amount }]) => sum + amount, 0n),
        free: free - granted,
        active: wallet.active
      })
    }
    if (recallsAny) this.#listeners.onNotice()
    return claims
  }

  commit(id: number, session: number, { escrows, records }: CallBatch): boolean {
    if (!this.nodes.hasSession(id, session)) return false
    const spent = new Map<AccountId, bigint>()
    const fresh: Array<CallRecord> = []
    for (const record of records) {
      if (this.calls.has(record.callId)) continue
      fresh.push(record)
      this.calls.set(record.callId, record)
      if (record.cost > 0n) spent.set(record.accountId, (spent.get(record.accountId) ?? 0n) + record.cost)
    }
    for (const { accountId, amount, isExact } of escrows) {
      const row = this.#escrowOf(accountId, id)
      row.flying = 0n
      row.amount = amount
      row.exact = isExact
    }
    for (const [accountId, cost] of spent) this.#escrowOf(accountId, id).spent += cost
    this.budgets.committed(fresh)
    this.#listeners.onCommitted(id, fresh)
    return true
  }

  giveBack(
    id: number,
    session: number,
    escrows: ReadonlyArray<Escrow>,
    recalled: ReadonlyArray<AccountId>
  ): void {
    if (!this.nodes.hasSession(id, session)) return
    for (const { accountId, amount, isExact } of escrows) {
      const row = this.wallets.get(accountId)?.escrows.get(id)
      if (row === undefined) continue
      row.flying = 0n
      row.amount = amount
      row.exact = isExact
    }
    for (const accountId of recalled) this.recalls.get(id)?.delete(accountId)
  }

  returnWallets(id: number, session: number, accountIds: ReadonlyArray<AccountId>): void {
    if (!this.nodes.hasSession(id, session)) return
    for (const accountId of accountIds) {
      const wallet = this.wallets.get(accountId)
      const row = wallet?.escrows.get(id)
      if (wallet === undefined || row === undefined) continue
      wallet.booked -= row.spent
      wallet.escrows.delete(id)
    }
  }

  /** `undefined`: the session or its node is over. */
  holdBudgets(
    id: number,
    session: number,
    asks: ReadonlyArray<BudgetAsk>
  ): ReadonlyArray<BudgetHold> | undefined {
    return this.nodes.hasSession(id, session) ? this.budgets.hold(id, asks) : undefined
  }

  takePermits(asks: ReadonlyArray<PermitAsk>): ReadonlyArray<Permit> {
    // Not in the order of the asks.
    return asks
      .toSorted((one, other) => (one.keyId < other.keyId ? -1 : 1))
      .map((ask) => this.windows.take(ask, this.#nowMs()))
  }

  loadKeys(keyIds: ReadonlyArray<KeyId>): ReadonlyArray<KeyState> {
    return keyIds.flatMap((keyId) => this.keys.get(keyId) ?? [])
  }

  findCalls(records: ReadonlyArray<CallRecord>): ReadonlySet<CallId> {
    return new Set(records.map(({ callId }) => callId).filter((callId) => this.calls.has(callId)))
  }

  /** The node has heard what it was granted. */
  arrived(id: number, { accountId, granted }: EscrowClaim): void {
    const row = this.wallets.get(accountId)?.escrows.get(id)
    if (row !== undefined) row.flying = row.flying > granted ? row.flying - granted : 0n
  }

  /** µVND of which nodes that live do not know yet that it is theirs. */
  flyingOf({ escrows }: WalletRow): bigint {
    let flying = 0n
    for (const [id, row] of escrows) if (this.isLiving(id)) flying += row.flying
    return flying
  }

  /** What operators do. */
  credit(accountId: AccountId, amount: bigint): bigint {
    this.wallets.get(accountId)!.booked += amount
    return this.tell("wallet", accountId)
  }

  tell(kind: string, subject: string): bigint {
    const id = this.#latestEventId + 1n
    this.events.push({ id, kind, subject })
    this.#listeners.onNotice()
    return id
  }

  /** Every node that lives has acted upon it. */
  isTold(eventId: bigint): boolean {
    return this.nodes.living.every(({ seen }) => seen >= eventId)
  }

  balanceOf({ booked, escrows }: WalletRow): bigint {
    let balance = booked
    for (const { spent } of escrows.values()) balance -= spent
    return balance
  }

  /** What no node has; below zero when nodes have more than there is. */
  freeOf(wallet: WalletRow): bigint {
    let free = this.balanceOf(wallet)
    for (const [id, { amount }] of wallet.escrows) if (this.isLiving(id)) free -= amount
    return free
  }

  isLiving(id: number): boolean {
    return this.nodes.present(id) !== undefined
  }

  get #latestEventId(): bigint {
    return BigInt(this.events.length)
  }

  #bookGone(wallet: WalletRow): void {
    for (const [id, { spent }] of wallet.escrows) {
      if (this.isLiving(id)) continue
      wallet.booked -= spent
      wallet.escrows.delete(id)
    }
  }

  #escrowOf(accountId: AccountId, id: number): EscrowRow {
    const { escrows } = this.wallets.get(accountId)!
    const row = escrows.get(id) ?? newEscrow()
    escrows.set(id, row)
    return row
  }

  /** Answers whether it was not recalled yet. */
  #recall(id: number, accountId: AccountId): boolean {
    const recalled = this.recalls.get(id) ?? new Set()
    this.recalls.set(id, recalled)
    if (recalled.has(accountId)) return false
    recalled.add(accountId)
    return true
  }
}
