/** Figures out of several rounds: the middle one, and how far they spread. */

export interface Figure {
  readonly median: number
  readonly least: number
  readonly most: number
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!
}

export const figureOf = (values: ReadonlyArray<number>): Figure => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values)
})

/** `1,234`, `56.7`, `0.042`: three digits that count. */
export const shown = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  const size = Math.abs(value)
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** `1,234,567`. */
export const whole = (value: number): string => value.toLocaleString("en-US")

/** The middle one, and the least and the most in brackets. */
export const shownFigure = ({ least, median, most }: Figure): string =>
  least === most ? shown(median) : `${shown(median)} (${shown(least)}–${shown(most)})`
