/** A transfer that was credited to the wrong account is taken back there, and waits for its owner again. */
import { Effect, Schema } from "effect"
import type { AccountId } from "../domain/ids.ts"
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { decideStep } from "../domain/transfer-steps.ts"
import { Database, type Sql, type Transaction } from "../storage/Database.ts"
import { dropInvoice } from "../storage/payments/InvoiceStore.ts"
import { forgetInstructions } from "../storage/payments/PaymentRequestStore.ts"
import {
  creditTransfer,
  hasTakenBack,
  lockOrder,
  markOrderUnpaid,
  pendingOrders,
  takingBackOf
} from "../storage/payments/TopUpStore.ts"
import {
  creditIdOf,
  lockTransfer,
  settleTransfer,
  type Transfer,
  transferName
} from "../storage/payments/TransferStore.ts"
import { recordAction } from "../storage/record-action.ts"
import { lockWallet } from "../storage/WalletStore.ts"
import { awaitNodes } from "./await-nodes.ts"
import type { Settlement, SettlementOutcome } from "./settle-transfer.ts"
import { showWallet } from "./wallet-credit.ts"

/** Calls have spent some of it, or hold it. */
export class CreditSpent extends Schema.TaggedError<CreditSpent>()("CreditSpent", {
  balanceVnd: Schema.String,
  heldVnd: Schema.String
}) {
  override get message() {
    return `The balance is ${this.balanceVnd} VND, of which calls under way hold ${this.heldVnd}: less than the transfer brought`
  }
}

interface TakingBack extends Settlement {
  /** That it is credited to: it may be another's by now. */
  readonly accountId: AccountId
}

/** Flags a transfer for which an account that it was taken back from may have an electronic invoice. */
const invoicedBefore = "invoiced_before"

/**
 * `invoiced`: an electronic invoice of it has been asked for, which stands. Once this returns, every node counts with
 * what is left; it fails with `CreditSpent` where too little is left.
 */
export const takeBackTransfer = Effect.fn("takeBackTransfer")(function* (request: TakingBack) {
  // Open calls have been promised what they hold, and will cost it.
  const { held } = yield* showWallet(request.accountId)
  const database = yield* Database
  const outcome = yield* (
    database
      .run("take back transfer", (sql) => takeBack(sql, request, held))
      // Another order of the amount was made meanwhile, which is seen the next time.
      .pipe(Effect.retry({ while: ({ constraint }) => constraint === pendingOrders, times: 3 }))
  )
  if (typeof outcome === "string") return outcome
  if (outcome._tag === "TooLittleLeft")
    return yield* new CreditSpent({ balanceVnd: formatVnd(outcome.balance), heldVnd: formatVnd(held) })
  yield* awaitNodes(outcome.eventId)
  return outcome.isInvoiced ? "invoiced" : "done"
})

type TakeBackOutcome =
  | SettlementOutcome
  | "invoiced"
  | { readonly _tag: "TooLittleLeft"; readonly balance: MicroVnd }
  | { readonly _tag: "TakenBack"; readonly eventId: bigint; readonly isInvoiced: boolean }

/** Locks in the order in which a transfer is received: the transfer, its order, the wallet. `held`: µVND. */
const takeBack = (sql: Sql, request: TakingBack, held: MicroVnd): Promise<TakeBackOutcome> =>
  sql.begin(async (transaction): Promise<TakeBackOutcome> => {
    const { accountId, actor, reason } = request
    const transfer = await lockTransfer(transaction, request.transferId)
    if (transfer === undefined) return "no transfer"
    const next = decideStep(transfer, { _tag: "TakeBack" })
    if (next === "same") return takenBackBefore(transaction, transfer, accountId)
    if (typeof next === "string") return next
    const { amount, orderId } = transfer
    if (transfer.accountId !== accountId) return "assigned"
    if (orderId !== undefined) await lockOrder(transaction, orderId)
    const balance = (await lockWallet(transaction, accountId)) ?? 0n
    if (balance - amount < held) return { _tag: "TooLittleLeft", balance }
    const creditId = creditIdOf(transfer)
    if (orderId !== undefined) {
      await markOrderUnpaid(transaction, orderId, amount)
      await forgetInstructions(transaction, orderId)
    }
    const isInvoiced = await dropInvoice(transaction, creditId)
    await settleTransfer(transaction, transfer.id, {
      ...next,
      note: reason,
      flags: isInvoiced || transfer.flags.includes(invoicedBefore) ? [invoicedBefore] : [],
      orderId: undefined,
      accountId: undefined,
      assignedBy: actor,
      isTakenBack: true
    })
    await recordAction(transaction, {
      actor,
      action: "transfer.take_back",
      subject: transferName(transfer),
      detail: { account_id: accountId, reason, amount_micro_vnd: String(amount), invoiced: isInvoiced }
    })
    const eventId = await creditTransfer(transaction, {
      accountId,
      creditId: takingBackOf(creditId),
      amount: -amount,
      reason,
      actor
    })
    return { _tag: "TakenBack", eventId, isInvoiced }
  })

/** The same again, of a transfer that waits: `assigned` where it was not this account that it was last taken back from. */
const takenBackBefore = async (
  transaction: Transaction,
  transfer: Transfer,
  accountId: AccountId
): Promise<SettlementOutcome | "invoiced"> => {
  const creditId = creditIdOf({ ...transfer, takenBack: transfer.takenBack - 1 })
  const isFromThere = await hasTakenBack(transaction, accountId, creditId)
  if (transfer.takenBack === 0 || !isFromThere) return "assigned"
  return transfer.flags.includes(invoicedBefore) ? "invoiced" : "done"
}
