/** Below which percentage margins are marked. */
import { useState } from "preact/hooks"
import { readTypedPercent } from "../../../domain/typed-decimal.ts"
import { post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { marginText } from "../text/margin.ts"
import { useSubmit } from "../use-submit.ts"

export const FloorDialog = (properties: { readonly floor: string; readonly onClose: () => void }) => {
  const [former] = useState(properties.floor)
  const [typed, setTyped] = useState(former)
  const words = marginText().margin
  const percent = readTypedPercent(typed)
  const form = useSubmit(percent, async (whole) => {
    // What was left as it is shown may be another by now.
    if (whole !== former) await post("/operator/margin/floor", { percent: whole })
    toast(words.saved)
    properties.onClose()
  })
  return (
    <Dialog title={words.floorTitle} onClose={properties.onClose}>
      <Form of={form} class="space-y-4">
        <Field
          label={words.floorLabel}
          hint={words.floorHint}
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          value={typed}
          problem={form.isTried && percent === undefined ? words.floorBad : undefined}
          onText={setTyped}
        />
        <FormActions form={form} action={words.save} onCancel={properties.onClose} />
      </Form>
    </Dialog>
  )
}
