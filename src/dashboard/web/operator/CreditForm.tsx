/** Adds money to an account, or takes it back, with a reason; shown back and confirmed before it moves. */
import { useState } from "preact/hooks"
import { reasonLengthMax } from "../../../domain/field-limits.ts"
import { ApiError, get } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { newName } from "../new-name.ts"
import { operatorText } from "../text/operator.ts"
import { amountOf, explainAmount } from "../typed-amount.ts"
import { useSubmit } from "../use-submit.ts"
import { ConfirmCredit, type Credit } from "./ConfirmCredit.tsx"

export const CreditForm = ({
  accountId,
  onSaved
}: {
  readonly accountId: string
  readonly onSaved: () => void
}) => {
  const [typed, setTyped] = useState("")
  const [reason, setReason] = useState("")
  // Names this credit: sent twice, it counts once.
  const [id, setId] = useState(() => newName())
  const [credit, setCredit] = useState<Credit>()
  const { accounts: words } = operatorText()
  const amount = amountOf(typed)
  const isAmount = amount !== undefined && amount !== "0"
  const form = useSubmit(isAmount && reason.trim() !== "", async () => {
    // The balance of now: calls may have taken from it since the page was opened.
    const { account } = await get("/operator/accounts/:id", {}, { id: accountId })
    if (account.is_closed && !amount?.startsWith("-")) throw new ApiError(409, "account_closed")
    if (isAmount) setCredit({ account, amount, reason: reason.trim(), id })
  })
  const isTried = form.isTried && (typed !== "" || reason !== "")
  return (
    <>
      <Form of={form} class="-mt-1 space-y-4">
        <Field
          label={words.amount}
          hint={words.creditHint}
          autoComplete="off"
          maxLength={40}
          value={typed}
          problem={isTried && !isAmount ? explainAmount(typed, words.amountBad) : undefined}
          onText={setTyped}
        />
        <Field
          label={words.reason}
          maxLength={reasonLengthMax}
          value={reason}
          problem={isTried && reason.trim() === "" ? words.reasonNeeded : undefined}
          onText={setReason}
        />
        <Button type="submit" look="primary" disabled={form.isBusy}>
          {words.review}
        </Button>
      </Form>
      {credit && (
        <ConfirmCredit
          of={credit}
          onClose={() => setCredit(undefined)}
          onTaken={() => setId(newName())}
          onSaved={() => {
            setCredit(undefined)
            setTyped("")
            setReason("")
            setId(newName())
            onSaved()
          }}
        />
      )}
    </>
  )
}
