/** Accounts elsewhere that one signs in with: which there are, and removing one. */
import { useState } from "preact/hooks"
import { oauthNames, type OAuthProvider } from "../../../domain/oauth-providers.ts"
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { Show } from "../components/Layout.tsx"
import { hasPassword, needsPassword, OwnPassword, passwordIn } from "../components/OwnPassword.tsx"
import { toast } from "../components/Toasts.tsx"
import { useFocusKept } from "../focus-heading.ts"
import { fullDay } from "../language.ts"
import { session } from "../session.ts"
import { securityText } from "../text/security.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"

export const SignInsElsewhere = () => {
  const list = useLoad(() => get("/person/sign-ins"), [])
  const [removed, setRemoved] = useState<OAuthProvider>()
  const words = securityText()
  useFocusKept(list.data)
  // Most have none.
  if (list.error === undefined && !list.data?.sign_ins.length) return null
  // Who has nothing else can not show who they are, nor do without.
  const mayRemove = session.value?.person?.has_password === true || !needsPassword()
  return (
    <div class="space-y-3 border-t border-line pt-4">
      <p class="text-sm font-medium">{words.elsewhere}</p>
      <p class="text-sm text-soft">{words.elsewhereHint}</p>
      <Show of={list} rows={1}>
        {({ sign_ins: signIns }) => (
          <ul class="divide-y divide-line">
            {signIns.map(({ provider, since }) => (
              <li key={provider} class="flex items-center justify-between gap-4 py-2.5">
                <div class="min-w-0">
                  <p class="truncate text-sm font-medium">{oauthNames[provider]}</p>
                  <p class="text-[0.8125rem] text-faint">{fullDay(since)}</p>
                </div>
                {mayRemove && (
                  <Button small look="danger" onClick={() => setRemoved(provider)}>
                    {words.remove} <span class="sr-only">{oauthNames[provider]}</span>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Show>
      {removed && (
        <RemoveSignIn provider={removed} onRemoved={list.reload} onClose={() => setRemoved(undefined)} />
      )}
    </div>
  )
}

interface RemoveSignInProperties {
  readonly provider: OAuthProvider
  readonly onRemoved: () => void
  readonly onClose: () => void
}

const RemoveSignIn = ({ onClose, onRemoved, provider }: RemoveSignInProperties) => {
  const [password, setPassword] = useState("")
  const words = securityText()
  const name = oauthNames[provider]
  const form = useSubmit(hasPassword(password), async () => {
    await post("/person/sign-ins/:provider/remove", passwordIn(password), { provider })
    toast(words.elsewhereRemoved(name))
    onRemoved()
    onClose()
  })
  return (
    <Dialog title={words.removeElsewhere(name)} onClose={onClose}>
      <Form of={form} class="space-y-5">
        <p class="text-soft">{words.removeElsewhereHint(name)}</p>
        <OwnPassword autoFocus value={password} isTried={form.isTried} onText={setPassword} />
        <FormActions form={form} action={words.remove} onCancel={onClose} isFinal />
      </Form>
    </Dialog>
  )
}
