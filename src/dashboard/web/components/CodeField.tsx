/** Where a code of an authenticator app, or one that was kept for the day it is lost, is typed. */
import { postAuth } from "../api.ts"
import { securityText } from "../text/security.ts"
import { Field } from "./Field.tsx"

interface CodeFieldProperties {
  readonly value: string
  readonly isTried: boolean
  /** Of the app alone. */
  readonly isFirst?: boolean
  readonly onText: (value: string) => void
}

/** As it is sent: apps show six digits in two groups, and of a recovery code that was copied by hand the hyphen may be gone. */
export const readCode = (typed: string): string =>
  typed.replace(/\s/g, "").replace(/^(\w{5})(\w{5})$/, "$1-$2")

export const isCode = (typed: string): boolean => /^\d{6}$/.test(readCode(typed))

/** The second step of signing in. */
export const postCode = (typed: string): Promise<unknown> =>
  postAuth(isCode(typed) ? "two-factor/verify-totp" : "two-factor/verify-backup-code", {
    code: readCode(typed)
  })

export const CodeField = ({ isFirst = false, isTried, onText, value }: CodeFieldProperties) => {
  const words = securityText()
  const isWhole = isFirst ? isCode(value) : value.trim() !== ""
  return (
    <Field
      label={words.code}
      hint={isFirst ? undefined : words.codeHint}
      autoFocus
      autoComplete="one-time-code"
      isExact
      {...(isFirst && { inputMode: "numeric" })}
      maxLength={20}
      value={value}
      problem={isTried && !isWhole ? words.codeNeeded : undefined}
      onText={onText}
    />
  )
}
