/** What a bank transfer means for the order it names. Pure: the caller has locked the orders and stores the verdict. */
import type { AccountId } from "./ids.ts"
import type { MicroVnd } from "./money.ts"
import { fromVnd } from "./money.ts"

export const topUpMinimumVnd = 50_000n
export const topUpMaximumVnd = 500_000_000n

/** No transfer brings more; whatever tells of more is for an operator to look into. */
export const transferMax: MicroVnd = fromVnd(1_000_000_000_000n)

/** How long a pay page is shown as waiting. The code itself is good for ever. */
export const orderDisplayMs = 30 * 60_000

export interface TopUpOrder {
  readonly id: string
  readonly accountId: AccountId
  readonly code: string
  readonly amount: MicroVnd
  readonly status: "pending" | "paid"
  readonly expiresAtMs: number
}

/** What people are told of it; one that is paid after all is `paid`. */
export const shownStatus = (
  { expiresAtMs, status }: Pick<TopUpOrder, "expiresAtMs" | "status">,
  nowMs: number
): "pending" | "paid" | "expired" => (status === "pending" && expiresAtMs < nowMs ? "expired" : status)

export type TransferFlag = "amount_differs" | "late_or_extra"

export type UnmatchedNote =
  | "no_order"
  | "several_orders"
  | "account_closed"
  | "amount_beyond_belief"
  | "told_otherwise"
  | "other_account"

export type Verdict =
  | { readonly _tag: "Credited"; readonly order: TopUpOrder; readonly flags: ReadonlyArray<TransferFlag> }
  | { readonly _tag: "Unmatched"; readonly note: UnmatchedNote }
  | { readonly _tag: "Ignored"; readonly note: "outgoing" | "other_account" | "no_amount" }

export interface Arrival {
  readonly direction: "in" | "out"
  readonly amount: MicroVnd
  /** The account number and, where the bank has them, the virtual one. */
  readonly bankAccounts: ReadonlyArray<string>
}

export interface Circumstances {
  /** `undefined`: it is known to be ours. */
  readonly ourAccount: string | undefined
  /** Those whose code stands in the memo. */
  readonly orders: ReadonlyArray<TopUpOrder>
  /** The account of the only one has been closed by its owner: nobody is there to spend what it brings. */
  readonly isAccountClosed: boolean
  /** It looks like a transfer that was told of before under another id. */
  readonly isToldOtherwise: boolean
  readonly nowMs: number
}

/** Credited is always what arrived, whatever was ordered. */
export const judgeTransfer = (
  arrival: Arrival,
  { isAccountClosed, isToldOtherwise, nowMs, orders, ourAccount }: Circumstances
): Verdict => {
  if (arrival.direction === "out") return { _tag: "Ignored", note: "outgoing" }
  if (arrival.amount <= 0n) return { _tag: "Ignored", note: "no_amount" }
  if (ourAccount !== undefined && !isInto(ourAccount, arrival)) {
    // Whoever knows a code of ours has paid us: our account has changed, or is set wrong.
    return { _tag: orders.length > 0 ? "Unmatched" : "Ignored", note: "other_account" }
  }
  if (arrival.amount > transferMax) return { _tag: "Unmatched", note: "amount_beyond_belief" }
  if (isToldOtherwise) return { _tag: "Unmatched", note: "told_otherwise" }
  const [order, another] = orders
  if (order === undefined) return { _tag: "Unmatched", note: "no_order" }
  if (another !== undefined) return { _tag: "Unmatched", note: "several_orders" }
  if (isAccountClosed) return { _tag: "Unmatched", note: "account_closed" }
  const flags: Array<TransferFlag> = []
  if (arrival.amount !== order.amount) flags.push("amount_differs")
  if (order.status === "paid" || nowMs > order.expiresAtMs) flags.push("late_or_extra")
  return { _tag: "Credited", order, flags }
}

/** Whether one of its accounts is this one, however each is written. */
export const isInto = (account: string, { bankAccounts }: Pick<Arrival, "bankAccounts">): boolean =>
  bankAccounts.some((entered) => plain(entered) === plain(account))

const plain = (account: string) => account.replace(/[^0-9A-Za-z]/g, "").toUpperCase()

export type AmountProblem = "not_a_number" | "too_small" | "too_large"

/** Checks what a customer typed: whole dong within the limits. */
export const readTopUpAmount = (
  amount: unknown
): { readonly amount: MicroVnd } | { readonly problem: AmountProblem } => {
  if (typeof amount !== "number" || !Number.isSafeInteger(amount)) return { problem: "not_a_number" }
  if (BigInt(amount) < topUpMinimumVnd) return { problem: "too_small" }
  if (BigInt(amount) > topUpMaximumVnd) return { problem: "too_large" }
  return { amount: fromVnd(BigInt(amount)) }
}
