/** What waits in the journal, and whose wallets it is of. */
import { Effect } from "effect"
import { type CallRecord, noExtras } from "../../domain/call.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Escrow } from "../../storage/EscrowStore.ts"
import type { SessionFailed } from "../session.ts"
import type { JournalSession, JournalStore } from "./JournalStore.ts"

/** What became of a record: durable, or left uncharged since what its call held was lost with the node's lease. */
export type Outcome = "committed" | "spooled" | "unpaid"

export interface QueuedCall {
  record: CallRecord
  readonly queuedAtMs: number
  readonly done: (outcome: Outcome) => void
  /** Charged to a wallet of this node; else left behind by a former process, and charged whatever the wallet has. */
  readonly isOwn: boolean
  /** Its caller has its answer: whatever comes, it is charged. */
  spooled: boolean
  /** Has been sent to the database: it may be there. */
  attempted: boolean
}

/** What else the journal's connection is used for, with no commit under way: claims, what is given back, look-ups. */
export interface BetweenCommits {
  readonly run: (store: JournalStore) => Promise<void>
  /** The turn has failed; this itself may have been done, or may yet be. */
  readonly failed: () => void
}

/** Whose wallets the journal writes. */
export interface WalletOwner {
  /** What the node has of the wallets that are charged by these costs, and of those of which something lies idle. */
  escrows(costs: ReadonlyMap<AccountId, MicroVnd>): ReadonlyArray<Escrow>
  /** Whether the database has heard of these is not known. */
  notTold(escrows: ReadonlyArray<Escrow>): void
  /** Wallets that others have asked for; asked once for each time. */
  takeRecalled(): ReadonlyArray<AccountId>
  /** Claims what open calls and the queue hold, for a node that is new. */
  reclaim(session: JournalSession, queue: ReclaimQueue): Effect.Effect<void, SessionFailed>
  /** Tells on each new session, before it serves, what a former one may not have told. */
  begin(session: JournalSession): Effect.Effect<void, SessionFailed>
}

/** Until somebody has said whose. */
export const noWallets: WalletOwner = {
  escrows: () => [],
  notTold: () => {},
  takeRecalled: () => [],
  reclaim: () => Effect.void,
  begin: () => Effect.void
}

export interface ReclaimQueue {
  readonly calls: ReadonlyArray<QueuedCall>
  /** They are in the database already. */
  settleKnown(calls: ReadonlySet<QueuedCall>): void
  /** They stay uncharged: rows of calls that failed. */
  leaveUnpaid(calls: ReadonlySet<QueuedCall>): void
}

/** What each wallet of this node is charged by these. */
export const costsOf = (batch: ReadonlyArray<QueuedCall>): ReadonlyMap<AccountId, MicroVnd> => {
  const costs = new Map<AccountId, MicroVnd>()
  for (const { isOwn, record } of batch) {
    if (!isOwn || record.cost === 0n) continue
    costs.set(record.accountId, (costs.get(record.accountId) ?? 0n) + record.cost)
  }
  return costs
}

/**
 * Whether what was sent is in the database is not known: its caller waits until it is. What failed and cost nothing is told as
 * it was, and what is left unpaid already is not left once more.
 */
export const canBeLeft = ({ attempted, isOwn, record: { cost, status } }: QueuedCall): boolean =>
  isOwn && !attempted && (cost > 0n || status < 400)

/** The call ends as one that the ledger could not serve. */
export const unpaidRow = (record: CallRecord): CallRecord => ({
  ...record,
  status: 503,
  errorType: "service_unavailable",
  inputTokens: 0,
  outputTokens: 0,
  units: 1,
  estimated: false,
  cost: 0n,
  extras: { ...noExtras, route: record.extras.route, attempts: record.extras.attempts }
})

/** SQLSTATE classes 22 and 23: the values are at fault, not the database. Repeating would fail for ever. */
export const isRefusal = (failure: SessionFailed): boolean => {
  const code = (failure.cause as { readonly code?: unknown } | null)?.code
  return typeof code === "string" && /^2[23]/.test(code)
}
