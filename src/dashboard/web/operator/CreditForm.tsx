/** Adds money to an account, or takes it back, with a reason. */
import { useState } from "preact/hooks"
import { ApiError, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { FormFailure } from "../components/FormFailure.tsx"
import { toast } from "../components/Toasts.tsx"
import { operatorText } from "../text/operator.ts"
import { useSubmit } from "../use-submit.ts"

const isAmount = (value: string) => /^-?\d{1,15}(\.\d{1,6})?$/.test(value) && Number(value) !== 0

export const CreditForm = ({
  accountId,
  onSaved
}: {
  readonly accountId: string
  readonly onSaved: () => void
}) => {
  const [amount, setAmount] = useState("")
  const [reason, setReason] = useState("")
  // Names this credit: sent twice, it counts once.
  const [id, setId] = useState(() => crypto.randomUUID())
  const { accounts: words } = operatorText()
  const form = useSubmit(isAmount(amount.trim()) && reason.trim() !== "", async () => {
    await post(`/operator/accounts/${accountId}/credit`, {
      amount_vnd: amount.trim(),
      reason: reason.trim(),
      id
    }).catch((error: unknown) => {
      // The name is taken by what was saved before; whoever has been told of that may still add another credit.
      if (error instanceof ApiError && error.code === "credit_repeated") setId(crypto.randomUUID())
      throw error
    })
    setAmount("")
    setReason("")
    setId(crypto.randomUUID())
    toast(words.saved)
    onSaved()
  })
  const isTried = form.isTried && (amount !== "" || reason !== "")
  return (
    <form noValidate class="-mt-1 space-y-4" onSubmit={form.submit}>
      {form.failure !== undefined && <FormFailure failure={form.failure} />}
      <Field
        label={words.amount}
        hint={words.creditHint}
        inputMode="decimal"
        autoComplete="off"
        value={amount}
        problem={isTried && !isAmount(amount.trim()) ? words.amountBad : undefined}
        onText={setAmount}
      />
      <Field
        label={words.reason}
        maxLength={500}
        value={reason}
        problem={isTried && reason.trim() === "" ? words.reasonNeeded : undefined}
        onText={setReason}
      />
      <Button type="submit" look="primary" disabled={form.isBusy}>
        {words.save}
      </Button>
    </form>
  )
}
