/** Enters how many VND one of a currency is from a day on. */
import { useState } from "preact/hooks"
import { ratePattern } from "../../../domain/decimal.ts"
import { readTypedDecimal } from "../../../domain/typed-decimal.ts"
import { dayText } from "../../../domain/vietnam-days.ts"
import { post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { marginText } from "../text/margin.ts"
import { useSubmit } from "../use-submit.ts"

export const RateDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [currency, setCurrency] = useState("USD")
  const [typed, setTyped] = useState("")
  const [from, setFrom] = useState(() => dayText(Date.now()))
  const words = marginText().purchase
  const code = currency.trim().toUpperCase()
  const isCode = /^[A-Z]{3}$/.test(code) && code !== "VND"
  const read = readTypedDecimal(typed)
  const vnd = read !== undefined && ratePattern.test(read) ? read : undefined
  const whole = isCode && vnd !== undefined && from !== "" && { currency: code, vnd, from }
  const form = useSubmit(whole, async (rate) => {
    await post("/operator/exchange-rates", rate)
    toast(words.rateSaved)
    onClose()
  })
  const problem = (isGood: boolean, told: string) => (form.isTried && !isGood ? told : undefined)
  return (
    <Dialog title={words.addRate} onClose={onClose}>
      <Form of={form} class="space-y-4">
        <Field
          label={words.currency}
          maxLength={3}
          autoComplete="off"
          value={currency}
          problem={problem(isCode, words.currencyHint)}
          onText={setCurrency}
        />
        <Field
          label={words.rate}
          inputMode="decimal"
          autoComplete="off"
          autoFocus
          value={typed}
          problem={problem(vnd !== undefined, words.bad)}
          onText={setTyped}
        />
        <Field
          label={words.from}
          type="date"
          hint={words.fromHint}
          value={from}
          problem={problem(from !== "", words.needed)}
          onText={setFrom}
        />
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
