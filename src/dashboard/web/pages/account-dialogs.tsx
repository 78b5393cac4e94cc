/** The dialogs of one's own account: name, mail address, closing it. */
import { useState } from "preact/hooks"
import { emailLengthMax, personNameLengthMax } from "../../../domain/field-limits.ts"
import { isOwnEmail, typedEmail } from "../../../domain/typed-text.ts"
import { getOwn, post } from "../api.ts"
import type { SignedInPerson } from "../answers.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Money, Show } from "../components/Layout.tsx"
import { hasPassword, OwnPassword, passwordIn } from "../components/OwnPassword.tsx"
import { toast } from "../components/Toasts.tsx"
import { text } from "../language.ts"
import { navigate } from "../router.ts"
import { loadSession, session } from "../session.ts"
import { accountText } from "../text/account.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

interface DialogOf {
  readonly of: SignedInPerson
  readonly onClose: () => void
}

export const Rename = ({ of, onClose }: DialogOf) => {
  const [name, setName] = useState(of.name)
  const { auth } = text()
  const words = accountText()
  const form = useSubmit(name.trim() !== "", async () => {
    await post("/person/name", { name: name.trim() })
    await loadSession()
    toast(words.saved)
    onClose()
  })
  return (
    <Dialog title={words.rename} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <Field
          label={auth.name}
          autoFocus
          autoComplete="name"
          maxLength={personNameLengthMax}
          value={name}
          problem={form.isTried && name.trim() === "" ? auth.required : undefined}
          onText={setName}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

export const ChangeEmail = ({ onClose }: Pick<DialogOf, "onClose">) => {
  const [typed, setTyped] = useState("")
  const [password, setPassword] = useState("")
  const { auth } = text()
  const words = accountText()
  const email = typedEmail(typed)
  const form = useSubmit(isOwnEmail(email) && hasPassword(password), async () => {
    const { mailed } = await post("/person/email", { email, ...passwordIn(password) })
    await loadSession()
    toast(mailed ? words.emailMailed(email) : words.saved)
    onClose()
  })
  const problem = email === "" ? auth.required : isOwnEmail(email) ? undefined : auth.badEmail
  return (
    <Dialog title={words.changeEmail} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <Field
          label={words.newEmail}
          hint={session.value?.sends_mail ? words.newEmailHint : undefined}
          type="email"
          autoFocus
          autoComplete="email"
          maxLength={emailLengthMax}
          value={typed}
          problem={form.isTried ? problem : undefined}
          onText={setTyped}
        />
        <OwnPassword
          label={auth.currentPassword}
          value={password}
          isTried={form.isTried}
          onText={setPassword}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

/** Says what becomes of the money before anything ends. */
export const CloseAccount = ({ onClose }: Pick<DialogOf, "onClose">) => {
  const [password, setPassword] = useState("")
  const overview = useLoad(() => getOwn("/overview"), [])
  const { auth } = text()
  const words = accountText()
  const form = useSubmit(hasPassword(password), async () => {
    await post("/person/close", passwordIn(password))
    await loadSession()
    navigate("/signin")
    toast(words.closed)
  })
  return (
    <Dialog title={words.close} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <ul class="list-disc space-y-1.5 pl-5 text-sm text-soft">
          {words.closeHints.map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
        <Show of={overview} rows={1}>
          {({ balance_vnd: balance }) => (
            <p class="flex flex-wrap justify-between gap-2 rounded-lg bg-sunken px-4 py-2.5 text-sm">
              {words.closeBalance}
              <Money vnd={balance} class="font-semibold" />
            </p>
          )}
        </Show>
        <OwnPassword
          label={auth.currentPassword}
          value={password}
          isTried={form.isTried}
          onText={setPassword}
        />
        <FormActions form={form} action={words.close} onCancel={onClose} isFinal />
      </Form>
    </Dialog>
  )
}
