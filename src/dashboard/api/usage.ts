/** What an account used: sums for the charts, the calls themselves, and all of them as CSV. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { exportUsage } from "../../accounts/usage-export.ts"
import { timeOfCallId } from "../../domain/ids.ts"
import { formatVnd } from "../../domain/money.ts"
import { type CallFilter, type LoggedCall, readCallPage } from "../../storage/calls/CallStore.ts"
import {
  countDropped,
  reportUsage,
  type UsageFilter,
  type UsageSum,
  wholeHours
} from "../../storage/calls/UsageStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { Call, CallsQuery, ReportQuery } from "../definition/usage.ts"
import { isRowMoment } from "./cursors.ts"
import { beginExport, formatOf, streamCsv } from "./export-csv.ts"
import { query, refuse, refuseBad, refuseCursor } from "./refuse.ts"
import { dayMs, dayText, hourMs } from "../../domain/vietnam-days.ts"

const periodDaysMax = 400
const hourlyDaysMax = 14
const callsPerPage = 50

export const usageHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "usage", (handlers) =>
    handlers.handleAll({
      report: Effect.fnUntraced(function* ({ query: asked }) {
        return yield* answerReport(yield* Caller, asked)
      }),

      calls: Effect.fnUntraced(function* ({ query: asked }) {
        return yield* answerCalls(yield* Caller, asked)
      }),

      csv: Effect.fnUntraced(function* ({ query: asked }) {
        const filter = yield* filterOf(yield* Caller, asked)
        const finish = yield* beginExport(context, filter.accountId)
        const dropped = yield* query("count dropped calls", (sql) => countDropped(sql, filter)).pipe(
          Effect.onError(() => Effect.sync(finish))
        )
        const fromMs = Math.max(filter.from.getTime(), dropped?.before.getTime() ?? 0)
        // Up to the last moment of the period, not the first one after it.
        const name = `tollgate-${dayText(fromMs)}-${dayText(filter.to.getTime() - 1)}.csv`
        // What is missing in it, and why; the page says so too.
        const missing =
          dropped === undefined
            ? []
            : [
                [
                  "x-tollgate-calls-not-kept",
                  `${dropped.calls}; before=${dropped.before.toISOString()}`
                ] as const
              ]
        return streamCsv(context, name, exportUsage(filter, formatOf(asked.sep)), finish, missing)
      })
    })
  )

/** Of an account, and of it of all keys or of those that one person made. */
export type Whose = Pick<Caller["Service"], "accountId" | "keysOf">

export const answerReport = Effect.fnUntraced(function* (whose: Whose, asked: ReportQuery) {
  const filter = yield* filterOf(whose, asked)
  const bucket = asked.bucket ?? "day"
  const days = (filter.to.getTime() - filter.from.getTime()) / dayMs
  if (days > (bucket === "hour" ? hourlyDaysMax : periodDaysMax)) return yield* refuse("period_too_long")
  const [report, dropped] = yield* query("report usage", (sql) =>
    Promise.all([reportUsage(sql, filter, bucket, asked.stack), countDropped(sql, filter)])
  )
  return {
    total: renderSum(report.total),
    series: report.series.map((sum) => Object.assign(renderSum(sum), { start: sum.startMs })),
    by_key: report.byKey.map((sum) =>
      Object.assign(renderSum(sum), { key_id: sum.keyId, key_name: sum.keyName })
    ),
    by_model: report.byModel.map((sum) => Object.assign(renderSum(sum), { model: sum.model })),
    stacked: report.stacked.map(({ calls, cost, part, startMs }) => ({
      start: startMs,
      part,
      calls,
      cost_vnd: formatVnd(cost)
    })),
    dropped: dropped === undefined ? null : { before: dropped.before.getTime(), calls: dropped.calls }
  }
})

