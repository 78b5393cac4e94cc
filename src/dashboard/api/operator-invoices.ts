/** Electronic invoices that are not issued, for operators. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { isUuid } from "../../domain/ids.ts"
import { formatVnd } from "../../domain/money.ts"
import { countOpenInvoices, listOpenInvoices } from "../../storage/payments/InvoiceStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { query, refuse } from "./refuse.ts"

const listedMax = 100

export const operatorInvoiceHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorInvoices", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const [invoices, open] = yield* query("list invoices", (sql) =>
          Promise.all([listOpenInvoices(sql, listedMax), countOpenInvoices(sql)])
        )
        return {
          open,
          invoices: invoices.map((invoice) => ({
            id: invoice.id,
            account: invoice.accountId,
            receipt: invoice.entryId,
            company: invoice.company,
            amount_vnd: formatVnd(invoice.amount),
            status: invoice.status,
            problem: invoice.problem,
            created_at: invoice.createdAtMs
          }))
        }
      }),

      retry: Effect.fnUntraced(function* ({ params }) {
        const { actor } = yield* Caller
        const isThere =
          isUuid(params.id) && (yield* Effect.promise(() => context.retryInvoice(params.id, actor)))
        return isThere ? {} : yield* refuse("not_found")
      })
    })
  )
