/** Changes the price of one model, or stops selling it; a price far from the present one is shown back and confirmed. */
import { useState } from "preact/hooks"
import { priceVndMax } from "../../../domain/price.ts"
import { post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { money } from "../language.ts"
import { unitOf } from "../unit-of.ts"
import { marginText } from "../text/margin.ts"
import { operatorText } from "../text/operator.ts"
import { wholeAmountOf, writeWholeAmount } from "../typed-amount.ts"
import { type Submission, useSubmit } from "../use-submit.ts"
import type { PricedModel } from "./answers.ts"

/** `null`: the catalogue's; `undefined` for what is no price. */
const priceOf = (typed: string): number | null | undefined => {
  if (typed.trim() === "") return null
  const price = wholeAmountOf(typed)
  return price !== undefined && price >= 0 && price <= priceVndMax ? price : undefined
}

/** As a zero too many, a price in another unit or none at all makes it. */
const isFar = (present: number, next: number): boolean =>
  present !== next && (next >= 10 * present || present >= 10 * next)

interface PriceDialogProperties {
  readonly model: PricedModel
  readonly onClose: () => void
}

export const PriceDialog = ({ model, onClose }: PriceDialogProperties) => {
  const former = model.override?.price_vnd ?? null
  const [typed, setTyped] = useState(former === null ? "" : writeWholeAmount(former))
  const formerlyDisabled = model.override?.disabled ?? false
  const [disabled, setDisabled] = useState(formerlyDisabled)
  const [isShownBack, setShownBack] = useState(false)
  const { prices: words } = operatorText()
  const price = priceOf(typed)
  const present = former ?? model.price_vnd
  const next = price ?? model.price_vnd
  const form = useSubmit(price, async (whole) => {
    if (!isShownBack && isFar(present, next)) return setShownBack(true)
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
    <Dialog title={isShownBack ? words.confirm : words.editTitle(model.id)} onClose={onClose}>
      {isShownBack ? (
        <ShownBack
          model={model}
          change={`${money(String(present))} → ${money(String(next))} ${unitOf(model)}`}
          form={form}
          onBack={() => setShownBack(false)}
        />
      ) : (
        <Form of={form} class="space-y-4">
          <p class="text-sm text-soft">
            {words.catalogue}:{" "}
            <span class="number font-medium text-ink">{money(String(model.price_vnd))}</span> {unitOf(model)}
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
      )}
    </Dialog>
  )
}

interface ShownBackProperties {
  readonly model: PricedModel
  readonly change: string
  readonly form: Submission
  readonly onBack: () => void
}

const ShownBack = ({ change, form, model, onBack }: ShownBackProperties) => {
  const { prices: words } = operatorText()
  return (
    <Form of={form}>
      <p class="number text-lg font-semibold wrap-anywhere" data-testid="change">
        {change}
      </p>
      <p class="mt-2 font-medium break-all">{model.id}</p>
      <p class="mt-1 text-sm text-soft">{words.confirmHint}</p>
      <DialogActions>
        <Button onClick={onBack}>{marginText().bulk.back}</Button>
        <Button type="submit" look="destroy" disabled={form.isBusy}>
          {words.save}
        </Button>
      </DialogActions>
    </Form>
  )
}
