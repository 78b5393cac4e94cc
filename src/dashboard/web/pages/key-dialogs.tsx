/** The dialogs of the keys page. */
import { useState } from "preact/hooks"
import { post } from "../api.ts"
import type { Key } from "../answers.ts"
import { ConfirmEnd } from "../components/ConfirmEnd.tsx"
import { Connect } from "../components/Connect.tsx"
import { Dialog, DoneAction } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { hasPassword, OwnPassword, passwordIn } from "../components/OwnPassword.tsx"
import { SecretText } from "../components/SecretText.tsx"
import { TryCall } from "../components/TryCall.tsx"
import { noteKey } from "../last-key.ts"
import { docsText } from "../text/docs.ts"
import { keysText } from "../text/keys.ts"
import { useSubmit } from "../use-submit.ts"
import { LimitFields, NameField } from "./KeyFields.tsx"
import { nothingTyped, sentOf } from "./key-settings.ts"

interface NewKey {
  readonly name: string
  readonly key: string
}

export const CreateKey = ({ onClose }: { readonly onClose: () => void }) => {
  const [created, setCreated] = useState<NewKey>()
  const words = keysText()
  return (
    <Dialog
      title={created ? words.createdTitle : words.create}
      onClose={onClose}
      wide={created !== undefined}
    >
      {created ? (
        <Created of={created} onClose={onClose} />
      ) : (
        <CreateForm onCreated={setCreated} onClose={onClose} />
      )}
    </Dialog>
  )
}

const CreateForm = (properties: { onCreated: (key: NewKey) => void; onClose: () => void }) => {
  const [typed, setTyped] = useState(nothingTyped)
  const words = keysText()
  const sent = sentOf(typed)
  const form = useSubmit(sent, async (whole) => {
    const created = await post("/keys", whole)
    noteKey(created.key)
    properties.onCreated(created)
  })
  return (
    <Form of={form} class="space-y-5">
      <NameField typed={typed} isTried={form.isTried} onTyped={setTyped} />
      <details>
        <summary class="mb-4 w-fit rounded text-sm text-soft hover:text-ink">{words.more}</summary>
        <LimitFields typed={typed} isTried={form.isTried} onTyped={setTyped} />
      </details>
      <FormActions form={form} action={words.create} onCancel={properties.onClose} />
    </Form>
  )
}

const Created = ({ of, onClose }: { readonly of: NewKey; readonly onClose: () => void }) => {
  const words = keysText()
  return (
    <>
      <p class="mb-4 text-sm text-soft">{words.createdHint}</p>
      <SecretText value={of.key} label={words.secret} />
      <details class="mt-6">
        <summary class="w-fit rounded font-medium hover:text-accent-ink">{docsText().tryTitle}</summary>
        <div class="mt-4">
          <TryCall apiKey={of.key} />
        </div>
      </details>
      <div class="mt-6">
        <Connect apiKey={of.key} />
      </div>
      <DoneAction onClose={onClose} />
    </>
  )
}

export const RevealKey = ({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) => {
  const [secret, setSecret] = useState<string>()
  const [password, setPassword] = useState("")
  const words = keysText()
  const form = useSubmit(hasPassword(password), async () =>
    setSecret((await post("/keys/:id/reveal", passwordIn(password), { id: of.id })).key)
  )
  return (
    <Dialog title={secret ? of.name : words.revealTitle} onClose={onClose}>
      {secret ? (
        <SecretText value={secret} label={words.secret} />
      ) : (
        <>
          <p class="mb-5 text-sm text-soft">{words.revealHint}</p>
          <Form of={form} class="space-y-5">
            <OwnPassword autoFocus value={password} isTried={form.isTried} onText={setPassword} />
            <FormActions form={form} action={words.reveal} onCancel={onClose} />
          </Form>
        </>
      )}
    </Dialog>
  )
}

export const RevokeKey = ({ of, onClose }: { readonly of: Key; readonly onClose: () => void }) => {
  const words = keysText()
  return (
    <ConfirmEnd
      title={words.revokeTitle(of.name)}
      hint={words.revokeHint}
      action={words.revoke}
      done={words.revokedToast}
      end={() => post("/keys/:id/revoke", {}, { id: of.id })}
      onClose={onClose}
    />
  )
}
