/**
 * The form of a Vietnamese tax code: ten digits, three more behind a hyphen for a branch, or a person's twelve
 * (Circular 86/2024/TT-BTC).
 */
export const isTaxCode = (text: string): boolean => /^(\d{10}(-\d{3})?|\d{12})$/.test(text)
