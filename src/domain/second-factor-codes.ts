/** Codes of authenticator apps and recovery codes, as people type them and as they are kept. */
import { composedText } from "./typed-text.ts"

/** Those of Crockford's base 32: none of its 32 letters and digits is taken for another, nor does their case count. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const recoveryLength = 12

/** Sixty bits, to be copied by hand. */
export const makeRecoveryCode = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(recoveryLength))
  return inGroups([...bytes].map((byte) => alphabet[byte % alphabet.length]).join(""))
}

const inGroups = (code: string): string => code.replace(/(.{4})(?=.)/g, "$1-")

// Blanks, dashes of all kinds and the minus sign, and what nobody sees.
const between = /[\s\p{Pd}\p{Cf}\u2212]/gu
const recovery = new RegExp(`^[\\da-z]{${recoveryLength}}$`, "i")

/**
 * As it is sent: apps show six digits in two groups, some keyboards have wide ones, and of a recovery code that was copied
 * by hand case and hyphens may be others. Former ones have ten characters, whose case counts.
 */
export const readCode = (typed: string): string => {
  const code = composedText(typed, "NFKC").replace(between, "")
  if (!recovery.test(code)) return code.replace(/^(\w{5})(\w{5})$/, "$1-$2")
  return inGroups(code.toLowerCase().replaceAll("o", "0").replace(/[il]/g, "1"))
}

export const isCode = (typed: string): boolean => /^\d{6}$/.test(readCode(typed))
