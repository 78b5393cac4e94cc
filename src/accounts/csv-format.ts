/** How our CSV is written: safe to open in a spreadsheet, whatever stands in its cells. */
import { type Options, stringify } from "csv-stringify/sync"
import { formatVnd, type MicroVnd } from "../domain/money.ts"

export interface CsvFormat {
  /** For files that a spreadsheet opens: byte order mark, and lines that end as Windows ends them. */
  readonly forSpreadsheet: boolean
  /** Between cells; a comma unless told otherwise. Spreadsheets that split at semicolons have the comma in decimals. */
  readonly separator?: "," | ";"
}

/**
 * Money is written as decimal VND: `1.234`, or `1,234` between semicolons, where the former is read as 1234. Unlike text
 * that begins with a minus sign, numbers and money are never marked as text.
 */
export type CsvRow = ReadonlyArray<string | number | MicroVnd>

export const csvRows = (rows: ReadonlyArray<CsvRow>, format: CsvFormat): string =>
  stringify([...rows], options(format))

/** The first row of a file, with what a spreadsheet knows UTF-8 by. */
export const csvHeader = (names: ReadonlyArray<string>, format: CsvFormat): string =>
  `${format.forSpreadsheet ? "\ufeff" : ""}${csvRows([names], format)}`

const withComma = (decimal: number | string): string => String(decimal).replace(".", ",")
const writeForComma = (amount: MicroVnd): string => withComma(formatVnd(amount))

const options = ({ forSpreadsheet, separator = "," }: CsvFormat): Options => ({
  delimiter: separator,
  // A cell that begins like a formula is shown, not reckoned: names and models come from outside.
  escape_formulas: true,
  record_delimiter: forSpreadsheet ? "windows" : "unix",
  cast: separator === ";" ? { bigint: writeForComma, number: withComma } : { bigint: formatVnd },
  quoted_match: /[\r\n]/
})
