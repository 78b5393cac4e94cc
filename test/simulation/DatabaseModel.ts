/**
 * What the SQL functions of the ledger do (0020-escrow.sql and its stores), as plain maps: each function is one statement,
 * done at one moment. That both answer alike is tested on PostgreSQL (`model.system.test.ts`).
 */
import type { CallRecord } from "../../src/domain/call.ts"
import { type EscrowAsk, grantOf } from "../../src/domain/escrow.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { CallBatch } from "../../src/storage/commit-calls.ts"
import type { Escrow, EscrowClaim } from "../../src/storage/EscrowStore.ts"
import type { KeyState } from "../../src/storage/LedgerStore.ts"
import type { Permit, PermitAsk } from "../../src/storage/LimitStore.ts"
import { type Beat, leaseMs, type NodeEvent, type Registration } from "../../src/storage/NodeStore.ts"
import type { EscrowRow, ModelBreaks, ModelListeners, NodeRow, WalletRow } from "./model-rows.ts"
import { takeFromWindow, type Window } from "./permit-window.ts"

export class DatabaseModel {
  readonly nodes = new Map<number, NodeRow>()
  readonly wallets = new Map<AccountId, WalletRow>()
  readonly recalls = new Map<number, Set<AccountId>>()
  readonly calls = new Map<CallId, CallRecord>()
  readonly keys = new Map<KeyId, KeyState>()
  readonly events: Array<NodeEvent> = []
  readonly #windows = new Map<KeyId, Window>()
  readonly #nowMs: () => number
  readonly #breaks: ModelBreaks
  readonly #listeners: ModelListeners

  constructor(nowMs: () => number, listeners: ModelListeners, breaks: ModelBreaks = {}) {
    this.#nowMs = nowMs
    this.#listeners = listeners
    this.#breaks = breaks
  }

