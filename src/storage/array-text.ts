/**
 * A column of many rows as PostgreSQL's text of an array: the client would weigh and escape every element by itself. Nulls at
 * its end are left out, as `unnest` of several arrays fills the shorter ones up with them; most columns of calls are nothing else.
 */
import type { MicroVnd } from "../domain/money.ts"

export const arrayText = <Row>(rows: ReadonlyArray<Row>, read: (row: Row) => string | null): string =>
  joined(rows, (row) => {
    const value = read(row)
    return value === null ? null : quoted(value)
  })

/** The same for what needs no quotes. */
export const plainArrayText = <Row>(
  rows: ReadonlyArray<Row>,
  read: (row: Row) => number | bigint | boolean | null
): string => joined(rows, read)

const joined = <Row>(
  rows: ReadonlyArray<Row>,
  read: (row: Row) => string | number | bigint | boolean | null
): string => {
  let text = ""
  let nulls = 0
  for (const row of rows) {
    const value = read(row)
    if (value === null) {
      nulls++
      continue
    }
    if (nulls > 0) text += "NULL,".repeat(nulls)
    nulls = 0
    text += `${value},`
  }
  return `{${text.slice(0, -1)}}`
}

/** µVND that are asked for. Whoever asks for more than a column can hold asks for what nobody has. */
export const askedAmount = (amount: MicroVnd): MicroVnd => (amount > amountMax ? amountMax : amount)

const amountMax: MicroVnd = 2n ** 63n - 1n

/** Bytes as PostgreSQL's text of an array of them. */
export const byteaArrayText = (values: ReadonlyArray<Uint8Array>): string =>
  `{${values.map((value) => `"\\\\x${Buffer.from(value).toString("hex")}"`).join(",")}}`

/** One element. */
export const quoted = (text: string): string =>
  /["\\]/.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`
