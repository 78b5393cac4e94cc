/** What is left of the revenue when the providers are paid. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type CsvFormat, csvHeader, csvRows } from "../../accounts/csv-format.ts"
import { Rankings } from "../../accounts/Rankings.ts"
import {
  type MarginQuery,
  type MarginReport,
  rankMargins,
  reportMargin
} from "../../accounts/report-margin.ts"
import { csvCustomersMax } from "../../domain/field-limits.ts"
import type { Margin } from "../../domain/margin.ts"
import { formatVnd } from "../../domain/money.ts"
import { dayMs, dayText, startOfDay } from "../../domain/vietnam-days.ts"
import { describeFault } from "../../telemetry/describe-fault.ts"
import { type RankedAccounts, readPriceBookVersion } from "../../storage/calls/MarginStore.ts"
import { readEmails } from "../../storage/OperatorStore.ts"
import { readMarginFloor, writeMarginFloor } from "../../storage/SettingsStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { MarginAsked } from "../definition/margin.ts"
import { readRouteProviders } from "../known-routes.ts"
import { beginExport, csvReply, formatOf } from "./export-csv.ts"
import { query, refuse, refuseBad } from "./refuse.ts"

const periodDaysMax = 400
const rowsMax = 100

export const marginHandlers = (context: DashboardContext) => {
  const rankings = new Rankings((cause) => context.warn(`Could not rank accounts: ${describeFault(cause)}`))
  return HttpApiBuilder.group(Api, "operatorMargin", (handlers) =>
    handlers.handleAll({
      report: Effect.fnUntraced(function* ({ query: asked }) {
        const floor = yield* query("read margin floor", readMarginFloor)
        const marginQuery = yield* queryOf(context, asked, floor, rowsMax)
        const ranked = yield* rankedFor(context, rankings, marginQuery)
        const { names, report } = yield* reportOf(marginQuery, ranked)
        return {
          total: renderMargin(report.total),
          rows: report.rows.map((row) =>
            Object.assign(renderMargin(row), { group: row.group, name: names.get(row.group) ?? row.group })
          ),
          groups: report.groups,
          missing: report.missing.map(({ currency, model, part, route, uses }) => ({
            route,
            model,
            part,
            currency: currency ?? null,
            uses: Number(uses)
          })),
          floor_percent: floor,
          ranked_at: ranked?.keptSinceMs ?? null
        }
      }),

      csv: Effect.fnUntraced(function* ({ query: asked }) {
        const { accountId } = yield* Caller
        const floor = yield* query("read margin floor", readMarginFloor)
        const finish = yield* beginExport(context, accountId)
        const { names, report } = yield* Effect.flatMap(
          queryOf(context, asked, floor, csvCustomersMax),
          (each) => reportOf(each)
        ).pipe(Effect.onExit(() => Effect.sync(finish)))
        const text = csvOf(report, names, asked.by ?? "day", formatOf(asked.sep))
        return csvReply(`tollgate-margin-${asked.by ?? "day"}.csv`, [], async (sink) => {
          await sink.write(text)
        })
      }),

      setFloor: Effect.fnUntraced(function* ({ payload }) {
        const { actor } = yield* Caller
        yield* query("write margin floor", (sql) => writeMarginFloor(sql, payload.percent, actor))
        return {}
      })
    })
  )
}

/** Whole days: a day that is only touched counts. */
const queryOf = Effect.fnUntraced(function* (
  context: DashboardContext,
  asked: MarginAsked,
  floor: string,
  limit: number
) {
  const to = asked.to ?? Date.now() + 1
  const from = startOfDay(asked.from ?? to - 30 * dayMs)
  if (from >= to) return yield* refuseBad("from", "must be before `to`")
  if (to - from > periodDaysMax * dayMs) return yield* refuse("period_too_long")
  return {
    from: dayText(from),
    to: dayText(to - 1),
    by: asked.by ?? "day",
    model: asked.model,
    provider: asked.provider,
    route: asked.route,
    accountId: asked.account,
    order: asked.order ?? "revenue",
    limit,
    floor,
    providers: yield* query("read routes", (sql) => readRouteProviders(sql, context.settings))
  } satisfies MarginQuery
})

/** Who looks at a period by day or model is likely to look at its accounts next. */
const rankedFor = Effect.fnUntraced(function* (
  context: DashboardContext,
  rankings: Rankings,
  asked: MarginQuery
) {
  if (asked.accountId !== undefined) return undefined
  const version = yield* query("read version of purchase prices", readPriceBookVersion)
  const { from, model, provider, providers, route, to } = asked
  const nameOf = (order: MarginQuery["order"]) =>
    JSON.stringify([order, from, to, model, provider, route, [...providers], version])
  const make = (order: MarginQuery["order"]) => () =>
    context.query("rank accounts", (sql) => rankMargins(sql, { ...asked, order }))
  if (asked.by === "account")
    return yield* Effect.promise(() => rankings.rank(nameOf(asked.order), make(asked.order)))
  void (async () => {
    for (const order of ["revenue", "margin"] as const) await rankings.prepare(nameOf(order), make(order))
  })()
  return undefined
})

const reportOf = Effect.fnUntraced(function* (asked: MarginQuery, ranked?: RankedAccounts) {
  const report = yield* query("report margin", (sql) => reportMargin(sql, asked, ranked))
  const names =
    asked.by === "account"
      ? yield* query("read emails", (sql) =>
          readEmails(
            sql,
            report.rows.map(({ group }) => group)
          )
        )
      : new Map<string, string>()
  return { names, report }
})

const renderMargin = (sum: Margin) => ({
  calls: Number(sum.calls),
  revenue_vnd: formatVnd(sum.revenue),
  cost_vnd: formatVnd(sum.cost),
  margin_vnd: formatVnd(sum.margin),
  margin_percent: sum.percent ?? null,
  is_below: sum.isBelow,
  unpriced_calls: Number(sum.unpricedCalls),
  unpriced_revenue_vnd: formatVnd(sum.unpricedRevenue)
})

const csvOf = (
  report: MarginReport,
  names: ReadonlyMap<string, string>,
  by: string,
  format: CsvFormat
): string => {
  const columns = ["calls", "revenue_vnd", "cost_vnd", "margin_vnd", "margin_percent", "below_floor"]
  const header = csvHeader(
    [by, ...(by === "account" ? ["email"] : []), ...columns, "unpriced_calls", "unpriced_revenue_vnd"],
    format
  )
  const rows = report.rows.map((row) => [
    row.group,
    ...(by === "account" ? [names.get(row.group) ?? ""] : []),
    Number(row.calls),
    row.revenue,
    row.cost,
    row.margin,
    row.percent === undefined ? "" : Number(row.percent),
    String(row.isBelow),
    Number(row.unpricedCalls),
    row.unpricedRevenue
  ])
  return header + csvRows(rows, format)
}
