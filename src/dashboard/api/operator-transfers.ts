/** Bank transfers as an operator sees them, and saying whose an unmatched one is. */
import { Schema } from "effect"
import { findAccount } from "../../accounts/accounts.ts"
import { checkText } from "../../accounts/check-text.ts"
import { assignTransfer } from "../../accounts/top-up.ts"
import { formatVnd } from "../../domain/money.ts"
import {
  countUnmatched,
  listTransfers,
  type TransferRow,
  type TransferStatus
} from "../../storage/TransferStore.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { bodyOf, forOperator, json, numberTextOf, textOf } from "../route.ts"

const transfersPerPage = 50
const statuses: ReadonlyArray<TransferStatus> = ["credited", "unmatched", "ignored"]

const assignment = bodyOf(Schema.Struct({ account: Schema.String, reason: Schema.String }))

export const operatorTransferRoutes = [
  forOperator("GET", "/operator/transfers", async (ask, context) => {
    const status = statuses.find((status) => status === ask.query.get("status"))
    const before = numberTextOf(textOf(ask, "before"))
    const [transfers, unmatched] = await context.query("list transfers", (sql) =>
      Promise.all([listTransfers(sql, { status, before, limit: transfersPerPage }), countUnmatched(sql)])
    )
    return json({
      transfers: transfers.map(renderTransfer),
      unmatched,
      next: transfers.length < transfersPerPage ? null : transfers.at(-1)!.id
    })
  }),

  forOperator("POST", "/operator/transfers/:id/assign", async (ask, context, operator) => {
    const { account, reason: text } = assignment(ask)
    const reason = checkText("reason", text, 500)
    if (typeof reason !== "string") throw new ApiProblem(400, "invalid")
    const transferId = numberTextOf(ask.parameters["id"]) ?? ""
    const { accountId } = await context.run(findAccount(account.trim()))
    const outcome = await context.query("assign transfer", (sql) =>
      assignTransfer(sql, { transferId, accountId, reason, actor: operator.accountId })
    )
    if (outcome === "no transfer") throw new ApiProblem(404, "not_found")
    if (outcome === "no amount") throw new ApiProblem(409, "nothing_to_credit")
    if (outcome === "not unmatched") throw new ApiProblem(409, "already_assigned")
    return json({})
  })
]

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
