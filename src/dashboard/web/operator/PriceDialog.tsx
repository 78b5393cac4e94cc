/** Changes the price of one model, or stops selling it. */
import { useState } from "preact/hooks"
import { priceVndMax } from "../../../domain/price.ts"
import { post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { money } from "../language.ts"
import { unitOf } from "../unit-of.ts"
import { operatorText } from "../text/operator.ts"
import { wholeAmountOf, writeWholeAmount } from "../typed-amount.ts"
import { useSubmit } from "../use-submit.ts"
import type { PricedModel } from "./answers.ts"

/** `null`: the catalogue's; `undefined` for what is no price. */
const priceOf = (typed: string): number | null | undefined => {
  if (typed.trim() === "") return null
  const price = wholeAmountOf(typed)
  return price !== undefined && price >= 0 && price <= priceVndMax ? price : undefined
}

export const PriceDialog = ({
  model,
  onClose
}: {
  readonly model: PricedModel
  readonly onClose: () => void
}) => {
  const former = model.override?.price_vnd ?? null
  const [typed, setTyped] = useState(former === null ? "" : writeWholeAmount(former))
  const formerlyDisabled = model.override?.disabled ?? false
  const [disabled, setDisabled] = useState(formerlyDisabled)
  const { prices: words } = operatorText()
  const price = priceOf(typed)
  const form = useSubmit(price, async (whole) => {
    // What was left as it is shown may be another by now.
    await post("/operator/models", {
      model: model.id,
      ...(whole !== former && { price_vnd: whole }),
      ...(disabled !== formerlyDisabled && { disabled })
    })
    toast(words.saved)
    onClose()
  })
  return (
    <Dialog title={words.editTitle(model.id)} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <p class="text-sm text-soft">
          {words.catalogue}: <span class="number font-medium text-ink">{money(String(model.price_vnd))}</span>{" "}
          {unitOf(model)}
        </p>
        <Field
          label={words.price}
          hint={typeof price === "number" ? `= ${money(String(price))} ${unitOf(model)}` : words.priceHint}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={typed}
          problem={form.isTried && price === undefined ? words.priceBad : undefined}
          onText={setTyped}
        />
        <label class="flex items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            class="size-4"
            checked={disabled}
            onChange={(event) => setDisabled(event.currentTarget.checked)}
          />
          {words.off}
        </label>
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
