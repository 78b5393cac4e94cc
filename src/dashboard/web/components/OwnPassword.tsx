/** Asks whoever has no second factor for their password, and says so where they have none; the others are asked once the form is sent. */
import { text } from "../language.ts"
import { session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { Field } from "./Field.tsx"

/** Whether the password is what counts. */
export const needsPassword = (): boolean => session.value?.person?.has_second_factor !== true

export const hasPassword = (password: string): boolean => password !== "" || !needsPassword()

/** As it is sent. */
export const passwordIn = (password: string): { readonly password?: string } =>
  password === "" ? {} : { password }

interface OwnPasswordProperties {
  readonly label?: string
  readonly hint?: string
  readonly autoFocus?: boolean
  readonly value: string
  readonly isTried: boolean
  readonly onText: (value: string) => void
}

export const OwnPassword = ({ isTried, label, ...rest }: OwnPasswordProperties) => {
  const { auth } = text()
  if (!needsPassword()) return null
  if (session.value?.person?.has_password === false)
    return (
      <p role="status" class="text-sm text-warn">
        {securityText().noPassword}
      </p>
    )
  return (
    <Field
      label={label ?? auth.password}
      type="password"
      autoComplete="current-password"
      maxLength={128}
      problem={isTried && rest.value === "" ? auth.required : undefined}
      {...rest}
    />
  )
}
