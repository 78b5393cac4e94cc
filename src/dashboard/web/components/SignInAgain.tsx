/** Asks whoever's session has ended to sign in again, above what they were about to send. */
import { useEffect, useRef, useState } from "preact/hooks"
import { signingIn } from "../confirming.ts"
import { text } from "../language.ts"
import { hasPasskeys } from "../passkeys.ts"
import { hrefOf } from "../router.ts"
import { beginSignIn, loadSession, session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { useSubmit } from "../use-submit.ts"
import { CodeField, postCode } from "./CodeField.tsx"
import { Dialog } from "./Dialog.tsx"
import { FormActions } from "./FormActions.tsx"
import { Form } from "./Form.tsx"
import { PasskeyButton } from "./PasskeyButton.tsx"
import { PasswordField } from "./PasswordField.tsx"

export const SignInAgain = () => {
  const now = session.value
  const [former] = useState(now)
  const words = securityText()
  // Signed in here or in another tab.
  useEffect(() => {
    if (now === former) return
    if (now?.person?.account_id === former?.person?.account_id) signingIn.value?.done()
    else signingIn.value?.cancel()
  }, [now])
  const cancel = () => signingIn.value?.cancel()
  return (
    <Dialog title={words.againTitle} onClose={cancel}>
      <p class="mb-5 text-sm text-soft">{words.againHint(now?.person?.email ?? "")}</p>
      {hasPasskeys() && (
        <div class="mb-5">
          <PasskeyButton label={words.signInByPasskey} onDone={() => loadSession()} />
        </div>
      )}
      {now?.person?.has_password && <Password email={now.person.email} onCancel={cancel} />}
      <p class="mt-5 text-sm">
        <a class="text-accent-ink underline" href={hrefOf("/signin")} target="_blank" rel="noopener">
          {words.inNewTab}
        </a>
      </p>
    </Dialog>
  )
}

const Password = ({ email, onCancel }: { readonly email: string; readonly onCancel: () => void }) => {
  const [password, setPassword] = useState("")
  // Where a second step is asked for.
  const [code, setCode] = useState<string>()
  const place = useRef<HTMLDivElement>(null)
  // With the password's field goes the focus.
  useEffect(() => {
    if (code !== undefined) place.current?.querySelector("input")?.focus()
  }, [code === undefined])
  const form = useSubmit((code ?? password).trim() !== "", async () => {
    if (code === undefined) {
      if (await beginSignIn(email, password)) return setCode("")
    } else await postCode(code)
    await loadSession()
  })
  return (
    <div ref={place}>
      <Form of={form} class="space-y-5">
        {code === undefined ? (
          <PasswordField autoFocus value={password} isTried={form.isTried} onText={setPassword} />
        ) : (
          <CodeField value={code} isTried={form.isTried && code !== ""} onText={setCode} />
        )}
        <FormActions form={form} action={text().auth.signIn} onCancel={onCancel} />
      </Form>
    </div>
  )
}
