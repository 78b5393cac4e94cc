/**
 * What gateway threads ask the ledger, and what it answers. Every question is addressed by account or key and idempotent
 * by call id. Amounts are µVND.
 */
import type { CallRecord } from "../../domain/call.ts"
import type { StoredItems } from "../../domain/stored-answer.ts"
import type { AccountId, CallId, KeyId } from "../../domain/ids.ts"
import type { BudgetHolder, KeyRules } from "../../domain/key-settings.ts"
import type { MicroVnd } from "../../domain/money.ts"

export interface KeyIdentity {
  readonly keyId: KeyId
  readonly accountId: AccountId
  /** The number of the secret: each that takes the place of another has the next. */
  readonly secret: number
}

export interface KeyReportAsk extends KeyIdentity {
  readonly report: "balance" | "usage" | "subscription" | "billing_usage"
  /** As the caller said it; empty where nothing was said. */
  readonly from: string
  readonly to: string
  readonly groupBy: string
}

/** JSON, or what is wrong with what was asked. */
export interface KeyReport {
  readonly isGood: boolean
  readonly text: string
}

/** What a call asks to be held for it. */
export interface Demand {
  /** Below this the call is refused. */
  readonly minimum: MicroVnd
  /** What the call would like to hold. */
  readonly wanted: MicroVnd
}

export type Question =
  /** Whose key is it, by the SHA-256 of its secret. */
  | { readonly _tag: "Identify"; readonly secretHash: Uint8Array }
  /** Holds for a call before it goes upstream. */
  | ({ readonly _tag: "Admit"; readonly callId: CallId } & KeyIdentity & Demand)
  /** Adds to the hold of a stream. `fromAllowance`: what the call has held so far out of its thread's allowance. */
  | ({
      readonly _tag: "Extend"
      readonly accountId: AccountId
      readonly callId: CallId
      readonly fromAllowance: MicroVnd
    } & Demand)
  /** Charges and logs a call, or only logs what cost nothing, and frees its hold. */
  | { readonly _tag: "Settle"; readonly record: CallRecord; readonly fromAllowance: MicroVnd }
  /** May this key be used; with a call's id, has its wallet anything left for it. Nothing is held. */
  | ({ readonly _tag: "Check"; readonly callId: CallId | undefined } & KeyIdentity)
  /** What there is to say of the key's money. */
  | ({ readonly _tag: "Report" } & KeyReportAsk)
  /** Did a call of this account store an answer under this id. */
  | { readonly _tag: "FindStoredCall"; readonly accountId: AccountId; readonly storedIdHash: Uint8Array }
  /** Did calls of this account store items under these ids. */
  | {
      readonly _tag: "FindStoredItems"
      readonly accountId: AccountId
      readonly hashes: ReadonlyArray<Uint8Array>
    }

/** Answers `Admit`, `Extend` and `Check`. */
export type Admission =
  | Admitted
  | { readonly _tag: "Limited"; readonly retryAfterMs: number }
  /** That budget does not cover it until then, ms since 1970; `undefined`: it does not begin anew. */
  | { readonly _tag: "OverBudget"; readonly of: BudgetHolder; readonly resetsAtMs: number | undefined }
  /** `message`: what operators say of it. */
  | { readonly _tag: "Maintenance"; readonly message?: string | undefined }
  | { readonly _tag: Refusal }

export type RefusedAdmission = Exclude<Admission, Admitted>

export interface Admitted {
  readonly _tag: "Admitted"
  readonly granted: MicroVnd
  /** What the call must keep to, where anything is set on its key. */
  readonly rules?: KeyRules | undefined
}

type Refusal = "Revoked" | "Paused" | "Expired" | "Insufficient" | "Unavailable" | "Draining"

/** Where a thread finds an allowance: the number of its word, and which generation of that it may take from. */
export interface AllowancePlace {
  readonly index: number
  readonly generation: number
}

export type Answer =
  | Exclude<Admission, Admitted>
  /** With an allowance the thread may hold for further calls of this key by itself. */
  | (Admitted & { readonly allowance?: AllowancePlace | undefined })
  /** `undefined`: nobody's. */
  | { readonly _tag: "Identified"; readonly identity: KeyIdentity | undefined }
  /** Committed, or spooled while the database is away. */
  | { readonly _tag: "Settled" }
  /** Not charged: what the call held had been lost with the node's lease. Its answer must not go out. */
  | { readonly _tag: "Unpaid" }
  | ({ readonly _tag: "Report" } & KeyReport)
  /** Tokens of the call that stored the answer; `undefined`: there is none. */
  | { readonly _tag: "StoredCall"; readonly tokens: number | undefined }
  | ({ readonly _tag: "StoredItems" } & StoredItems)

/** 0 stands for a question that waits for no answer. */
export interface Asked {
  readonly id: number
  readonly question: Question
}

export interface Answered {
  readonly id: number
  readonly answer: Answer
}
