/**
 * Decimals as people type them, with a point or a comma. `1.250` is 1250 to some and 1.25 to others, so it is not read at
 * all; `1.2500` and `1250` are. Nobody sets a zero apart from thousands: `0.125` has one reading.
 */
import { decimalPattern, percentPattern, plainDecimal } from "./decimal.ts"
import { seenText } from "./typed-text.ts"

const isTwoThings = /^[1-9]\d{0,2}[.,]\d{3}$/

/** As the API takes it; `undefined` for what is none, or could be two. */
export const readTypedDecimal = (typed: string): string | undefined => {
  const text = seenText(typed)
  const plain = text.replace(",", ".")
  return isTwoThings.test(text) || !decimalPattern.test(plain) ? undefined : plainDecimal(plain)
}

export const readTypedPercent = (typed: string): string | undefined => {
  const plain = seenText(typed)
    .replace(/^\+(?=\d)/, "")
    .replace("−", "-")
    .replace("%", "")
    .trim()
    .replace(",", ".")
  return percentPattern.test(plain) ? plainDecimal(plain) : undefined
}
