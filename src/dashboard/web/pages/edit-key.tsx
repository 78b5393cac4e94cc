/** The dialogs that change a key: what is set on it, whether it is paused, and its secret. */
import { useState } from "preact/hooks"
import { post } from "../api.ts"
import type { Key } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Select } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { hasPassword, OwnPassword, passwordIn } from "../components/OwnPassword.tsx"
import { NewSecret } from "../components/SecretText.tsx"
import { toast } from "../components/Toasts.tsx"
import { exactTime } from "../language.ts"
import { keysText } from "../text/keys.ts"
import { useSubmit } from "../use-submit.ts"
import { LimitFields, NameField } from "./KeyFields.tsx"
import { changeOf, sentOf, typedOf } from "./key-settings.ts"

interface OfKey {
  readonly of: Key
  readonly onClose: () => void
}

export const EditKey = ({ of, onClose, onRotate }: OfKey & { readonly onRotate: () => void }) => {
  // The key may be listed anew while this is open.
  const [former] = useState(() => typedOf(of))
  const [typed, setTyped] = useState(former)
  const words = keysText()
  const sent = sentOf(typed)
  const done = (told: string) => {
    toast(told)
    onClose()
  }
  const form = useSubmit(sent, async (whole) => {
    await post("/keys/:id", changeOf(former, whole), { id: of.id })
    done(words.savedToast)
  })
  const pause = useSubmit(true, async () => {
    await post("/keys/:id", { paused: !of.paused }, { id: of.id })
    done(of.paused ? words.resumedToast : words.pausedToast)
  })
  return (
    <Dialog title={words.editTitle(of.name)} onClose={onClose}>
      <Form of={{ ...form, failure: form.failure ?? pause.failure }} class="space-y-5">
        <div class="flex flex-wrap gap-2">
          <Button small disabled={pause.isBusy} onClick={pause.submit}>
            {of.paused ? words.resume : words.pause}
          </Button>
          <Button small onClick={onRotate}>
            {words.rotate}
          </Button>
        </div>
        {of.former_secret_until !== null && (
          <p class="text-sm text-soft">{words.formerUntil(exactTime(of.former_secret_until))}</p>
        )}
        <NameField typed={typed} isTried={form.isTried} onTyped={setTyped} />
        <LimitFields typed={typed} isTried={form.isTried} onTyped={setTyped} />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}

const overlapDays = [0, 1, 3, 7]

export const RotateKey = ({ of, onClose }: OfKey) => {
  const [secret, setSecret] = useState<string>()
  const [password, setPassword] = useState("")
  const [days, setDays] = useState("1")
  const words = keysText()
  // The one that was seen: of two that rotate, or of one whose answer was lost, the second would end the present secret.
  const [hint] = useState(of.hint)
  const form = useSubmit(hasPassword(password), async () => {
    const body = { ...passwordIn(password), overlap_days: Number(days), former_hint: hint }
    setSecret((await post("/keys/:id/rotate", body, { id: of.id })).key)
  })
  return (
    <Dialog title={words.rotateTitle(of.name)} onClose={onClose}>
      {secret ? (
        <NewSecret hint={words.createdHint} value={secret} label={words.secret} onClose={onClose} />
      ) : (
        <div class="space-y-5">
          <p class="text-sm text-soft">{words.rotateHint}</p>
          {of.former_secret_until !== null && (
            <p class="text-sm text-warn">{words.formerEnds(exactTime(of.former_secret_until))}</p>
          )}
          <Form of={form} class="space-y-5">
            <Select
              label={words.overlap}
              value={days}
              options={overlapDays.map((each) => [String(each), words.overlapDays(each)])}
              onText={setDays}
            />
            <OwnPassword autoFocus value={password} isTried={form.isTried} onText={setPassword} />
            <FormActions form={form} action={words.rotate} onCancel={onClose} />
          </Form>
        </div>
      )}
    </Dialog>
  )
}