export const answerCalls = Effect.fnUntraced(function* (
  whose: Whose,
  asked: CallsQuery,
  render: (call: LoggedCall) => typeof Call.Type = renderCall
) {
  const callId = asked.request_id?.trim()
  const filter: CallFilter = {
    ...(yield* filterOf(whose, { ...periodOfCall(callId), ...asked })),
    outcome: asked.outcome ?? "all",
    status: asked.status,
    callId
  }
  const paging = {
    order: "newest first",
    after: asked.before === undefined ? undefined : yield* cursorOf(asked.before),
    limit: callsPerPage
  } as const
  const { calls, next } = yield* query("list calls", (sql) => readCallPage(sql, filter, paging))
  return {
    calls: calls.map(render),
    next: next === undefined ? null : `${next.at}|${next.callId}`
  }
})

/** When a call was begun is written in its id. */
const periodOfCall = (callId: string | undefined): Pick<CallsQuery, "from" | "to"> => {
  const atMs = callId === undefined ? undefined : timeOfCallId(callId)
  return atMs === undefined ? {} : { from: atMs - hourMs, to: atMs + hourMs }
}

/** Whole hours, so that the sums and the calls speak of the same period. */
const filterOf = Effect.fnUntraced(function* ({ accountId, keysOf }: Whose, asked: ReportQuery | CallsQuery) {
  const now = Date.now()
  const { from, to } = wholeHours(asked.from ?? now - 30 * dayMs, asked.to ?? now)
  if (from >= to) return yield* refuseBad("from", "must be before `to`")
  return {
    accountId,
    madeBy: keysOf,
    from,
    to,
    keyId: asked.key,
    model: asked.model
  } satisfies UsageFilter
})

const cursorOf = (text: string) => {
  const [at = "", callId, ...more] = text.split("|")
  return callId === undefined || more.length > 0 || !isRowMoment(at)
    ? refuseCursor("before")
    : Effect.succeed({ at, callId })
}

export const renderSum = (sum: UsageSum) => ({
  calls: sum.calls,
  failed_calls: sum.failedCalls,
  input_tokens: sum.inputTokens,
  output_tokens: sum.outputTokens,
  cost_vnd: formatVnd(sum.cost),
  latency_ms: sum.latencyMs === 0 ? null : Math.round(sum.latencyMs / sum.calls)
})

export const renderCall = (call: LoggedCall) => ({
  id: call.callId,
  at: call.at.getTime(),
  key_id: call.keyId,
  key_name: call.keyName,
  endpoint: call.endpoint,
  model: call.model,
  model_requested: call.modelRequested,
  stream: call.stream,
  status: call.status,
  error_type: call.errorType,
  input_tokens: call.inputTokens,
  output_tokens: call.outputTokens,
  estimated: call.estimated,
  cost_vnd: formatVnd(call.cost),
  latency_ms: call.latencyMs,
  first_byte_ms: call.firstByteMs ?? null,
  cache_read_tokens: call.cacheReadTokens,
  cache_write_tokens: call.cacheWriteTokens,
  reasoning_tokens: call.reasoningTokens,
  tier: call.tier,
  per_mtok_vnd: call.perMtokVnd ?? null,
  per_request_vnd: call.perRequestVnd ?? null,
  units: call.units,
  factor: call.factor,
  tool_uses: call.toolUses.map(({ price, tool, uses }) => ({
    tool,
    uses,
    vnd: price === undefined ? null : formatVnd(price)
  })),
  other_tokens: call.others.map((other) => ({
    model: other.model,
    input_tokens: other.inputTokens,
    output_tokens: other.outputTokens,
    per_mtok_vnd: other.perMtokVnd,
    apart: other.isApart
  })),
  provider_asked: call.isRouteKnown ? call.route !== "" : null,
  // Which routes there are is the operator's to know.
  attempts: call.attempts.map(({ ms, outcome }) => ({ outcome: String(outcome), ms }))
})

export const renderCallWithRoutes = (call: LoggedCall) => ({
  ...renderCall(call),
  route: call.route,
  attempts: call.attempts.map(({ ms, outcome, route }) => ({ route, outcome: String(outcome), ms }))
})
