/** Asks whoever has no second factor for their password, and says so where they have none; the others are asked once the form is sent. */
import { session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { PasswordField, type PasswordFieldProperties } from "./PasswordField.tsx"

/** Whether the password is what counts. */
export const needsPassword = (): boolean => session.value?.person?.has_second_factor !== true

export const hasPassword = (password: string): boolean => password !== "" || !needsPassword()

/** As it is sent. */
export const passwordIn = (password: string): { readonly password?: string } =>
  password === "" ? {} : { password }

export const OwnPassword = (properties: PasswordFieldProperties) => {
  if (!needsPassword()) return null
  if (session.value?.person?.has_password === false)
    return (
      <p role="status" class="text-sm text-warn">
        {securityText().noPassword}
      </p>
    )
  return <PasswordField {...properties} />
}
