/** What an account used: sums for the charts, the calls themselves, and all of them as CSV. */
import { Effect, Stream } from "effect"
import { exportUsage } from "../../accounts/usage-export.ts"
import { formatVnd } from "../../domain/money.ts"
import { type CallFilter, type LoggedCall, readCallPage } from "../../storage/CallStore.ts"
import type { Person } from "../../storage/PersonStore.ts"
import { countDropped, reportUsage, type UsageFilter, type UsageSum } from "../../storage/UsageStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Incoming, Sink } from "../exchange.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { forAccount, json, momentOf, textOf } from "../route.ts"
import { separatorOf } from "../separator.ts"
import { dayText } from "../../domain/vietnam-days.ts"

const hourMs = 3_600_000
const periodDaysMax = 400
const hourlyDaysMax = 14
const callsPerPage = 50
const exportsAtOnceMax = 2

export const usageRoutes = [
  forAccount("GET", "/usage", async (ask, context, person) => {
    const filter = filterOf(ask, person)
    const bucket = ask.query.get("bucket") === "hour" ? "hour" : "day"
    const days = (filter.to.getTime() - filter.from.getTime()) / (24 * hourMs)
    if (days > (bucket === "hour" ? hourlyDaysMax : periodDaysMax))
      throw new ApiProblem(400, "period_too_long")
    const [report, dropped] = await context.query("report usage", (sql) =>
      Promise.all([reportUsage(sql, filter, bucket), countDropped(sql, filter)])
    )
    return json({
      total: renderSum(report.total),
      series: report.series.map((sum) => Object.assign(renderSum(sum), { start: sum.startMs })),
      by_key: report.byKey.map((sum) =>
        Object.assign(renderSum(sum), { key_id: sum.keyId, key_name: sum.keyName })
      ),
      by_model: report.byModel.map((sum) => Object.assign(renderSum(sum), { model: sum.model })),
      dropped: dropped === undefined ? null : { before: dropped.before.getTime(), calls: dropped.calls }
    })
  }),

  forAccount("GET", "/calls", async (ask, context, person) => {
    const filter: CallFilter = {
      ...filterOf(ask, person),
      outcome: ask.query.get("outcome") === "failed" ? "failed" : "all",
      callId: textOf(ask, "request_id")?.trim()
    }
    const paging = { order: "newest first", after: cursorOf(ask), limit: callsPerPage } as const
    const { calls, next } = await context.query("list calls", (sql) => readCallPage(sql, filter, paging))
    return json({
      calls: calls.map(renderCall),
      next: next === undefined ? null : `${next.at}|${next.callId}`
    })
  }),

  forAccount("GET", "/usage.csv", async (ask, context, person) => {
    const filter = filterOf(ask, person)
    const separator = separatorOf(ask)
    const finish = context.limits.enter("export", person.accountId, exportsAtOnceMax)
    if (finish === undefined) throw new ApiProblem(429, "too_many_exports", [["retry-after", "30"]])
    const dropped = await context.query("count dropped calls", (sql) => countDropped(sql, filter))
    const fromMs = Math.max(filter.from.getTime(), dropped?.before.getTime() ?? 0)
    // Up to the last moment of the period, not the first one after it.
    const name = `tollgate-${dayText(fromMs)}-${dayText(filter.to.getTime() - 1)}.csv`
    return {
      status: 200,
      headers: [
        ["content-type", "text/csv; charset=utf-8"],
        ["content-disposition", `attachment; filename="${name}"`],
        ["cache-control", "no-store"],
        // What is missing in it, and why; the page says so too.
        ...(dropped === undefined
          ? []
          : [
              [
                "x-tollgate-calls-not-kept",
                `${dropped.calls}; before=${dropped.before.toISOString()}`
              ] as const
            ])
      ],
      body: (sink) => writeCsv(context, filter, separator, sink).finally(finish)
    }
  })
]

/** Whole hours, so that the sums and the calls speak of the same period. */
const filterOf = (ask: Incoming, person: Person): UsageFilter => {
  const now = Date.now()
  const from = Math.floor(momentOf(ask, "from", now - 30 * 24 * hourMs).getTime() / hourMs) * hourMs
  const to = Math.ceil(momentOf(ask, "to", now).getTime() / hourMs) * hourMs
  if (from >= to) throw new ApiProblem(400, "invalid")
  return {
    accountId: person.accountId,
    from: new Date(from),
    to: new Date(to),
    keyId: textOf(ask, "key"),
    model: textOf(ask, "model")
  }
}

const cursorOf = (ask: Incoming) => {
  const [at, callId, ...more] = textOf(ask, "before")?.split("|") ?? []
  if (at === undefined) return undefined
  if (callId === undefined || more.length > 0 || !/^\d{4}-[\d :.+-]{10,40}$/.test(at))
    throw new ApiProblem(400, "invalid")
  return { at, callId }
}

const writeCsv = (context: DashboardContext, filter: CallFilter, separator: "," | ";", sink: Sink) =>
  context.run(
    exportUsage(filter, { forSpreadsheet: true, separator }).pipe(
      Stream.mapEffect((text) => Effect.promise(() => sink.write(text))),
      Stream.takeWhile((hasMoreRoom) => hasMoreRoom),
      Stream.runDrain
    )
  )

const renderSum = (sum: UsageSum) => ({
  calls: sum.calls,
  failed_calls: sum.failedCalls,
  input_tokens: sum.inputTokens,
  output_tokens: sum.outputTokens,
  cost_vnd: formatVnd(sum.cost)
})

export const renderCall = (call: LoggedCall) => ({
  id: call.callId,
  at: call.at.getTime(),
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
  tool_uses: call.toolUses
})
