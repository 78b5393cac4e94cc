/** Bank transfers as an operator sees them, and what becomes of an unmatched one. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { untilCreditsCount } from "../../accounts/await-nodes.ts"
import { checkText } from "../../accounts/check-text.ts"
import {
  assignTransfer,
  dismissTransfer,
  reopenTransfer,
  returnTransfer,
  type SettlementOutcome
} from "../../accounts/settle-transfer.ts"
import { suggestOwners } from "../../accounts/suggest-owners.ts"
import { takeBackTransfer } from "../../accounts/take-back-transfer.ts"
import { reasonLengthMax, referenceLengthMax } from "../../domain/field-limits.ts"
import { formatVnd } from "../../domain/money.ts"
import { wantedText } from "../../domain/typed-text.ts"
import { findAccount } from "../../storage/AccountStore.ts"
import {
  countUnmatched,
  findTransfer,
  listTransfers,
  type ListedTransfer
} from "../../storage/payments/TransferStore.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { askSecondFactor } from "./ask-password.ts"
import { nextAfter } from "./cursors.ts"
import { act, query, refuse, refuseText } from "./refuse.ts"

const transfersPerPage = 50

export const operatorTransferHandlers = HttpApiBuilder.group(Api, "operatorTransfers", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, id, status } }) {
      const [transfers, unmatched] = yield* query("list transfers", (sql) =>
        Promise.all([
          listTransfers(sql, { id, status, before, limit: transfersPerPage }),
          countUnmatched(sql)
        ])
      )
      return {
        transfers: transfers.map(renderTransfer),
        unmatched,
        next: nextAfter(transfers, transfersPerPage)
      }
    }),

    suggest: Effect.fnUntraced(function* ({ params }) {
      const suggestions = yield* query("suggest owners", async (sql) => {
        const transfer = await findTransfer(sql, params.id)
        return transfer && suggestOwners(sql, transfer)
      })
      if (suggestions === undefined) return yield* refuse("not_found")
      return {
        suggestions: suggestions.map(({ account, orderCode, reasons }) => ({
          account_id: account.id,
          email: account.email,
          name: account.name,
          company: account.company,
          is_closed: account.isClosed,
          order_code: orderCode ?? null,
          reasons
        }))
      }
    }),

    assign: Effect.fnUntraced(function* ({ params, payload }) {
      yield* askSecondFactor
      const settlement = yield* settlementOf(params.id, payload.reason)
      const account = yield* query("find account", (sql) => findAccount(sql, wantedText(payload.account)))
      if (account === undefined) return yield* refuse("no_account")
      const { accountId } = account
      const orderCode = payload.order_code
      const outcome = yield* query("assign transfer", (sql) =>
        assignTransfer(sql, { ...settlement, accountId, orderCode })
      )
      if (outcome === "no amount") return yield* refuse("nothing_to_credit")
      if (outcome === "account closed") return yield* refuse("account_closed")
      if (outcome === "done") yield* untilCreditsCount(accountId)
      return yield* answerTo(outcome)
    }),

    takeBack,

    return: Effect.fnUntraced(function* ({ params, payload }) {
      yield* askSecondFactor
      const settlement = yield* settlementOf(params.id, payload.reason)
      const reference =
        payload.reference.trim() === "" ? "" : checkText("reference", payload.reference, referenceLengthMax)
      if (typeof reference !== "string") return yield* refuseText(reference)
      const outcome = yield* query("return transfer", (sql) =>
        returnTransfer(sql, { ...settlement, reference })
      )
      return yield* answerTo(outcome)
    }),

    dismiss: Effect.fnUntraced(function* ({ params, payload }) {
      const settlement = yield* settlementOf(params.id, payload.reason)
      return yield* answerTo(yield* query("dismiss transfer", (sql) => dismissTransfer(sql, settlement)))
    }),

    reopen: Effect.fnUntraced(function* ({ params, payload }) {
      const settlement = yield* settlementOf(params.id, payload.reason)
      return yield* answerTo(yield* query("reopen transfer", (sql) => reopenTransfer(sql, settlement)))
    })
  })
)

const takeBack = Effect.fnUntraced(function* ({ params, payload }: TakingBack) {
  yield* askSecondFactor
  const settlement = yield* settlementOf(params.id, payload.reason)
  const account = yield* query("find account", (sql) => findAccount(sql, payload.account_id))
  if (account === undefined) return yield* refuse("not_credited_there")
  const { accountId } = account
  const outcome = yield* act(takeBackTransfer({ ...settlement, accountId }))
  if (outcome === "assigned") return yield* refuse("not_credited_there")
  const isInvoiced = outcome === "invoiced"
  if (!isInvoiced) yield* answerToOther(outcome)
  return { invoiced: isInvoiced }
})

interface TakingBack {
  readonly params: { readonly id: string }
  readonly payload: { readonly account_id: string; readonly reason: string }
}

const settlementOf = Effect.fnUntraced(function* (transferId: string, text: string) {
  const { actor } = yield* Caller
  const reason = checkText("reason", text, reasonLengthMax)
  return typeof reason === "string" ? { transferId, actor, reason } : yield* refuseText(reason)
})

const answerTo = Effect.fnUntraced(function* (outcome: SettlementOutcome) {
  if (outcome === "assigned") return yield* refuse("already_assigned")
  return yield* answerToOther(outcome)
})

const answerToOther = Effect.fnUntraced(function* (outcome: Exclude<SettlementOutcome, "assigned">) {
  if (outcome === "no transfer" || outcome === "no order") return yield* refuse("not_found")
  if (outcome === "settled") return yield* refuse("transfer_settled")
  return {}
})

const renderTransfer = (transfer: ListedTransfer) => ({
  id: transfer.id,
  provider: transfer.provider,
  provider_id: transfer.providerTransferId,
  heard_by: transfer.heardBy,
  direction: transfer.direction,
  amount_vnd: formatVnd(transfer.amount),
  bank_reference: transfer.bankReference,
  shown_reference: transfer.shownReference,
  memo: transfer.memo,
  bank_account: transfer.bankAccount,
  sender_name: transfer.senderName,
  sender_account: transfer.senderAccount,
  sender_bank: transfer.senderBank,
  at: transfer.transferredAtMs,
  status: transfer.status,
  note: transfer.note,
  flags: transfer.flags,
  order_code: transfer.orderCode ?? null,
  account_id: transfer.accountId ?? null,
  email: transfer.email ?? null,
  assigned_by: transfer.assignedBy ?? null,
  return_reference: transfer.returnReference
})
