/** The statement of an account as CSV: any period, any number of lines, in flat memory. */
import { Effect, Option, Stream } from "effect"
import type { MicroVnd } from "../domain/money.ts"
import { Database } from "../storage/Database.ts"
import {
  readStatement,
  type StatementCursor,
  type StatementFilter,
  type StatementLine,
  type StatementPage
} from "../storage/calls/StatementStore.ts"
import { type CsvFormat, csvHeader, type CsvRow, csvRows } from "./csv-format.ts"

const columns = [
  "day",
  "time",
  "kind",
  "model",
  "description",
  "calls",
  "input_tokens",
  "output_tokens",
  "amount_vnd",
  "balance_vnd"
]

const pageLines = 2_000

interface Position {
  readonly cursor: StatementCursor | undefined
  /** After the last line that was written; `undefined` before the first page. */
  readonly balance: MicroVnd | undefined
}

/**
 * The header, the balance before, a chunk of text for each page of lines, the balance after. A page is read when the chunk
 * before it was taken. Each balance is the one above it and the amount beside it, also where calls of a day that is
 * written already come in between two pages.
 */
export const exportStatement = (filter: StatementFilter, format: CsvFormat) =>
  Stream.concat(
    Stream.succeed(csvHeader(columns, format)),
    Stream.unwrap(
      Effect.map(Database, (database) =>
        Stream.paginate({ cursor: undefined, balance: undefined } as Position, ({ balance, cursor }) =>
          database
            .run("read statement", (sql) => readStatement(sql, filter, { after: cursor, limit: pageLines }))
            .pipe(
              Effect.map((page) => {
                const { last, rows } = writePage(page, balance)
                const following: Option.Option<Position> =
                  page.next === undefined ? Option.none() : Option.some({ cursor: page.next, balance: last })
                return [[csvRows(rows, format)], following] as const
              })
            )
        )
      )
    )
  )

const writePage = ({ lines, next, sums }: StatementPage, before: MicroVnd | undefined) => {
  let last = before ?? sums.opening
  const rows: Array<CsvRow> = before === undefined ? [balanceRow("opening_balance", last)] : []
  for (const line of lines) {
    last += line.amount
    rows.push(lineRow(line, last))
  }
  if (next === undefined) rows.push(balanceRow("closing_balance", last))
  return { last, rows }
}

const balanceRow = (kind: string, balance: MicroVnd): CsvRow =>
  columns.map((name) => (name === "kind" ? kind : name === "balance_vnd" ? balance : ""))

const lineRow = (line: StatementLine, balance: MicroVnd): CsvRow => [
  line.day,
  ...(line.kind === "calls"
    ? ["", line.kind, line.model, "", line.calls, line.inputTokens, line.outputTokens]
    : [new Date(line.atMs).toISOString(), line.kind, "", line.reason, "", "", ""]),
  line.amount,
  balance
]
