/** Decimals as people type and the API takes them: kept as their text, since nothing of them may be rounded. */

/** `3`, `0.15`, `0.0375`: not negative, at most twelve digits before the point and nine behind. */
export const decimalPattern = /^\d{1,12}(\.\d{1,9})?$/u

/** What people write for thousands, and no program for a fraction, which would not end with a zero: `26.350`, `500.000`. */
export const thousandsPattern = /^-?[1-9]\d{0,2}\.\d\d0$/

/** VND for one of a currency, to the µVND: more than none. */
export const ratePattern = /^(?=.*[1-9])\d{1,9}(\.\d{1,6})?$/u

/** `-5`, `12.5`: what a percentage may be, two decimals at most. */
export const percentPattern = /^-?\d{1,3}(\.\d{1,2})?$/u

/** Without what says nothing: `3.100` is `3.1`. */
export const plainDecimal = (text: string): string =>
  text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text
