/** Topping up: an order with its code, and the bank transfers that pay it. Nothing is dropped, nothing credited twice. */
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { judgeTransfer, orderDisplayMs, transferMax, type Verdict } from "../domain/top-up.ts"
import { isAccountClosed } from "../storage/AccountStore.ts"
import type { Sql, Transaction } from "../storage/Database.ts"
import { lockOrderOfRequest } from "../storage/payments/PaymentRequestStore.ts"
import {
  creditTransfer,
  lockOrders,
  markOrderPaid,
  openOrder,
  type OrderRow
} from "../storage/payments/TopUpStore.ts"
import {
  amountOfTransfer,
  insertTransfer,
  type NewTransfer,
  settleTransfer,
  transferName,
  wasToldOtherwise
} from "../storage/payments/TransferStore.ts"
import type { BankTransfer } from "./banks/bank-transfer.ts"
import { findOrderCodes, makeOrderCode } from "./banks/order-code.ts"

/** The order a customer pays next: asking again for the same amount gives the same code. */
export const orderTopUp = (sql: Sql, accountId: AccountId, amount: MicroVnd): Promise<OrderRow> => {
  const code = makeOrderCode()
  return openOrder(sql, { id: `top_${code.slice(2)}`, code, accountId, amount }, orderDisplayMs)
}

export type Reception =
  | Verdict
  /** `differs`: with another amount than at first, which is the one that counts. */
  | { readonly _tag: "Duplicate"; readonly differs: boolean }

/** Stores the transfer and credits it where it belongs, in one transaction. Hearing of it again changes nothing. */
export const receiveTransfer = (
  sql: Sql,
  transfer: BankTransfer,
  heardBy: NewTransfer["heardBy"],
  ourAccount: string | undefined,
  nowMs: number
): Promise<Reception> =>
  sql.begin(async (transaction): Promise<Reception> => {
    // Too much to be money is kept as nothing: what the bank wrote stands beside it.
    const amount = transfer.amount > transferMax ? 0n : transfer.amount
    const told = { ...transfer, amount, heardBy, bankAccount: transfer.bankAccounts.join(" ") }
    const id = await insertTransfer(transaction, told)
    if (id === undefined)
      return { _tag: "Duplicate", differs: (await amountOfTransfer(transaction, transfer)) !== amount }
    const orders = await lockOrdersOf(transaction, transfer)
    // After the locks: of two that tell of it at once, one sees the other.
    const isToldOtherwise = await wasToldOtherwise(transaction, told, orders[0]?.id)
    const verdict = judgeTransfer(transfer, {
      ourAccount: transfer.request === undefined ? ourAccount : undefined,
      orders,
      isAccountClosed: orders[0] !== undefined && (await isAccountClosed(transaction, orders[0].accountId)),
      isToldOtherwise,
      nowMs
    })
    const credited = verdict._tag === "Credited" ? verdict : undefined
    await settleTransfer(transaction, id, {
      status:
        verdict._tag === "Credited" ? "credited" : verdict._tag === "Unmatched" ? "unmatched" : "ignored",
      note: verdict._tag === "Credited" ? "" : verdict.note,
      flags: credited?.flags ?? [],
      orderId: credited?.order.id,
      accountId: credited?.order.accountId,
      assignedBy: undefined
    })
    if (credited !== undefined) {
      await markOrderPaid(transaction, credited.order.id, transfer.amount)
      await creditTransfer(transaction, {
        accountId: credited.order.accountId,
        creditId: transferName(transfer),
        amount: transfer.amount,
        reason: `top-up ${credited.order.code}`,
        actor: transfer.provider
      })
    }
    return verdict
  })

const lockOrdersOf = async (transaction: Transaction, transfer: BankTransfer) => {
  const { memo, provider, request } = transfer
  const requested =
    request === undefined ? undefined : await lockOrderOfRequest(transaction, { provider, number: request })
  return requested === undefined ? lockOrders(transaction, findOrderCodes(memo)) : [requested]
}
