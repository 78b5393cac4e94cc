/** Says how large a share of calls a route gets among those of its priority. */
import { useState } from "preact/hooks"
import { isWeight } from "../../../domain/route-changes.ts"
import { seenText } from "../../../domain/typed-text.ts"
import { post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { providersText } from "../text/providers.ts"
import { useSubmit } from "../use-submit.ts"
import type { ProviderRoute } from "./answers.ts"

/** `null`: as configured; `undefined` for what is no weight. */
const weightOf = (typed: string): number | null | undefined => {
  // Of weights with a digit before the point and three behind, this one alone can be thousands.
  const plain = seenText(typed)
    .replace(/^1[.,]000$/, "1000")
    .replace(",", ".")
  if (plain === "") return null
  return /^\d+(\.\d+)?$/.test(plain) && isWeight(Number(plain)) ? Number(plain) : undefined
}

export const WeightDialog = (properties: { readonly route: ProviderRoute; readonly onClose: () => void }) => {
  const { onClose, route } = properties
  const [former] = useState(route.own_weight)
  const [typed, setTyped] = useState(former === null ? "" : String(former))
  const words = providersText()
  const weight = weightOf(typed)
  const form = useSubmit(weight === undefined ? undefined : { weight }, async (whole) => {
    // What was left as it is shown may be another by now.
    if (whole.weight !== former) await post("/operator/routes/set", { route: route.id, weight: whole.weight })
    toast(words.weighed)
    onClose()
  })
  return (
    <Dialog title={words.weighTitle(route.id)} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <Field
          label={words.weight}
          hint={words.weightHint}
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          value={typed}
          problem={form.isTried && weight === undefined ? words.weightBad : undefined}
          onText={setTyped}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
