/**
 * Rows as PostgreSQL's text of an array of a composite type. It reads thirty columns of one array in a third of the time that it
 * takes for thirty arrays, each of which is a function of its own to it.
 */
export type Field = string | number | bigint | boolean | null

export const rowsText = (rows: ReadonlyArray<ReadonlyArray<Field>>): string => {
  let text = ""
  for (const row of rows) text += `${text === "" ? "" : ","}"(${fieldsText(row)})"`
  return `{${text}}`
}

const fieldsText = (row: ReadonlyArray<Field>): string => {
  let text = fieldText(row[0]!)
  for (let index = 1; index < row.length; index++) text += `,${fieldText(row[index]!)}`
  return text
}

/** As it stands within an element's quotes: what its own row would write as `"` and `\` is escaped once more there. */
const fieldText = (field: Field): string => {
  if (typeof field !== "string") return field === null ? "" : String(field)
  // Nothing at all would be null.
  if (field === "") return '\\"\\"'
  return plain.test(field) ? field : `\\"${field.replace(/["\\]/g, "\\\\\\$&")}\\"`
}

const plain = /^[\w.:/-]+$/

/** Bytes as PostgreSQL writes them. */
export const byteaText = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString("hex")}`
