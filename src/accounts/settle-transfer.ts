/** An operator says what becomes of an unmatched transfer, with their name and reason in the audit log. */
import type { AuditAction } from "../domain/audit-actions.ts"
import type { AccountId } from "../domain/ids.ts"
import { decideStep, type StepState, type TransferStep } from "../domain/transfer-steps.ts"
import { isAccountClosed } from "../storage/AccountStore.ts"
import type { Sql, Transaction } from "../storage/Database.ts"
import { recordAction } from "../storage/record-action.ts"
import { creditTransfer, lockOrders, markOrderPaid } from "../storage/payments/TopUpStore.ts"
import {
  creditIdOf,
  lockTransfer,
  settleTransfer,
  type Transfer,
  transferName
} from "../storage/payments/TransferStore.ts"

export interface Settlement {
  readonly transferId: string
  /** The operator. */
  readonly actor: string
  readonly reason: string
}

export interface Assignment extends Settlement {
  readonly accountId: AccountId
  /** The order that it pays, which must be the account's. */
  readonly orderCode?: string | undefined
}

export type SettlementOutcome =
  | "done"
  | "no transfer"
  | "assigned"
  | "settled"
  | "no amount"
  | "no order"
  | "account closed"

/** Credits it, by the same ledger path as a transfer that names its order. */
export const assignTransfer = (sql: Sql, assignment: Assignment): Promise<SettlementOutcome> =>
  settle(sql, assignment, { _tag: "Assign" }, async (transaction, transfer) => {
    const { accountId, actor, orderCode, reason } = assignment
    if (transfer.amount <= 0n) return "no amount"
    if (await isAccountClosed(transaction, accountId)) return "account closed"
    const [order] = await lockOrders(transaction, orderCode === undefined ? [] : [orderCode])
    if (orderCode !== undefined && order?.accountId !== accountId) return "no order"
    await settleTransfer(transaction, transfer.id, {
      status: "credited",
      note: reason,
      flags: transfer.flags,
      orderId: order?.id,
      accountId,
      assignedBy: actor
    })
    await recordAction(transaction, {
      actor,
      action: "transfer.assign",
      subject: transferName(transfer),
      detail: { account_id: accountId, reason, amount_micro_vnd: String(transfer.amount) }
    })
    if (order !== undefined) await markOrderPaid(transaction, order.id, transfer.amount)
    await creditTransfer(transaction, {
      accountId,
      creditId: creditIdOf(transfer),
      amount: transfer.amount,
      reason,
      actor
    })
    return "done"
  })

/** Marks it as given back by the transfer that `reference` names, or as to be given back where that is empty. */
export const returnTransfer = (sql: Sql, settlement: Settlement & { readonly reference: string }) =>
  close(sql, settlement, {
    step: { _tag: "Return", reference: settlement.reference },
    action: "transfer.return"
  })

export const dismissTransfer = (sql: Sql, settlement: Settlement) =>
  close(sql, settlement, { step: { _tag: "Dismiss" }, action: "transfer.dismiss" })

/** Takes a return or a dismissal back: it waits again. */
export const reopenTransfer = (sql: Sql, settlement: Settlement) =>
  close(sql, settlement, { step: { _tag: "Reopen" }, action: "transfer.reopen" })

interface Closing {
  readonly step: Exclude<TransferStep, { readonly _tag: "Assign" | "TakeBack" }>
  readonly action: AuditAction
}

const close = (sql: Sql, settlement: Settlement, { action, step }: Closing): Promise<SettlementOutcome> =>
  settle(sql, settlement, step, async (transaction, transfer, { returnReference, status }) => {
    const { actor, reason } = settlement
    await settleTransfer(transaction, transfer.id, {
      status,
      note: reason,
      flags: transfer.flags,
      orderId: undefined,
      accountId: undefined,
      assignedBy: actor,
      returnReference
    })
    await recordAction(transaction, {
      actor,
      action,
      subject: transferName(transfer),
      detail: { reason, from: transfer.status, to: status, return_reference: returnReference }
    })
    return "done"
  })

/** Under the transfer's lock, so that of two who act at once the second meets what the first did. What was done before is done. */
const settle = (
  sql: Sql,
  { transferId }: Settlement,
  step: TransferStep,
  act: (transaction: Transaction, transfer: Transfer, next: StepState) => Promise<SettlementOutcome>
): Promise<SettlementOutcome> =>
  sql.begin(async (transaction): Promise<SettlementOutcome> => {
    const transfer = await lockTransfer(transaction, transferId)
    if (transfer === undefined) return "no transfer"
    const next = decideStep(transfer, step)
    if (next === "same") return "done"
    return typeof next === "string" ? next : act(transaction, transfer, next)
  })
