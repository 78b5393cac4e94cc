/** What the database is told of this node's wallets: what it has of them, and what it claims anew when it is a new node. */
import { Effect } from "effect"
import type { Wallets } from "../../actors/Wallets.ts"
import type { WaitingAsk } from "../../domain/escrow.ts"
import type { AccountId, CallId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Escrow, EscrowClaim } from "../../storage/EscrowStore.ts"
import type { SessionFailed } from "../session.ts"
import type { JournalSession } from "../journal/JournalStore.ts"
import type { QueuedCall, ReclaimQueue, WalletOwner } from "../journal/queued-calls.ts"

/** How many wallets one statement claims. */
const reclaimedAtOnce = 1_000

/** What of a wallet must be claimed anew, in this order. */
interface Needs {
  /** µVND of calls whose callers have had their answers. */
  promised: MicroVnd
  /** Calls that have ended and wait for their commit. */
  readonly ended: Array<QueuedCall>
  /** µVND that open calls hold. */
  held: MicroVnd
}

export class WalletBooks implements Omit<WalletOwner, "begin"> {
  readonly #wallets: Wallets
  readonly #recalled = new Set<AccountId>()

  constructor(wallets: Wallets) {
    this.#wallets = wallets
  }

  /** Others lack what lies idle here. */
  recall(accountIds: Iterable<AccountId>): void {
    for (const accountId of accountIds) {
      this.#wallets.recall(accountId)
      this.#recalled.add(accountId)
    }
  }

  takeRecalled(): ReadonlyArray<AccountId> {
    const recalled = [...this.#recalled]
    this.#recalled.clear()
    return recalled
  }

  escrows(costs: ReadonlyMap<AccountId, MicroVnd>): ReadonlyArray<Escrow> {
    const escrows: Array<Escrow> = []
    const tell = (accountId: AccountId, cost: MicroVnd) => {
      const escrow = this.#wallets.escrowOf(accountId, cost)
      if (escrow !== undefined) escrows.push(escrow)
    }
    for (const [accountId, cost] of costs) tell(accountId, cost)
    for (const accountId of this.#wallets.takeIdle()) if (!costs.has(accountId)) tell(accountId, 0n)
    return escrows
  }

  notTold(escrows: ReadonlyArray<Escrow>): void {
    for (const { accountId } of escrows) this.#wallets.tellAnew(accountId)
  }

  reclaim(session: JournalSession, queue: ReclaimQueue): Effect.Effect<void, SessionFailed> {
    return Effect.gen({ self: this }, function* () {
      const records = queue.calls.filter(({ attempted }) => attempted).map(({ record }) => record)
      const known =
        records.length === 0
          ? new Set<CallId>()
          : yield* session.run("find calls", (store) => store.findCalls(records))
      const isKnown = ({ record }: QueuedCall) => known.has(record.callId)
      queue.settleKnown(new Set(queue.calls.filter(isKnown)))
      const needs = this.#needs(queue.calls.filter((call) => !isKnown(call)))
      const accountIds = [...needs.keys()]
      for (let first = 0; first < accountIds.length; first += reclaimedAtOnce) {
        const asks = new Map<AccountId, WaitingAsk>()
        for (const accountId of accountIds.slice(first, first + reclaimedAtOnce)) {
          asks.set(accountId, { wanted: sumOf(needs.get(accountId)!), minimum: -1n, waitedMs: 0 })
        }
        const claims = yield* session.run("claim what calls hold", (store) => store.claim(asks))
        for (const claim of claims) this.#cover(needs.get(claim.accountId)!, claim, queue)
      }
    })
  }

  #needs(calls: ReadonlyArray<QueuedCall>): ReadonlyMap<AccountId, Needs> {
    const needs = new Map<AccountId, Needs>()
    const of = (accountId: AccountId): Needs => {
      const known = needs.get(accountId)
      if (known !== undefined) return known
      const none: Needs = { promised: 0n, ended: [], held: 0n }
      needs.set(accountId, none)
      return none
    }
    for (const call of calls) {
      const { accountId, cost } = call.record
      if (call.spooled) of(accountId).promised += cost
      else of(accountId).ended.push(call)
    }
    for (const [accountId, held] of this.#wallets.heldByWallet()) {
      if (held > 0n) of(accountId).held += held
    }
    return needs
  }

  /** Calls that have ended are charged in their order, as far as it goes; what is left is what open ones hold. */
  #cover({ ended, promised }: Needs, { accountId, amount, isExact }: EscrowClaim, queue: ReclaimQueue): void {
    let left = amount - promised
    const unpaid = new Set<QueuedCall>()
    for (const call of ended) {
      if (call.record.cost <= left) left -= call.record.cost
      else unpaid.add(call)
    }
    queue.leaveUnpaid(unpaid)
    this.#wallets.cover(accountId, left, isExact)
  }
}

const sumOf = ({ ended, held, promised }: Needs): MicroVnd =>
  ended.reduce((sum, { record }) => sum + record.cost, promised + held)
