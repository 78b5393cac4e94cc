/** What the ledger is asked. */
import type { Effect } from "effect"
import type { Adopted } from "../../actors/allowances.ts"
import type { Wallets } from "../../actors/Wallets.ts"
import type { CallRecord } from "../../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../domain/ids.ts"
import type { LeaseDeadline } from "../bridge/LeaseDeadline.ts"
import type { Admission, Demand, KeyIdentity, RefusedAdmission } from "../bridge/protocol.ts"
import type { ThreadAllowances, WordAllowance } from "../bridge/ThreadAllowances.ts"
import type { Outcome } from "../journal/queued-calls.ts"
import type { StoredAnswers } from "./StoredAnswers.ts"

export interface HoldAsk extends Demand {
  readonly accountId: AccountId
  readonly callId: CallId
}

/** Functions whose names end in `Unsafe` decide when they are called; their answer is an `Exit` where that was possible. */
export interface LedgerShape {
  readonly wallets: Wallets
  readonly stored: StoredAnswers
  /** Until when this node may admit calls. */
  readonly deadline: LeaseDeadline
  /** Holds for a call, once, where its key may be used and its wallet and budgets cover the least that it asks for. */
  admitUnsafe(hold: HoldAsk & KeyIdentity): Effect.Effect<Admission>
  /** Adds to the hold of a call under way; what is granted is what was added. */
  extendUnsafe(hold: HoldAsk): Effect.Effect<Admission>
  /** Whether the key may be used; for a call that will cost, also whether its wallet has anything left. */
  checkUnsafe(key: KeyIdentity, callId: CallId | undefined): Effect.Effect<Admission>
  /** What a call holds out of the allowance of its thread becomes a hold of its own. */
  adopt(accountId: AccountId, adopted: Adopted): void
  /** Charges and logs a call, or only logs it when it cost nothing. `done` once that is durable, or will not be. */
  settle(record: CallRecord, done: (outcome: Outcome) => void): void
  /** Frees what a call held, where nothing is charged and nothing logged. */
  release(accountId: AccountId, callId: CallId): void
  /** Lets the thread hold for further calls of this key without asking; `undefined` where it has to ask. */
  allow(allowances: ThreadAllowances, call: Pick<HoldAsk, "wanted"> & KeyIdentity): WordAllowance | undefined
  /** What operators have done to the key counts from now on. */
  keyChanged(keyId: KeyId): void
  /** The account is disabled, or enabled again: that counts from now on for its wallet and for all its keys. */
  accountChanged(accountId: AccountId): void
  /** The wallet has been changed by others, as by a credit. */
  walletChanged(accountId: AccountId): void
  /** Other nodes lack what lies idle here of these wallets: it is given back, and nothing lies idle from now on. */
  recall(accountIds: Iterable<AccountId>): void
  /** Refuses all further admissions; `undefined`: admits again. */
  refuse(refusal: RefusedAdmission | undefined): void
  /** Forgets what nobody has used for some minutes, and gives back what it had of it. */
  putAwayIdle(nowMs: number): void
}
