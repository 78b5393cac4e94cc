/** What an operator may do to an account, as far as their role goes. */
import { useState } from "preact/hooks"
import { post } from "../api.ts"
import { Button, CopyButton } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { FormActions } from "../components/FormActions.tsx"
import { Form } from "../components/Form.tsx"
import { toast } from "../components/Toasts.tsx"
import { text } from "../language.ts"
import { may } from "../may.ts"
import { session } from "../session.ts"
import { operatorText } from "../text/operator.ts"
import { useAction } from "../use-action.ts"
import { useSubmit } from "../use-submit.ts"
import { StaffRoleDialog } from "./StaffRole.tsx"
import type { AccountEntry } from "./answers.ts"

export const AccountActions = ({
  account,
  onChanged
}: {
  readonly account: AccountEntry
  readonly onChanged: () => void
}) => {
  const [link, setLink] = useState<string>()
  const [asked, setAsked] = useState<"factors" | "status" | "role" | "erase">()
  const { accounts: words } = operatorText()
  const close = () => {
    setAsked(undefined)
    onChanged()
  }
  const makeLink = useAction(async () =>
    setLink((await post("/operator/accounts/:id/reset-link", {}, { id: account.id })).link)
  )
  return (
    <>
      {account.has_person && may("help") && (account.role === null || may("run")) && (
        <Button disabled={makeLink.isBusy} onClick={makeLink.start}>
          {words.resetLink}
        </Button>
      )}
      {account.has_person && may("run") && (
        <Button onClick={() => setAsked("factors")}>{words.resetFactors}</Button>
      )}
      {may("run") && <Button onClick={() => setAsked("role")}>{words.role}</Button>}
      {may("run") && account.id !== session.value?.person?.account_id && (
        <Button look={account.status === "active" ? "danger" : "plain"} onClick={() => setAsked("status")}>
          {account.status === "active" ? words.disable : words.enable}
        </Button>
      )}
      {may("run") && account.status === "disabled" && !account.is_erased && (
        <Button look="danger" onClick={() => setAsked("erase")}>
          {words.erase}
        </Button>
      )}
      {asked === "status" && <ChangeStatus account={account} onClose={close} />}
      {asked === "role" && <StaffRoleDialog account={account} onClose={close} />}
      {asked === "factors" && (
        <FinalStep
          account={account}
          path="/operator/accounts/:id/reset-second-factor"
          label={words.resetFactors}
          hint={words.resetFactorsHint}
          onClose={close}
        />
      )}
      {asked === "erase" && (
        <FinalStep
          account={account}
          path="/operator/accounts/:id/erase"
          label={words.erase}
          hint={words.eraseHint}
          onClose={close}
        />
      )}
      {link && <ResetLink link={link} onClose={() => setLink(undefined)} />}
    </>
  )
}

const ResetLink = ({ link, onClose }: { readonly link: string; readonly onClose: () => void }) => {
  const { accounts: words } = operatorText()
  return (
    <Dialog title={words.resetTitle} onClose={onClose}>
      <p class="mb-4 text-sm text-soft">{words.resetHint}</p>
      <div class="flex items-center gap-2 rounded-xl bg-sunken py-2 pr-2 pl-4">
        <code class="min-w-0 flex-1 break-all" data-testid="reset-link">
          {link}
        </code>
        <CopyButton value={link} label={text().common.copy} />
      </div>
    </Dialog>
  )
}

interface AskedProperties {
  readonly account: AccountEntry
  readonly onClose: () => void
}

const ChangeStatus = ({ account, onClose }: AskedProperties) => {
  const { accounts: words } = operatorText()
  const next = account.status === "active" ? "disabled" : "active"
  const form = useSubmit(true, async () => {
    await post("/operator/accounts/:id/status", { status: next }, { id: account.id })
    toast(words.changed)
    onClose()
  })
  const label = next === "disabled" ? words.disable : words.enable
  return (
    <Dialog title={label} onClose={onClose}>
      <Form of={form}>
        <p class="font-medium break-all">{account.email}</p>
        {next === "disabled" && <p class="mt-1 text-soft">{words.disableHint}</p>}
        <FormActions form={form} action={label} onCancel={onClose} isFinal={next === "disabled"} />
      </Form>
    </Dialog>
  )
}

interface FinalProperties extends AskedProperties {
  readonly path: "/operator/accounts/:id/erase" | "/operator/accounts/:id/reset-second-factor"
  readonly label: string
  readonly hint: string
}

/** What can not be taken back. */
const FinalStep = ({ account, hint, label, onClose, path }: FinalProperties) => {
  const form = useSubmit(true, async () => {
    await post(path, {}, { id: account.id })
    toast(operatorText().accounts.changed)
    onClose()
  })
  return (
    <Dialog title={label} onClose={onClose}>
      <Form of={form}>
        <p class="font-medium break-all">{account.email}</p>
        <p class="mt-1 text-soft">{hint}</p>
        <FormActions form={form} action={label} onCancel={onClose} isFinal />
      </Form>
    </Dialog>
  )
}
