/** Where the password is typed that the person has; password managers are told whose it is. */
import { passwordLengthMax } from "../../../domain/field-limits.ts"
import { text } from "../language.ts"
import { session } from "../session.ts"
import { Field } from "./Field.tsx"

export interface PasswordFieldProperties {
  readonly label?: string
  readonly hint?: string
  readonly autoFocus?: boolean
  readonly value: string
  readonly isTried: boolean
  readonly onText: (value: string) => void
}

export const PasswordField = ({ isTried, label, ...rest }: PasswordFieldProperties) => {
  const { auth } = text()
  return (
    <>
      {/* One of the type hidden is no field to them. */}
      <input type="text" autoComplete="username" value={session.value?.person?.email} readOnly hidden />
      <Field
        label={label ?? auth.password}
        type="password"
        autoComplete="current-password"
        maxLength={passwordLengthMax}
        problem={isTried && rest.value === "" ? auth.required : undefined}
        {...rest}
      />
    </>
  )
}
