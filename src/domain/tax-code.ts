/** The form of a Vietnamese tax code, and how it is kept. */
import { composedText } from "./typed-text.ts"

/**
 * The form of a Vietnamese tax code: ten digits, three more behind a hyphen for a branch, or a person's twelve
 * (Circular 86/2024/TT-BTC).
 */
export const isTaxCode = (text: string): boolean => /^(\d{10}(-\d{3})?|\d{12})$/.test(text)

/** As it is kept: without what nobody sees, and with a branch's hyphen, whichever dash stood there, or none. */
export const typedTaxCode = (text: string): string =>
  composedText(text, "NFKC")
    .replaceAll(/[\s\p{Cf}]/gu, "")
    .replace(/^(\d{10})\p{Pd}?(\d{3})$/u, "$1-$2")
