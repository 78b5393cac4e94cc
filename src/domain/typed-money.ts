/**
 * Money as people type and read it, in Vietnamese (`1.062,4`) and in English (`1,062.4`).
 *
 * Whoever types does not say which language it is in, so what each would read as another amount is not read at all:
 * `12.345` is 12345 dong or 12 dong and a bit. `500.000` has one reading: nobody ends a fraction with a zero.
 */
import { thousandsPattern } from "./decimal.ts"
import type { Language } from "./language.ts"
import { formatVnd, type MicroVnd, microVndPerVnd, parseVnd } from "./money.ts"
import { seenText } from "./typed-text.ts"

export type TypedVnd =
  | { readonly _tag: "Amount"; readonly amount: MicroVnd }
  | {
      readonly _tag: "Ambiguous"
      readonly amounts: readonly [inThousands: MicroVnd, withFraction: MicroVnd]
      /** How to type each of them, so that it is read. */
      readonly writings: readonly [inThousands: string, withFraction: string]
    }
  | { readonly _tag: "Unreadable" }

const unreadable: TypedVnd = { _tag: "Unreadable" }

const units: Readonly<Record<string, bigint>> = {
  k: 1_000n,
  nghìn: 1_000n,
  ngàn: 1_000n,
  tr: 1_000_000n,
  triệu: 1_000_000n
}

const currency = /^(?:₫|đ|vnd|vnđ)\s?|\s?(?:₫|đ|đồng|vnd|vnđ)$/u
const withUnit = /^(\d{1,9})(?:[.,](\d{1,2}))?\s?(k|nghìn|ngàn|tr|triệu)$/u
const grouped = /^([1-9]\d{0,2}(?:([., ])\d{3})(?:\2\d{3})*)(?:([.,])(\d{1,6}))?$/
const decimal = /^(0|[1-9]\d*)(?:[.,](\d{1,6}))?$/
const isTwoThings = /^[1-9]\d{0,2}[.,]\d\d[1-9]$/

/** Reads what somebody typed as an amount of dong. */
export const readTypedVnd = (text: string): TypedVnd => {
  // Languages set thousands apart with several kinds of spaces, and the minus of a page is not that of a keyboard.
  const typed = seenText(text).toLowerCase().replace(/\s/gu, " ").replace("−", "-")
  const sign = typed.startsWith("-") ? "-" : ""
  const written = typed.replace(/^[+-]/, "").replace(currency, "")
  if (isTwoThings.test(written)) return readBothWays(sign, written)
  return amountIn(sign, withUnit.exec(written)) ?? readPlain(sign, written)
}

/**
 * An exact decimal, as a program writes it. A fraction of three digits that ends in a zero is what no program writes, and
 * people write for thousands: `500.000` is not taken for 500.
 */
export const readExactVnd = (text: string): MicroVnd | undefined =>
  thousandsPattern.test(text) ? undefined : parseVnd(text)

/** Where only whole dong can be: a separator has only thousands to set apart. `undefined` for anything else. */
export const readWholeVnd = (text: string): MicroVnd | undefined => {
  const typed = readTypedVnd(text)
  if (typed._tag === "Unreadable") return undefined
  const amount = typed._tag === "Ambiguous" ? typed.amounts[0] : typed.amount
  return amount % microVndPerVnd === 0n ? amount : undefined
}

/** As people read it: `1.062,4`, `1,062.4`. */
export const showVnd = (amount: MicroVnd, language: Language): string => {
  const [whole = "", fraction] = formatVnd(amount).split(".")
  const [thousands, point] = language === "vi" ? [".", ","] : [",", "."]
  const grouping = whole.replace(/\B(?=(\d{3})+$)/g, thousands)
  return fraction === undefined ? grouping : `${grouping}${point}${fraction}`
}

/** `showVnd`, but so that it is read whatever the language: what is put into a field for somebody to change. */
export const writeVnd = (amount: MicroVnd, language: Language): string => {
  const shown = showVnd(amount, language)
  const typed = readTypedVnd(shown)
  return typed._tag === "Ambiguous" ? typed.writings[typed.amounts.indexOf(amount)]! : shown
}

const amountOf = (sign: string, whole: string, fraction = ""): TypedVnd => {
  const amount = parseVnd(`${sign}${whole}${fraction === "" ? "" : `.${fraction}`}`)
  return amount === undefined ? unreadable : { _tag: "Amount", amount }
}

const readBothWays = (sign: string, written: string): TypedVnd => {
  const [whole = "", rest = ""] = written.split(/[.,]/)
  const thousands = `${sign}${whole}${rest}`
  return {
    _tag: "Ambiguous",
    amounts: [parseVnd(thousands)!, parseVnd(`${sign}${whole}.${rest}`)!],
    writings: [thousands, `${sign}${written}0`]
  }
}

const amountIn = (sign: string, parts: RegExpExecArray | null): TypedVnd | undefined => {
  if (parts === null) return undefined
  const [, whole = "", fraction = "", unit = ""] = parts
  const hundredths = BigInt(whole) * 100n + BigInt(fraction.padEnd(2, "0"))
  return amountOf(sign, ((hundredths * units[unit]!) / 100n).toString())
}

const readPlain = (sign: string, written: string): TypedVnd => {
  const [, groups, thousands, point, fraction = ""] = grouped.exec(written) ?? []
  if (groups !== undefined) {
    if (point !== undefined && (point === thousands || isMisplaced(fraction))) return unreadable
    return amountOf(sign, groups.replace(/\D/g, ""), fraction)
  }
  const [, whole, decimals = ""] = decimal.exec(written) ?? []
  return whole === undefined || isMisplaced(decimals) ? unreadable : amountOf(sign, whole, decimals)
}

/** Thousands that stand where a fraction should, as in `1.500,000`: a slip, and nobody can tell of which key. */
const isMisplaced = (fraction: string) => /^\d\d0$/.test(fraction)
