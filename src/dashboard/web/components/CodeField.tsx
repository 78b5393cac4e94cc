/** Where a code of an authenticator app, or one that was kept for the day it is lost, is typed. */
import { isCode, readCode } from "../../../domain/second-factor-codes.ts"
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