  register(token: string, former: ReadonlyArray<string>): Registration {
    const began = this.#nowMs()
    for (const node of this.nodes.values()) if (former.includes(node.token)) this.#end(node)
    const slots = new Set([...this.#living].map(({ slot }) => slot))
    let slot = 0
    while (slots.has(slot)) slot++
    const id = this.nodes.size + 1
    const seen = this.#latestEventId
    this.nodes.set(id, {
      id,
      token,
      slot,
      session: 0,
      endJournal: undefined,
      leaseUntilMs: began + leaseMs,
      steadySinceMs: began,
      seen,
      goneAtMs: undefined
    })
    return { id, slot, eventId: seen }
  }

  beat(id: number, seen: bigint): Beat | undefined {
    const began = this.#nowMs()
    const node = this.#present(id)
    if (node === undefined) return undefined
    if (seen > node.seen) node.seen = seen
    if (node.leaseUntilMs < began + leaseMs / 2) node.steadySinceMs = began
    node.leaseUntilMs = began + leaseMs
    const isSteady = this.#breaks.declaresWithoutSteadiness === true || node.steadySinceMs < began - leaseMs
    if (isSteady) for (const each of this.#living) if (each.leaseUntilMs < began) this.#end(each)
    const liveNodes = [...this.#living].filter((each) => each.leaseUntilMs >= began).length
    return {
      liveNodes,
      latestEventId: this.#latestEventId,
      recalled: [...(this.recalls.get(id) ?? [])]
    }
  }

  leave(id: number): void {
    const node = this.#present(id)
    if (node !== undefined) this.#end(node)
  }

  eventsAfter(id: bigint): ReadonlyArray<NodeEvent> {
    return this.events.slice(Number(id), Number(id) + 1_000)
  }

  beginJournal(id: number, endJournal: () => void): number | undefined {
    const node = this.#present(id)
    if (node === undefined) return undefined
    node.endJournal = endJournal
    return ++node.session
  }

  /** `undefined`: the session or its node is over. */
  claim(
    id: number,
    session: number,
    asks: ReadonlyMap<AccountId, EscrowAsk>
  ): ReadonlyArray<EscrowClaim> | undefined {
    if (!this.#isPresent(id, session)) return undefined
    const isAlone = [...this.#living].length === 1
    const claims: Array<EscrowClaim> = []
    let recallsAny = false
    for (const [accountId, ask] of asks) {
      const wallet = this.wallets.get(accountId)
      if (wallet === undefined) continue
      this.#bookGone(wallet)
      const others = [...wallet.escrows].filter(([node]) => node !== id)
      const free = this.freeOf(wallet)
      const othersIdle = others.some(([, { exact }]) => !exact)
      const { granted, isExact, isPending } = grantOf(ask, { free, othersIdle, isAlone })
      const mine = wallet.escrows.get(id) ?? { amount: 0n, spent: 0n, exact: isExact }
      wallet.escrows.set(id, mine)
      mine.amount += granted
      mine.exact = isExact
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
        elsewhere: others.reduce((sum, [, { amount }]) => sum + amount, 0n),
        free: free - granted,
        active: wallet.active
      })
    }
    if (recallsAny) this.#listeners.onNotice()
    return claims
  }

  commit(id: number, session: number, { escrows, records }: CallBatch): boolean {
    if (!this.#isPresent(id, session)) return false
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
      row.amount = amount
      row.exact = isExact
    }
    for (const [accountId, cost] of spent) this.#escrowOf(accountId, id).spent += cost
    this.#listeners.onCommitted(id, fresh)
    return true
  }

  giveBack(
    id: number,
    session: number,
    escrows: ReadonlyArray<Escrow>,
    recalled: ReadonlyArray<AccountId>
  ): void {
    if (!this.#isPresent(id, session)) return
    for (const { accountId, amount, isExact } of escrows) {
      const row = this.wallets.get(accountId)?.escrows.get(id)
      if (row === undefined) continue
      row.amount = amount
      row.exact = isExact
    }
    for (const accountId of recalled) this.recalls.get(id)?.delete(accountId)
  }

  returnWallets(id: number, session: number, accountIds: ReadonlyArray<AccountId>): void {
    if (!this.#isPresent(id, session)) return
    for (const accountId of accountIds) {
      const wallet = this.wallets.get(accountId)
      const row = wallet?.escrows.get(id)
      if (wallet === undefined || row === undefined) continue
      wallet.booked -= row.spent
      wallet.escrows.delete(id)
    }
  }

  takePermits(asks: ReadonlyArray<PermitAsk>): ReadonlyArray<Permit> {
    return asks.map((ask) => {
      const window = this.#windows.get(ask.keyId) ?? []
      this.#windows.set(ask.keyId, window)
      return takeFromWindow(window, ask, this.#nowMs())
    })
  }

  loadKeys(keyIds: ReadonlyArray<KeyId>): ReadonlyArray<KeyState> {
    return keyIds.flatMap((keyId) => this.keys.get(keyId) ?? [])
  }

  findCalls(records: ReadonlyArray<CallRecord>): ReadonlySet<CallId> {
    return new Set(records.map(({ callId }) => callId).filter((callId) => this.calls.has(callId)))
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
    return this.#living.every(({ seen }) => seen >= eventId)
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
    return this.#present(id) !== undefined
  }

  get #latestEventId(): bigint {
    return BigInt(this.events.length)
  }

  get #living(): ReadonlyArray<NodeRow> {
    return [...this.nodes.values()].filter(({ goneAtMs }) => goneAtMs === undefined)
  }

  #present(id: number): NodeRow | undefined {
    const node = this.nodes.get(id)
    return node?.goneAtMs === undefined ? node : undefined
  }

  #isPresent(id: number, session: number): boolean {
    const node = this.#present(id)
    if (node === undefined) return false
    return node.session === session || this.#breaks.acceptsStaleSessions === true
  }

  #end(node: NodeRow): void {
    if (node.goneAtMs !== undefined) return
    node.goneAtMs = this.#nowMs()
    this.#listeners.onGone(node)
    node.endJournal?.()
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
    const row = escrows.get(id) ?? { amount: 0n, spent: 0n, exact: true }
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
