/** Gives an account a role in the staff, or takes it. */
import { useState } from "preact/hooks"
import { type StaffRole, staffRoles } from "../../../domain/staff-roles.ts"
import { post } from "../api.ts"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { loadSession, session } from "../session.ts"
import { operatorText } from "../text/operator.ts"
import { useSubmit } from "../use-submit.ts"
import type { AccountEntry } from "./answers.ts"

const choices: ReadonlyArray<StaffRole | null> = [null, ...staffRoles]

export const StaffRoleDialog = ({
  account,
  onClose
}: {
  readonly account: AccountEntry
  readonly onClose: () => void
}) => {
  const [former] = useState(account.role)
  const [role, setRole] = useState(former)
  const { accounts: words } = operatorText()
  const form = useSubmit(true, async () => {
    // What was left as it is shown may be another by now.
    if (role !== former) await post("/operator/accounts/:id/role", { role }, { id: account.id })
    toast(words.changed)
    onClose()
    if (account.id === session.value?.person?.account_id) await loadSession()
  })
  return (
    <Dialog title={words.roleTitle} onClose={onClose}>
      <Form of={form}>
        <fieldset>
          <legend class="mb-3 font-medium break-all">{account.email}</legend>
          <div class="space-y-3">
            {choices.map((choice) => (
              <label key={choice ?? ""} class="flex items-start gap-2.5 text-sm">
                <input
                  type="radio"
                  name="role"
                  class="mt-0.5 size-4 shrink-0"
                  checked={choice === role}
                  onChange={() => setRole(choice)}
                />
                {choice === null ? (
                  words.noRole
                ) : (
                  <span>
                    <span class="block font-medium">{words.roles[choice]}</span>
                    <span class="block text-soft">{words.roleHints[choice]}</span>
                  </span>
                )}
              </label>
            ))}
          </div>
        </fieldset>
        <FormActions form={form} action={words.saveRole} onCancel={onClose} />
      </Form>
    </Dialog>
  )
}
