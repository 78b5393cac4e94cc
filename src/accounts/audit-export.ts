/** The audit log as CSV: any number of rows, in flat memory. */
import { Effect, Option, Stream } from "effect"
import { type AuditFilter, type AuditRow, listAudit } from "../storage/AuditStore.ts"
import { Database } from "../storage/Database.ts"
import { type CsvFormat, csvHeader, type CsvRow, csvRows } from "./csv-format.ts"

const columns: ReadonlyArray<readonly [name: string, cell: (row: AuditRow) => CsvRow[number]]> = [
  ["time", (row) => new Date(row.atMs).toISOString()],
  ["actor", (row) => row.actor],
  ["action", (row) => row.action],
  ["subject", (row) => row.subject],
  ["subject_id", (row) => row.subjectId],
  ["account", (row) => row.named ?? ""],
  ["detail", (row) => JSON.stringify(row.detail)]
]

const pageRows = 2_000

/** The header, then a chunk of text for each page, newest first. A page is read when the chunk before it was taken. */
export const exportAudit = (filter: AuditFilter, format: CsvFormat) =>
  Stream.concat(
    Stream.succeed(
      csvHeader(
        columns.map(([name]) => name),
        format
      )
    ),
    Stream.unwrap(
      Effect.map(Database, (database) =>
        Stream.paginate(undefined as string | undefined, (before) =>
          database
            .run("list audit", (sql) => listAudit(sql, filter, { before, limit: pageRows }))
            .pipe(
              Effect.map((rows) => {
                const text = csvRows(
                  rows.map((row) => columns.map(([, cell]) => cell(row))),
                  format
                )
                const last = rows.length < pageRows ? undefined : rows.at(-1)?.id
                return [text === "" ? [] : [text], Option.fromUndefinedOr(last)] as const
              })
            )
        )
      )
    )
  )
