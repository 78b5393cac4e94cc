/** The statement of an account, receipts of its top-ups, and whom both are made out to. */
import { Effect, Schema, Stream } from "effect"
import { setBillingDetails } from "../../accounts/billing.ts"
import { BadText } from "../../accounts/check-text.ts"
import { parsePeriod } from "../../accounts/parse-period.ts"
import { exportStatement } from "../../accounts/statement-export.ts"
import type { IssuerSettings } from "../../config/settings.ts"
import { formatVnd } from "../../domain/money.ts"
import { type BillingDetails, findReceipt, readBillingDetails } from "../../storage/BillingStore.ts"
import type { Person } from "../../storage/PersonStore.ts"
import {
  readStatement,
  type StatementCursor,
  type StatementFilter,
  type StatementLine
} from "../../storage/StatementStore.ts"
import { ApiProblem } from "../ApiProblem.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Incoming, Sink } from "../exchange.ts"
import { bodyOf, forAccount, json, numberTextOf, textOf } from "../route.ts"
import { separatorOf } from "../separator.ts"
import { dayText, startOfDay } from "../../domain/vietnam-days.ts"

const dayMs = 86_400_000
const linesPerPage = 200
const exportsAtOnceMax = 2

const newDetails = bodyOf(
  Schema.Struct({
    company: Schema.String,
    tax_code: Schema.String,
    address: Schema.String,
    email: Schema.String
  })
)

export const statementRoutes = [
  forAccount("GET", "/statement", async (ask, context, person) => {
    const filter = filterOf(ask, person)
    const paging = { after: cursorOf(ask), limit: linesPerPage }
    const { lines, next, sums } = await context.query("read statement", (sql) =>
      readStatement(sql, filter, paging)
    )
    return json({
      opening_vnd: formatVnd(sums.opening),
      added_vnd: formatVnd(sums.added),
      taken_vnd: formatVnd(sums.taken),
      closing_vnd: formatVnd(sums.closing),
      lines: lines.map(renderLine),
      next: next === undefined ? null : `${next.day}|${next.place}`
    })
  }),

  forAccount("GET", "/statement.csv", async (ask, context, person) => {
    const filter = filterOf(ask, person)
    const separator = separatorOf(ask)
    const finish = context.limits.enter("export", person.accountId, exportsAtOnceMax)
    if (finish === undefined) throw new ApiProblem(429, "too_many_exports", [["retry-after", "30"]])
    const days = [filter.from, new Date(filter.to.getTime() - 1)].flatMap((at) =>
      at === undefined ? [] : [dayText(at.getTime())]
    )
    return {
      status: 200,
      headers: [
        ["content-type", "text/csv; charset=utf-8"],
        ["content-disposition", `attachment; filename="tollgate-statement-${days.join("-")}.csv"`],
        ["cache-control", "no-store"]
      ],
      body: (sink) => writeCsv(context, filter, separator, sink).finally(finish)
    }
  }),

  forAccount("GET", "/receipts/:id", async (ask, context, person) => {
    const id = numberTextOf(ask.parameters["id"])!
    const receipt = await context.query("find receipt", (sql) => findReceipt(sql, person.accountId, id))
    if (receipt === undefined) throw new ApiProblem(404, "not_found")
    return json({
      id: receipt.id,
      at: receipt.atMs,
      amount_vnd: formatVnd(receipt.amount),
      code: receipt.code ?? null,
      transfer: receipt.transferId,
      transferred_at: receipt.transferredAtMs ?? null
    })
  }),

  forAccount("GET", "/billing", async (_ask, context, { accountId }) => {
    const details = await context.query("read billing details", (sql) => readBillingDetails(sql, accountId))
    return json({ issuer: renderIssuer(context.settings.issuer), details: renderDetails(details) })
  }),

  forAccount("POST", "/billing", async (ask, context, { accountId }) => {
    const { address, company, email, tax_code: taxCode } = newDetails(ask)
    const given = { address, company, email, taxCode }
    return json({ details: renderDetails(await context.run(setBillingDetails(accountId, given, accountId))) })
  })
]

/** Whole days of Viet Nam; up to and with today where nothing else is asked for. */
const filterOf = (ask: Incoming, { accountId }: Person): StatementFilter => {
  const [from, to] = [textOf(ask, "from"), textOf(ask, "to")]
  const period = parsePeriod(from, to)
  const isOfDays = [from, to].every((bound) => bound === undefined || /^\d{4}-\d{2}-\d{2}$/.test(bound))
  if (period instanceof BadText || !isOfDays) throw new ApiProblem(400, "invalid")
  const end = period.to ?? new Date(startOfDay(Date.now()) + dayMs)
  if (period.from !== undefined && period.from >= end) throw new ApiProblem(400, "invalid")
  return { accountId, from: period.from, to: end }
}

const cursorOf = (ask: Incoming): StatementCursor | undefined => {
  const text = textOf(ask, "after")
  if (text === undefined) return undefined
  const [, day, place] = /^(\d{4}-\d{2}-\d{2})\|([01].*)$/s.exec(text) ?? []
  if (day === undefined || place === undefined) throw new ApiProblem(400, "invalid")
  return { day, place }
}

const writeCsv = (context: DashboardContext, filter: StatementFilter, separator: "," | ";", sink: Sink) =>
  context.run(
    exportStatement(filter, { forSpreadsheet: true, separator }).pipe(
      Stream.mapEffect((text) => Effect.promise(() => sink.write(text))),
      Stream.takeWhile((hasMoreRoom) => hasMoreRoom),
      Stream.runDrain
    )
  )

const renderLine = (line: StatementLine) => ({
  day: line.day,
  kind: line.kind,
  amount_vnd: formatVnd(line.amount),
  balance_vnd: formatVnd(line.balance),
  ...(line.kind === "calls"
    ? {
        model: line.model,
        calls: line.calls,
        input_tokens: line.inputTokens,
        output_tokens: line.outputTokens
      }
    : { id: line.entryId, at: line.atMs, reason: line.reason })
})

const renderIssuer = ({ address, company, taxCode }: IssuerSettings) => ({
  company,
  tax_code: taxCode,
  address
})

const renderDetails = ({ address, company, email, taxCode }: BillingDetails) => ({
  company,
  tax_code: taxCode,
  address,
  email
})
