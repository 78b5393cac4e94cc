/** Changes the prices of several models by a percentage: first shown, then confirmed. */
import { useState } from "preact/hooks"
import { readTypedPercent } from "../../../domain/typed-decimal.ts"
import { dayMs, dayText, isWithinYear, startOfDay, startOfNamedDay } from "../../../domain/vietnam-days.ts"
import { post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { money, number } from "../language.ts"
import { marginText } from "../text/margin.ts"
import { useSubmit } from "../use-submit.ts"
import type { ShownChange } from "./answers.ts"

interface DialogProperties {
  readonly models: ReadonlyArray<string>
  readonly onClose: () => void
}

interface Shown {
  readonly changes: ReadonlyArray<ShownChange>
  readonly from: number | null
}

interface Typed {
  readonly percent: string
  /** Empty: at once. */
  readonly day: string
}

const isAhead = (day: string): boolean => day === "" || isWithinYear(startOfNamedDay(day), Date.now())

export const BulkPriceDialog = ({ models, onClose }: DialogProperties) => {
  const [typed, setTyped] = useState<Typed>(() => ({
    percent: "",
    day: dayText(startOfDay(Date.now()) + dayMs)
  }))
  const [shown, setShown] = useState<Shown>()
  const words = marginText().bulk
  return (
    <Dialog title={words.title(number(models.length))} onClose={onClose}>
      {shown === undefined ? (
        <Ask models={models} typed={typed} onTyped={setTyped} onShown={setShown} onClose={onClose} />
      ) : (
        <Confirm shown={shown} onBack={() => setShown(undefined)} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface AskProperties extends DialogProperties {
  /** Still there for whoever comes back from what was shown. */
  readonly typed: Typed
  readonly onTyped: (typed: Typed) => void
  readonly onShown: (shown: Shown) => void
}

const Ask = ({ models, onClose, onShown, onTyped, typed }: AskProperties) => {
  const words = marginText().bulk
  const { day } = typed
  const percent = readTypedPercent(typed.percent)
  const form = useSubmit(isAhead(day) && percent, async (whole) => {
    const from = day === "" ? null : startOfNamedDay(day)
    const { changes } = await post("/operator/price-changes/preview", { models, percent: whole, from })
    onShown({ changes, from })
  })
  return (
    <Form of={form} class="space-y-4">
      <Field
        label={words.percent}
        hint={words.percentHint}
        inputMode="decimal"
        autoComplete="off"
        autoFocus
        value={typed.percent}
        problem={form.isTried && percent === undefined ? marginText().margin.floorBad : undefined}
        onText={(text) => onTyped({ ...typed, percent: text })}
      />
      <Field
        label={words.from}
        hint={words.fromHint}
        type="date"
        value={day}
        problem={form.isTried && !isAhead(day) ? words.fromBad : undefined}
        onText={(text) => onTyped({ ...typed, day: text })}
      />
      <FormActions form={form} action={words.review} onCancel={onClose} />
    </Form>
  )
}

const Confirm = (properties: {
  readonly shown: Shown
  readonly onBack: () => void
  readonly onClose: () => void
}) => {
  const { changes, from } = properties.shown
  const words = marginText().bulk
  const form = useSubmit(true, async () => {
    const seen = changes.map(({ former_vnd, model, price_vnd }) => ({ model, former_vnd, price_vnd }))
    await post("/operator/price-changes", { changes: seen, from })
    toast(words.saved)
    properties.onClose()
  })
  return (
    <Form of={form}>
      <p class="mb-3 text-sm text-soft">{words.marginHint}</p>
      <ul
        class="max-h-72 divide-y divide-line overflow-y-auto text-sm"
        tabIndex={0}
        aria-label={words.review}
      >
        {changes.map((change) => (
          <li key={change.model} class="flex flex-wrap justify-between gap-x-4 py-2">
            <span class="font-medium wrap-anywhere">{change.model}</span>
            <span class="number text-right">
              {money(String(change.former_vnd))} → {money(String(change.price_vnd))}
              {change.margin_percent !== null && change.next_margin_percent !== null && (
                <span class="block text-xs text-soft">
                  {words.margin(
                    number(Number(change.margin_percent)),
                    number(Number(change.next_margin_percent))
                  )}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={properties.onBack}>{words.back}</Button>
        <Button type="submit" look="primary" disabled={form.isBusy}>
          {words.save}
        </Button>
      </DialogActions>
    </Form>
  )
}
