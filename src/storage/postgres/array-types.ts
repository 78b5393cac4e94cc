/**
 * Arrays of PostgreSQL's own types, by their numbers in `pg_type`, which never change. postgres.js would ask each new
 * connection for them, and end the process where that connection ends meanwhile.
 */
import type { PostgresType } from "postgres"
import { arrayText } from "../array-text.ts"

const arrayOf = <A>(
  oid: number,
  show: (element: A) => string,
  read: (text: string) => A
): PostgresType<ReadonlyArray<A | null>> => ({
  to: oid,
  from: [oid],
  serialize: (value: ReadonlyArray<A | null> | string) =>
    typeof value === "string"
      ? value
      : arrayText(value, (element) => (element === null ? null : show(element))),
  parse: (text: string) => readArray(text).map((element) => (element === null ? null : read(element)))
})

/** One dimension: what else an array may hold, no column of ours has. */
const readArray = (text: string): Array<string | null> => {
  if (!text.startsWith("{") || text.startsWith("{{")) throw new Error("not an array of one dimension")
  const elements: Array<string | null> = []
  for (const [, inQuotes, bare] of text.slice(1, -1).matchAll(/"((?:[^"\\]|\\.)*)"|([^,"]+)/gs)) {
    if (inQuotes !== undefined) elements.push(inQuotes.replaceAll(/\\(.)/gs, "$1"))
    else elements.push(bare === "NULL" ? null : bare!)
  }
  return elements
}

const same = (text: string) => text

export const arrayTypes: Readonly<Record<string, PostgresType>> = {
  booleans: arrayOf(
    1000,
    (value: boolean) => (value ? "t" : "f"),
    (text) => text === "t"
  ),
  bytes: arrayOf(
    1001,
    (value: Uint8Array) => `\\x${Buffer.from(value).toString("hex")}`,
    (text) => Buffer.from(text.slice(2), "hex")
  ),
  integers: arrayOf(1007, (value: number) => String(value), Number),
  texts: arrayOf(1009, same, same),
  bigints: arrayOf(1016, (value: bigint) => String(value), BigInt),
  floats: arrayOf(1022, (value: number) => String(value), Number),
  times: arrayOf(
    1185,
    (value: Date) => value.toISOString(),
    (text) => new Date(text)
  )
}
