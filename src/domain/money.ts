/**
 * Money is a whole number of micro-dong (µVND), always a `bigint`.
 *
 * A price of P VND per 1,000,000 tokens is P µVND per token, so a cost is an exact product and nothing is rounded.
 */

/** One millionth of a dong. */
export type MicroVnd = bigint

export const microVndPerVnd = 1_000_000n

/** Whole dong to µVND. */
export const fromVnd = (vnd: bigint): MicroVnd => vnd * microVndPerVnd

export const atLeastZero = (amount: MicroVnd): MicroVnd => (amount < 0n ? 0n : amount)

/** Decimal VND with up to six decimals and no trailing zeros: `0.83`, `230`, `-1062.4`. */
export const formatVnd = (amount: MicroVnd): string => {
  const sign = amount < 0n ? "-" : ""
  const magnitude = amount < 0n ? -amount : amount
  const fraction = (magnitude % microVndPerVnd).toString().padStart(6, "0").replace(/0+$/, "")
  return `${sign}${magnitude / microVndPerVnd}${fraction === "" ? "" : `.${fraction}`}`
}

/** Reads what `formatVnd` prints; `undefined` for anything else, also for more than six decimals. */
export const parseVnd = (text: string): MicroVnd | undefined => {
  const parts = /^(-?)(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text)
  if (parts === null) return undefined
  const magnitude = BigInt(parts[2]!) * microVndPerVnd + BigInt((parts[3] ?? "").padEnd(6, "0"))
  return parts[1] === "-" ? -magnitude : magnitude
}
