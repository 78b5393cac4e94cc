/** One's passkeys: which there are, a new one, and removing one. */
import { useState } from "preact/hooks"
import { nameLengthMax } from "../../../domain/field-limits.ts"
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Show } from "../components/Layout.tsx"
import { hasPassword, OwnPassword } from "../components/OwnPassword.tsx"
import { toast } from "../components/Toasts.tsx"
import { fullDay, text } from "../language.ts"
import { addPasskey, hasPasskeys } from "../passkeys.ts"
import { loadSession, session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

interface Passkey {
  readonly id: string
  readonly name: string
  readonly created_at: number
}

export const Passkeys = () => {
  const passkeys = useLoad(() => get("/passkeys"), [])
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<Passkey>()
  const words = securityText()
  const changed = () => {
    passkeys.reload()
    void loadSession()
  }
  return (
    <div class="space-y-3 border-t border-line pt-4">
      <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p class="text-sm font-medium">{words.passkeys}</p>
        {hasPasskeys() && (
          <Button small icon="plus" onClick={() => setAdding(true)}>
            {words.addPasskey}
          </Button>
        )}
      </div>
      <p class="text-sm text-soft">{words.passkeysHint}</p>
      <Show of={passkeys} rows={1}>
        {(data) => (
          <ul class="divide-y divide-line">
            {data.passkeys.map((each) => (
              <li key={each.id} class="flex items-center justify-between gap-4 py-2.5">
                <div class="min-w-0">
                  <p class="truncate text-sm font-medium">{each.name}</p>
                  <p class="text-[0.8125rem] text-faint">{fullDay(each.created_at)}</p>
                </div>
                <Button small look="danger" onClick={() => setRemoved(each)}>
                  {words.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Show>
      {isAdding && <AddPasskey onAdded={changed} onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmEnd
          title={words.removePasskey(removed.name)}
          hint={words.removePasskeyHint}
          action={words.remove}
          done={words.passkeyRemoved}
          end={() => post("/passkeys/:id/remove", {}, { id: removed.id }).finally(changed)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </div>
  )
}

const AddPasskey = ({ onAdded, onClose }: { readonly onAdded: () => void; readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [password, setPassword] = useState("")
  const { auth } = text()
  const words = securityText()
  const isOwn = hasPassword(password) || session.value?.person?.has_password === false
  const form = useSubmit(name.trim() !== "" && isOwn, async () => {
    await addPasskey(name.trim(), password)
    toast(words.passkeyAdded)
    onAdded()
    onClose()
  })
  return (
    <Dialog title={words.addPasskey} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <Field
          label={words.passkeyName}
          hint={words.passkeyNameHint}
          autoFocus
          maxLength={nameLengthMax}
          value={name}
          problem={form.isTried && name.trim() === "" ? auth.required : undefined}
          onText={setName}
        />
        {session.value?.person?.has_password && (
          <OwnPassword
            label={auth.currentPassword}
            value={password}
            isTried={form.isTried}
            onText={setPassword}
          />
        )}
        <FormActions form={form} action={words.addPasskey} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
