/** JSON from a bank's messenger: an object or nothing, and what stands in its fields. */
import { createHash } from "node:crypto"
import { isJsonRecord, type JsonRecord, textOf } from "../../domain/json-record.ts"
import { type MicroVnd, parseVnd } from "../../domain/money.ts"

export const parseJsonRecord = (raw: string): JsonRecord | undefined => parseRecord(raw)

/**
 * The same, with whole numbers that are too long to be exact as their text: of two such ids, one would be taken for the
 * other, and its transfer for one that was told of before.
 */
export const parseExactRecord = (raw: string): JsonRecord | undefined => parseRecord(raw, exact)

const parseRecord = (raw: string, revive?: Reviver): JsonRecord | undefined => {
  try {
    const value: unknown = parse(raw, revive)
    return isJsonRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Reviver = (name: string, value: unknown, from: { readonly source?: string }) => unknown

/** The engine tells what a value was read from; the language's types do not. */
const parse = JSON.parse as (text: string, revive?: Reviver) => unknown

const exact: Reviver = (_, value, { source }) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? source : value

/** Those of the values that say something. */
export const textsOf = (...values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.map(textOf).filter((value) => value !== "")

/** One line of at most 200 characters, for what is shown beside a transfer. */
export const lineOf = (...values: ReadonlyArray<unknown>): string =>
  (textsOf(...values)[0] ?? "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200)

/** One that is no plain short text is known by its hash, since nothing may be refused for ever for its sake. */
export const idOf = (value: unknown): string | undefined => {
  const id = textOf(value).trim()
  if (id === "") return undefined
  return /^[\x20-\x7e]{1,100}$/.test(id) ? id : `sha256:${createHash("sha256").update(id).digest("hex")}`
}

/**
 * `2277000` and `"2277000.00"` alike; a number with a fraction is not money a bank sends. `"500.000"` may be five hundred or
 * five hundred thousand: it is not read.
 */
export const amountOf = (value: unknown): MicroVnd | undefined => {
  if (typeof value === "number" && !Number.isSafeInteger(value)) return undefined
  const text = textOf(value).trim()
  return /\.\d{3}/.test(text) ? undefined : parseVnd(text)
}
