/** The statement of an account, receipts of its top-ups, and whom both are made out to. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { untilCreditsCount } from "../../accounts/await-nodes.ts"
import { setBillingDetails } from "../../accounts/billing.ts"
import { BadText } from "../../accounts/check-text.ts"
import { parsePeriod } from "../../accounts/parse-period.ts"
import { exportStatement } from "../../accounts/statement-export.ts"
import type { IssuerSettings } from "../../config/settings.ts"
import type { AccountId } from "../../domain/ids.ts"
import { formatVnd } from "../../domain/money.ts"
import { type BillingDetails, findReceipt, readBillingDetails } from "../../storage/payments/BillingStore.ts"
import { findInvoiceOf, type InvoiceRow } from "../../storage/payments/InvoiceStore.ts"
import {
  readStatement,
  type StatementFilter,
  type StatementLine
} from "../../storage/calls/StatementStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { StatementQuery } from "../definition/statement.ts"
import { beginExport, formatOf, streamCsv } from "./export-csv.ts"
import { act, query, refuse, refuseBad, refuseCursor, refuseDay, refuseText } from "./refuse.ts"
import { dayMs, dayText, isDay, startOfDay } from "../../domain/vietnam-days.ts"

const linesPerPage = 200

export const statementHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "statement", (handlers) =>
    handlers.handleAll({
      read: Effect.fnUntraced(function* ({ query: asked }) {
        return yield* answerStatement((yield* Caller).accountId, asked)
      }),

      csv: Effect.fnUntraced(function* ({ query: asked }) {
        const filter = yield* filterOf((yield* Caller).accountId, asked)
        const finish = yield* beginExport(context, filter.accountId)
        const days = [filter.from, new Date(filter.to.getTime() - 1)].flatMap((at) =>
          at === undefined ? [] : [dayText(at.getTime())]
        )
        const name = `tollgate-statement-${days.join("-")}.csv`
        return streamCsv(context, name, exportStatement(filter, formatOf(asked.sep)), finish)
      }),

      receipt: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* Caller
        const receipt = yield* query("find receipt", (sql) => findReceipt(sql, accountId, params.id))
        if (receipt === undefined) return yield* refuse("not_found")
        const invoice = yield* query("find invoice", (sql) => findInvoiceOf(sql, accountId, params.id))
        return {
          id: receipt.id,
          at: receipt.atMs,
          amount_vnd: formatVnd(receipt.amount),
          code: receipt.code ?? null,
          transfer: receipt.transferId,
          transferred_at: receipt.transferredAtMs ?? null,
          invoice: invoice === undefined ? null : renderInvoice(invoice),
          taken_back_at: receipt.takenBackAtMs ?? null,
          may_have_invoice: context.invoices !== undefined && receipt.takenBackAtMs === undefined
        }
      }),

      invoice: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* Caller
        const { invoices } = context
        const isAsked =
          invoices !== undefined && (yield* Effect.promise(() => invoices.request(accountId, params.id)))
        return isAsked ? {} : yield* refuse("not_found")
      }),

      billing: Effect.fnUntraced(function* () {
        const { accountId } = yield* Caller
        const details = yield* query("read billing details", (sql) => readBillingDetails(sql, accountId))
        return { issuer: renderIssuer(context.settings.issuer), details: renderDetails(details) }
      }),

      setBilling: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, actor, sessionId } = yield* Caller
        const { tax_code: taxCode, ...others } = payload
        const details = { ...others, ...(taxCode !== undefined && { taxCode }) }
        const set = yield* act(setBillingDetails(accountId, details, { actor, sessionId }))
        return { details: renderDetails(set) }
      })
    })
  )

export const answerStatement = Effect.fnUntraced(function* (accountId: AccountId, asked: StatementQuery) {
  const filter = yield* filterOf(accountId, asked)
  const paging = {
    after: asked.after === undefined ? undefined : yield* cursorOf(asked.after),
    limit: linesPerPage
  }
  const { lines, next, sums } = yield* query("read statement", (sql) => readStatement(sql, filter, paging))
  yield* untilCreditsCount(accountId)
  return {
    opening_vnd: formatVnd(sums.opening),
    added_vnd: formatVnd(sums.added),
    taken_vnd: formatVnd(sums.taken),
    closing_vnd: formatVnd(sums.closing),
    lines: lines.map(renderLine),
    next: next === undefined ? null : `${next.day}|${next.place}`
  }
})

/** Whole days of Viet Nam; up to and with today where nothing else is asked for. */
const filterOf = Effect.fnUntraced(function* (accountId: AccountId, { from, to }: StatementQuery) {
  for (const [field, bound] of Object.entries({ from, to }))
    if (bound !== undefined && !isDay(bound)) return yield* refuseDay(field)
  const period = parsePeriod(from, to, "")
  if (period instanceof BadText) return yield* refuseText(period)
  const end = period.to ?? new Date(startOfDay(Date.now()) + dayMs)
  if (period.from !== undefined && period.from >= end) return yield* refuseBad("from", "must be before `to`")
  return { accountId, from: period.from, to: end } satisfies StatementFilter
})

const cursorOf = (text: string) => {
  const [, day, place] = /^(\d{4}-\d{2}-\d{2})\|([01].*)$/s.exec(text) ?? []
  const isPlace = day !== undefined && place !== undefined && isDay(day)
  return isPlace ? Effect.succeed({ day, place }) : refuseCursor("after")
}

const renderLine = (line: StatementLine) => {
  const { day } = line
  const sums = { day, amount_vnd: formatVnd(line.amount), balance_vnd: formatVnd(line.balance) }
  if (line.kind !== "calls")
    return { ...sums, kind: line.kind, id: line.entryId, at: line.atMs, reason: line.reason }
  const { calls, inputTokens, kind, model, outputTokens } = line
  return { ...sums, kind, model, calls, input_tokens: inputTokens, output_tokens: outputTokens }
}

const renderInvoice = ({ number, status, url }: InvoiceRow) => ({ status, number, url })

const renderIssuer = ({ address, company, taxCode }: IssuerSettings) => ({
  company,
  tax_code: taxCode,
  address
})

export const renderDetails = ({ address, company, email, taxCode }: BillingDetails) => ({
  company,
  tax_code: taxCode,
  address,
  email
})
