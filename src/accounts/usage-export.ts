/** The call log as CSV: any period, any number of rows, in flat memory. */
import { Effect, Option, Stream } from "effect"
import { type CallFilter, type LoggedCall, readCallPage, readClock } from "../storage/calls/CallStore.ts"
import { Database } from "../storage/Database.ts"
import type { CallCursor } from "../storage/calls/find-hours.ts"
import { countDropped } from "../storage/calls/UsageStore.ts"
import { type CsvFormat, csvHeader, type CsvRow, csvRows } from "./csv-format.ts"

/** The columns, in this order, and what stands in them. */
const columns: ReadonlyArray<readonly [name: string, cell: (call: LoggedCall) => CsvRow[number]]> = [
  ["time", (call) => call.at.toISOString()],
  ["request_id", (call) => call.callId],
  ["key_id", (call) => call.keyId],
  ["key_name", (call) => call.keyName],
  ["endpoint", (call) => call.endpoint],
  ["model_requested", (call) => call.modelRequested],
  ["model", (call) => call.model],
  ["stream", (call) => String(call.stream)],
  ["status", (call) => call.status],
  ["error_type", (call) => call.errorType],
  ["input_tokens", (call) => call.inputTokens],
  ["output_tokens", (call) => call.outputTokens],
  ["estimated", (call) => String(call.estimated)],
  ["cost_vnd", (call) => call.cost],
  ["latency_ms", (call) => call.latencyMs],
  ["first_byte_ms", (call) => call.firstByteMs ?? ""]
]

const pageRows = 2_000

/**
 * The header, then a chunk of text for each page. A page is read when the chunk before it was taken, so whoever takes
 * slowly costs nothing. Calls that come in while it runs are not part of it.
 */
export const exportUsage = (filter: CallFilter, format: CsvFormat) =>
  Stream.concat(
    Stream.succeed(
      csvHeader(
        columns.map(([name]) => name),
        format
      )
    ),
    readCalls(filter).pipe(
      Stream.map((calls) =>
        csvRows(
          calls.map((call) => columns.map(([, cell]) => cell(call))),
          format
        )
      ),
      Stream.filter((text) => text !== "")
    )
  )

/** What is missing in an export, since it is no longer kept. */
export const countDroppedCalls = Effect.fnUntraced(function* (filter: CallFilter) {
  const database = yield* Database
  const { from, to, ...rest } = filter
  const period = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
  return yield* database.run("count dropped calls", (sql) => countDropped(sql, { ...rest, ...period }))
})

/** The calls of the filter in order of time, page by page. */
const readCalls = (filter: CallFilter) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const database = yield* Database
      const now = yield* database.run("read clock", readClock)
      const to = filter.to === undefined || filter.to > now ? now : filter.to
      return Stream.paginate(undefined as CallCursor | undefined, (after) =>
        database
          .run("read calls", (sql) =>
            readCallPage(sql, { ...filter, to }, { order: "oldest first", after, limit: pageRows })
          )
          .pipe(Effect.map((page) => [[page.calls], Option.fromUndefinedOr(page.next)] as const))
      )
    })
  )
