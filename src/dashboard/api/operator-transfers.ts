/** Bank transfers as an operator sees them, and saying whose an unmatched one is. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { findAccount } from "../../accounts/accounts.ts"
import { checkText } from "../../accounts/check-text.ts"
import { assignTransfer } from "../../accounts/top-up.ts"
import { formatVnd } from "../../domain/money.ts"
import { countUnmatched, listTransfers, type TransferRow } from "../../storage/TransferStore.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { act, query, refuse } from "./refuse.ts"

const transfersPerPage = 50

export const operatorTransferHandlers = HttpApiBuilder.group(Api, "operatorTransfers", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query: { before, status } }) {
      const [transfers, unmatched] = yield* query("list transfers", (sql) =>
        Promise.all([listTransfers(sql, { status, before, limit: transfersPerPage }), countUnmatched(sql)])
      )
      return {
        transfers: transfers.map(renderTransfer),
        unmatched,
        next: transfers.length < transfersPerPage ? null : transfers.at(-1)!.id
      }
    }),

    assign: Effect.fnUntraced(function* ({ params, payload }) {
      const { actor } = yield* Caller
      const reason = checkText("reason", payload.reason, 500)
      if (typeof reason !== "string") return yield* refuse("invalid")
      const { accountId } = yield* act(findAccount(payload.account.trim()))
      const outcome = yield* query("assign transfer", (sql) =>
        assignTransfer(sql, { transferId: params.id, accountId, reason, actor })
      )
      if (outcome === "no transfer") return yield* refuse("not_found")
      if (outcome === "no amount") return yield* refuse("nothing_to_credit")
      if (outcome === "not unmatched") return yield* refuse("already_assigned")
      return {}
    })
  })
)

const renderTransfer = (transfer: TransferRow) => ({
  id: transfer.id,
  provider: transfer.provider,
  provider_id: transfer.providerTransferId,
  heard_by: transfer.heardBy,
  direction: transfer.direction,
  amount_vnd: formatVnd(transfer.amount),
  memo: transfer.memo,
  at: transfer.transferredAtMs,
  status: transfer.status,
  note: transfer.note,
  flags: transfer.flags,
  order_code: transfer.orderCode ?? null,
  email: transfer.email ?? null,
  assigned_by: transfer.assignedBy ?? null
})
