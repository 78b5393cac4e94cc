/** What is typed of an amount: what the API takes, and what to say of what can not be read. */
import { formatVnd, fromVnd, type MicroVnd, parseVnd } from "../../domain/money.ts"
import { readTypedVnd, readWholeVnd, showVnd, writeVnd } from "../../domain/typed-money.ts"
import { language, money, text } from "./language.ts"

/** Exact decimal VND; `undefined` for what is no amount, and for what could be two. */
export const amountOf = (typed: string): string | undefined => {
  const read = readTypedVnd(typed)
  return read._tag === "Amount" ? formatVnd(read.amount) : undefined
}

/** Where only whole dong can be. */
export const wholeAmountOf = (typed: string): number | undefined => {
  const amount = readWholeVnd(typed)
  return amount === undefined ? undefined : Number(formatVnd(amount))
}

/** `amountBad`: what to say of what is no amount at all. */
export const explainAmount = (typed: string, amountBad: string): string => {
  const read = readTypedVnd(typed)
  return read._tag === "Ambiguous" ? text().errors.ambiguousAmount(...read.writings) : amountBad
}

/** As it stands in a field: read as itself, in either language. */
export const writeAmount = (vnd: string): string => writeVnd(microVndOf(vnd), language.value)

export const writeWholeAmount = (vnd: number): string => showVnd(fromVnd(BigInt(vnd)), language.value)

/** `+500.000 ₫`, `−500.000 ₫`. */
export const signedMoney = (vnd: string): string => `${vnd.startsWith("-") ? "" : "+"}${money(vnd)}`

export const addAmounts = (one: string, other: string): string =>
  formatVnd(microVndOf(one) + microVndOf(other))

const microVndOf = (vnd: string): MicroVnd => {
  const amount = parseVnd(vnd)
  if (amount === undefined) throw new Error(`No amount: ${vnd}`)
  return amount
}
