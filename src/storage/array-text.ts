/** A column of many rows as PostgreSQL's text of an array: the client would weigh and escape every element by itself. */
import type { MicroVnd } from "../domain/money.ts"

/** `null` as PostgreSQL's. */
export const arrayText = <Row>(rows: ReadonlyArray<Row>, read: (row: Row) => string | null): string =>
  `{${rows.map((row) => elementText(read(row))).join(",")}}`

/** The same for what needs no quotes. */
export const plainArrayText = <Row>(
  rows: ReadonlyArray<Row>,
  read: (row: Row) => number | bigint | boolean
): string => `{${rows.map(read).join(",")}}`

/** µVND that are asked for. Whoever asks for more than a column can hold asks for what nobody has. */
export const askedAmount = (amount: MicroVnd): MicroVnd => (amount > amountMax ? amountMax : amount)

const amountMax: MicroVnd = 2n ** 63n - 1n

/** Bytes as PostgreSQL's text of an array of them. */
export const byteaArrayText = (values: ReadonlyArray<Uint8Array>): string =>
  `{${values.map((value) => `"\\\\x${Buffer.from(value).toString("hex")}"`).join(",")}}`

const elementText = (text: string | null): string => {
  if (text === null) return "NULL"
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`
}
