/** Changes the price of one model, or stops selling it. */
import { useState } from "preact/hooks"
import { post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { Field } from "../components/Field.tsx"
import { FormFailure } from "../components/FormFailure.tsx"
import { toast } from "../components/Toasts.tsx"
import { money, text } from "../language.ts"
import { unitOf } from "../unit-of.ts"
import { operatorText } from "../text/operator.ts"
import { useSubmit } from "../use-submit.ts"
import type { PricedModel } from "./types.ts"

const isPrice = (value: string) =>
  value === "" || (/^\d{1,10}$/.test(value) && Number(value) <= 1_000_000_000)

export const PriceDialog = ({
  model,
  onClose
}: {
  readonly model: PricedModel
  readonly onClose: () => void
}) => {
  const [price, setPrice] = useState(String(model.override?.price_vnd ?? ""))
  const [disabled, setDisabled] = useState(model.override?.disabled ?? false)
  const { prices: words } = operatorText()
  const form = useSubmit(isPrice(price.trim()), async () => {
    const value = price.trim()
    await post("/operator/models", {
      model: model.id,
      price_vnd: value === "" ? null : Number(value),
      disabled
    })
    toast(words.saved)
    onClose()
  })
  return (
    <Dialog title={words.editTitle(model.id)} onClose={onClose}>
      <form noValidate class="space-y-4" onSubmit={form.submit}>
        {form.failure !== undefined && <FormFailure failure={form.failure} />}
        <p class="text-sm text-soft">
          {words.catalogue}: <span class="number font-medium text-ink">{money(String(model.price_vnd))}</span>{" "}
          {unitOf(model)}
        </p>
        <Field
          label={words.price}
          hint={words.priceHint}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={price}
          problem={form.isTried && !isPrice(price.trim()) ? words.priceBad : undefined}
          onText={setPrice}
        />
        <label class="flex items-center gap-2.5 text-sm">
          <input
            type="checkbox"
            class="size-4 accent-accent"
            checked={disabled}
            onChange={(event) => setDisabled(event.currentTarget.checked)}
          />
          {words.off}
        </label>
        <DialogActions>
          <Button onClick={onClose}>{text().common.cancel}</Button>
          <Button type="submit" look="primary" disabled={form.isBusy}>
            {words.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
