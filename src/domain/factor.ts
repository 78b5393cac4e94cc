/** Factors that prices are multiplied by: decimals as people write them, kept exactly. */

/** `numerator / denominator`; the denominator is a power of ten. Plain data: it crosses threads. */
export interface Factor {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const one: Factor = { numerator: 1n, denominator: 1n }

/** Reads `2`, `0.5`, `1.15`; `undefined` for anything else, for zero, and for more than six decimals. */
export const parseFactor = (text: string): Factor | undefined => {
  const parts = /^(\d{1,4})(?:\.(\d{1,6}))?$/.exec(text)
  if (parts === null) return undefined
  const decimals = (parts[2] ?? "").replace(/0+$/, "")
  const numerator = BigInt(parts[1]! + decimals)
  return numerator === 0n ? undefined : { numerator, denominator: 10n ** BigInt(decimals.length) }
}

/** What `parseFactor` reads, without trailing zeros. */
export const formatFactor = ({ denominator, numerator }: Factor): string => {
  const decimals = (numerator % denominator)
    .toString()
    .padStart(denominator.toString().length - 1, "0")
    .replace(/0+$/, "")
  return `${numerator / denominator}${decimals === "" ? "" : `.${decimals}`}`
}

export const times = (left: Factor, right: Factor): Factor => ({
  numerator: left.numerator * right.numerator,
  denominator: left.denominator * right.denominator
})

export const larger = (left: Factor, right: Factor): Factor =>
  left.numerator * right.denominator >= right.numerator * left.denominator ? left : right
