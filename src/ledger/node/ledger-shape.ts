/** What the ledger is asked. */
import type { Effect } from "effect"
import type { Keys } from "../../actors/Keys.ts"
import type { Wallets } from "../../actors/Wallets.ts"
import type { CallRecord } from "../../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { LeaseDeadline } from "../bridge/LeaseDeadline.ts"
import type { Admission, KeyIdentity, RefusedAdmission } from "../bridge/protocol.ts"
import type { ThreadAllowances, WordAllowance } from "../bridge/ThreadAllowances.ts"
import type { Outcome } from "../journal/queued-calls.ts"
import type { StoredAnswers } from "./StoredAnswers.ts"

export interface HoldAsk {
  readonly accountId: AccountId
  readonly callId: CallId
  readonly minimum: MicroVnd
  readonly wanted: MicroVnd
}

/** Functions whose names end in `Unsafe` decide when they are called; their answer is an `Exit` where that was possible. */
export interface LedgerShape {
  readonly wallets: Wallets
  readonly keys: Keys
  readonly stored: StoredAnswers
  /** Until when this node may admit calls. */
  readonly deadline: LeaseDeadline
  admitUnsafe(hold: HoldAsk & KeyIdentity): Effect.Effect<Admission>
  extendUnsafe(hold: HoldAsk): Effect.Effect<Admission>
  /** Whether the key may be used; for a call that will cost, also whether its wallet has anything left. */
  checkUnsafe(key: KeyIdentity, callId: CallId | undefined): Effect.Effect<Admission>
  /** What a call holds out of the allowance of its thread becomes a hold of its own. */
  adopt(
    accountId: AccountId,
    adopted: { readonly thread: number; readonly callId: CallId; readonly amount: MicroVnd }
  ): void
  /** Charges and logs a call, or only logs it when it cost nothing. `done` once that is durable, or will not be. */
  settle(record: CallRecord, done: (outcome: Outcome) => void): void
  release(accountId: AccountId, callId: CallId): void
  /** Lets the thread hold for further calls of this key without asking; `undefined` where it has to ask. */
  allow(allowances: ThreadAllowances, call: Pick<HoldAsk, "wanted"> & KeyIdentity): WordAllowance | undefined
  /** What operators have done to the key counts from now on. */
  keyChanged(keyId: KeyId): void
  /** The account is disabled, or enabled again: that counts from now on for its wallet and for all its keys. */
  accountChanged(accountId: AccountId): void
  /** Others have changed the wallet, or lack what lies idle here. */
  walletChanged(accountId: AccountId): void
  recall(accountIds: Iterable<AccountId>): void
  /** Refuses all further admissions; `undefined`: admits again. */
  refuse(refusal: RefusedAdmission | undefined): void
  /** Forgets what nobody has used for some minutes, and gives back what it had of it. */
  putAwayIdle(nowMs: number): void
}
