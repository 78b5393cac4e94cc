/**
 * Rows as PostgreSQL's text of an array of a composite type. It reads thirty columns of one array in a third of the time that it
 * takes for thirty arrays, each of which is a function of its own to it.
 */
export type Field = string | number | bigint | boolean | null

export const rowsText = (rows: ReadonlyArray<ReadonlyArray<Field>>): string =>
  `{${rows.map(rowText).join(",")}}`

const rowText = (fields: ReadonlyArray<Field>): string => {
  const row = fields.map(fieldText).join(",")
  return `"(${special.test(row) ? escaped(row) : row})"`
}

const fieldText = (field: Field): string => {
  if (field === null) return ""
  return typeof field !== "string" || plain.test(field) ? String(field) : `"${escaped(field)}"`
}

/** What needs no quotes. Nothing at all would be null. */
const plain = /^[\w.:/-]+$/
const special = /["\\]/

const escaped = (text: string): string => text.replace(/["\\]/g, "\\$&")

/** Bytes as PostgreSQL writes them. */
export const byteaText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`
