/** What the journal does in the database, over one connection: in SQL by `storage`, by a plain model in simulations. */
import type { Effect, Scope } from "effect"
import type { CallRecord } from "../../domain/call.ts"
import type { StoredItems } from "../../domain/stored-answer.ts"
import type { WaitingAsk } from "../../domain/escrow.ts"
import type { AccountId, CallId, KeyId } from "../../domain/ids.ts"
import type { BudgetAsk, BudgetHold } from "../../storage/keys/BudgetStore.ts"
import type { CallBatch } from "../../storage/calls/commit-calls.ts"
import type { Escrow, EscrowClaim } from "../../storage/EscrowStore.ts"
import type { KeyState } from "../../storage/LedgerStore.ts"
import type { Permit, PermitAsk } from "../../storage/keys/LimitStore.ts"
import type { Node } from "../../storage/NodeStore.ts"
import type { RunOn, SessionFailed } from "../session.ts"

/** Every function rejects when the connection is lost, and with `SessionOver` when the node has another session or none. */
export interface JournalStore {
  commit(batch: CallBatch): Promise<void>
  claim(asks: ReadonlyMap<AccountId, WaitingAsk>): Promise<ReadonlyArray<EscrowClaim>>
  giveBack(escrows: ReadonlyArray<Escrow>, recalled: ReadonlyArray<AccountId>): Promise<void>
  returnWallets(accountIds: ReadonlyArray<AccountId>): Promise<void>
  /** Which of these calls are in the log. */
  findCalls(records: ReadonlyArray<CallRecord>): Promise<ReadonlySet<CallId>>
  loadKeys(keyIds: ReadonlyArray<KeyId>): Promise<ReadonlyArray<KeyState>>
  takePermits(asks: ReadonlyArray<PermitAsk>): Promise<ReadonlyArray<Permit>>
  holdBudgets(asks: ReadonlyArray<BudgetAsk>): Promise<ReadonlyArray<BudgetHold>>
  releaseBudgets(callIds: ReadonlyArray<CallId>): Promise<void>
  findStoredCall(accountId: AccountId, storedIdHash: Uint8Array): Promise<number | undefined>
  findStoredItems(accountId: AccountId, hashes: ReadonlyArray<Uint8Array>): Promise<StoredItems>
  ping(): Promise<void>
}

/** The node counts as gone, or has begun another session. */
export class SessionOver extends Error {
  override readonly message = "the node counts as gone, or its journal has a newer session"
}

export interface JournalSession {
  readonly node: Node
  readonly run: RunOn<JournalStore>
}

export interface JournalConnector {
  /** `onLost`: the connection broke, or no longer answers. */
  readonly open: (node: Node, onLost: () => void) => Effect.Effect<JournalSession, SessionFailed, Scope.Scope>
}

/** An answer that takes longer counts as none: its outcome is unknown, and the work is repeated on a new connection. */
export const answerWithinMs = 5_000
