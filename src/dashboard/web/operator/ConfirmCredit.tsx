/** Says what a credit will do before it is done. */
import { ApiError, post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { money } from "../language.ts"
import { operatorText } from "../text/operator.ts"
import { addAmounts, signedMoney } from "../typed-amount.ts"
import { useSubmit } from "../use-submit.ts"
import type { AccountEntry } from "./answers.ts"

export interface Credit {
  /** As it is now. */
  readonly account: AccountEntry
  /** Exact decimal VND. */
  readonly amount: string
  readonly reason: string
  /** Names it: sent twice, it counts once. */
  readonly id: string
}

interface ConfirmCreditProperties {
  readonly of: Credit
  readonly onClose: () => void
  /** Its name is taken by what was saved before; whoever has been told of that may still add another credit. */
  readonly onTaken: () => void
  readonly onSaved: () => void
}

export const ConfirmCredit = ({ of, onClose, onSaved, onTaken }: ConfirmCreditProperties) => {
  const { accounts: words } = operatorText()
  const { account, amount, id, reason } = of
  const changeTo = (balance: string) => words.change(signedMoney(amount), money(balance))
  const form = useSubmit(true, async () => {
    const saved = await post(
      "/operator/accounts/:id/credit",
      {
        amount_vnd: amount,
        reason,
        id
      },
      { id: account.id }
    ).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === "credit_repeated") onTaken()
      throw error
    })
    toast(`${words.saved}: ${changeTo(saved.balance_vnd)}`)
    onSaved()
  })
  return (
    <Dialog title={words.confirm} onClose={onClose}>
      <Form of={form}>
        <p class="number text-lg font-semibold wrap-anywhere" data-testid="change">
          {changeTo(addAmounts(account.balance_vnd, amount))}
        </p>
        <p class="mt-2 font-medium break-all">{account.email}</p>
        <p class="mt-1 text-sm wrap-anywhere text-soft">{reason}</p>
        <FormActions form={form} action={words.save} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
