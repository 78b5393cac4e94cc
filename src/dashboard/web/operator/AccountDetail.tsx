/** One account: its money, keys and history, and what an operator may do to it. */
import { useState } from "preact/hooks"
import { explain, get, post } from "../api.ts"
import { Button, CopyButton, Link } from "../components/Button.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { FormFailure } from "../components/FormFailure.tsx"
import { Card, Money, Page, Show, Stat } from "../components/Layout.tsx"
import { toast } from "../components/Toasts.tsx"
import { ago, dateTime, number, text } from "../language.ts"
import { may, session } from "../session.ts"
import { accountText } from "../text/account.ts"
import { operatorText } from "../text/operator.ts"
import { useLoad } from "../use-load.ts"
import { useSubmit } from "../use-submit.ts"
import { AccountBadges } from "./AccountBadges.tsx"
import { AuditTable } from "./Audit.tsx"
import { CreditForm } from "./CreditForm.tsx"
import { StaffRoleDialog } from "./StaffRole.tsx"
import type { AccountEntry, AccountView } from "./answers.ts"

export const AccountDetail = () => {
  const id = new URLSearchParams(location.search).get("id") ?? ""
  const view = useLoad(() => get("/operator/accounts/:id", {}, { id }), [id])
  const { accounts: words } = operatorText()
  return (
    <Page
      title={view.data?.account.email ?? words.title}
      intro={
        <Link to="/operator/accounts" class="text-sm underline-offset-4 hover:underline">
          ← {words.back}
        </Link>
      }
      actions={view.data && <Actions account={view.data.account} onChanged={view.reload} />}
    >
      <Show of={view} rows={6}>
        {(data) => (
          <div class="space-y-6">
            <Summary data={data} />
            <div
              class={`grid grid-cols-[minmax(0,1fr)] items-start gap-6 ${may("money") ? "lg:grid-cols-2" : ""}`}
            >
              {may("money") && (
                <Card title={words.credit}>
                  <CreditForm accountId={data.account.id} onSaved={view.reload} />
                </Card>
              )}
              <Keys data={data} />
            </div>
            <Credits data={data} />
            <Card title={words.history} flush>
              <AuditTable entries={data.audit} />
            </Card>
          </div>
        )}
      </Show>
    </Page>
  )
}

const Summary = ({ data }: { readonly data: AccountView }) => {
  const { accounts: words } = operatorText()
  return (
    <>
      <div class="flex flex-wrap items-center gap-3">
        <AccountBadges of={data.account} />
        <span class="flex items-center gap-1 text-sm text-faint">
          <code>{data.account.id}</code>
          <CopyButton
            value={data.account.id}
            label={text().common.copyThis(accountText().id.toLowerCase())}
          />
        </span>
      </div>
      <div class="grid gap-4 sm:grid-cols-2">
        <Stat label={words.balance} value={<Money vnd={data.account.balance_vnd} />} />
        <Stat
          label={words.monthSpent}
          value={<Money vnd={data.month.spent_vnd} />}
          note={text().overview.calls(number(data.month.calls))}
        />
      </div>
    </>
  )
}

const Actions = ({
  account,
  onChanged
}: {
  readonly account: AccountEntry
  readonly onChanged: () => void
}) => {
  const [link, setLink] = useState<string>()
  const [asked, setAsked] = useState<"status" | "role">()
  const { accounts: words } = operatorText()
  const close = () => {
    setAsked(undefined)
    onChanged()
  }
  const makeLink = () => {
    post("/operator/accounts/:id/reset-link", {}, { id: account.id })
      .then((answer) => setLink(answer.link))
      .catch((error: unknown) => toast(explain(error), "bad"))
  }
  return (
    <>
      {account.has_person && may("help") && (account.role === null || may("run")) && (
        <Button onClick={makeLink}>{words.resetLink}</Button>
      )}
      {may("run") && <Button onClick={() => setAsked("role")}>{words.role}</Button>}
      {may("run") && account.id !== session.value?.person?.account_id && (
        <Button look={account.status === "active" ? "danger" : "plain"} onClick={() => setAsked("status")}>
          {account.status === "active" ? words.disable : words.enable}
        </Button>
      )}
      {asked === "status" && <ChangeStatus account={account} onClose={close} />}
      {asked === "role" && <StaffRoleDialog account={account} onClose={close} />}
      {link && (
        <Dialog title={words.resetTitle} onClose={() => setLink(undefined)}>
          <p class="mb-4 text-sm text-soft">{words.resetHint}</p>
          <div class="flex items-center gap-2 rounded-xl bg-sunken py-2 pr-2 pl-4">
            <code class="min-w-0 flex-1 break-all" data-testid="reset-link">
              {link}
            </code>
            <CopyButton value={link} label={text().common.copy} />
          </div>
        </Dialog>
      )}
    </>
  )
}

const ChangeStatus = ({
  account,
  onClose
}: {
  readonly account: AccountEntry
  readonly onClose: () => void
}) => {
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
      <form onSubmit={form.submit}>
        {form.failure !== undefined && <FormFailure failure={form.failure} />}
        <p class="font-medium break-all">{account.email}</p>
        {next === "disabled" && <p class="mt-1 text-soft">{words.disableHint}</p>}
        <DialogActions>
          <Button onClick={onClose}>{text().common.cancel}</Button>
          <Button type="submit" look={next === "disabled" ? "destroy" : "primary"} disabled={form.isBusy}>
            {label}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

const Keys = ({ data }: { readonly data: AccountView }) => {
  const { nav, common, keys: words } = text()
  return (
    <Card title={nav.keys} flush>
      {data.keys.length === 0 && <p class="px-5 pb-5 text-sm text-soft">{words.empty}</p>}
      <ul class="divide-y divide-line">
        {data.keys.map((key) => (
          <li key={key.id} class="flex items-center justify-between gap-4 px-5 py-3 text-sm">
            <span class="min-w-0">
              <span class="block truncate font-medium">{key.name}</span>
              <span class="block truncate text-xs text-faint">
                <code class="text-xs">{key.hint}</code> ·{" "}
                {key.last_used_at === null ? common.never : ago(key.last_used_at)}
              </span>
            </span>
            <span class="flex shrink-0 items-center gap-3">
              <Money vnd={key.spent_vnd} />
              <span class={`badge ${key.status === "active" ? "badge-good" : ""}`}>{words[key.status]}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const Credits = ({ data }: { readonly data: AccountView }) => {
  const { accounts: words } = operatorText()
  return (
    <Card title={words.credits} flush>
      {data.credits.length === 0 && <p class="px-5 pb-5 text-sm text-soft">{words.noCredits}</p>}
      <ul class="divide-y divide-line">
        {data.credits.map((row) => (
          <li
            key={row.id}
            class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 text-sm sm:flex-nowrap"
          >
            <span class="min-w-0">
              <span class="block font-medium">
                {words.source[row.source]}
                <span class="font-normal text-soft"> · {row.reason}</span>
              </span>
              <span class="block text-xs text-faint">
                {dateTime(row.at)} · {words.by} {row.actor}
              </span>
            </span>
            <Money vnd={row.amount_vnd} class="font-medium" />
          </li>
        ))}
      </ul>
    </Card>
  )
}
