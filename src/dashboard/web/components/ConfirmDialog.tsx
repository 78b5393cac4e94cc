/** Asks for the second factor before what has just been asked for is done. */
import { useState } from "preact/hooks"
import { readCode } from "../../../domain/second-factor-codes.ts"
import { postAuth } from "../api.ts"
import { confirming } from "../confirming.ts"
import { text } from "../language.ts"
import { hasPasskeys } from "../passkeys.ts"
import { session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { useSubmit } from "../use-submit.ts"
import { Button } from "./Button.tsx"
import { CodeField } from "./CodeField.tsx"
import { Dialog, DialogActions } from "./Dialog.tsx"
import { FormActions } from "./FormActions.tsx"
import { Form } from "./Form.tsx"
import { PasskeyButton } from "./PasskeyButton.tsx"

export const ConfirmDialog = () => {
  const [code, setCode] = useState("")
  const person = session.value?.person
  const usesPasskey = person?.has_passkey === true && hasPasskeys()
  const words = securityText()
  const form = useSubmit(code.trim() !== "", async () => {
    await postAuth("confirm", { code: readCode(code) })
    confirming.value?.done()
  })
  const cancel = () => confirming.value?.cancel()
  return (
    <Dialog title={words.confirmTitle} onClose={cancel}>
      <p class="mb-5 text-sm text-soft">{words.confirmHint}</p>
      {usesPasskey && (
        <div class="mb-5">
          <PasskeyButton onDone={() => confirming.value?.done()} />
        </div>
      )}
      {!person?.has_totp && !usesPasskey && <p class="text-sm text-soft">{words.passkeyElsewhere}</p>}
      {person?.has_totp ? (
        <Form of={form} class="space-y-5">
          <CodeField value={code} isTried={form.isTried} onText={setCode} />
          <FormActions form={form} action={words.confirm} onCancel={cancel} />
        </Form>
      ) : (
        <DialogActions>
          <Button onClick={cancel}>{text().common.cancel}</Button>
        </DialogActions>
      )}
    </Dialog>
  )
}
