/** Bank transfers: those that wait for an operator first. */
import { useState } from "preact/hooks"
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Dialog, DialogActions } from "../components/Dialog.tsx"
import { Choice, Field } from "../components/Field.tsx"
import { FormFailure } from "../components/FormFailure.tsx"
import { Empty, Money, Page } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { toast } from "../components/Toasts.tsx"
import { dateTime, money, text } from "../language.ts"
import { may } from "../session.ts"
import { operatorText } from "../text/operator.ts"
import { usePages } from "../use-pages.ts"
import { useSubmit } from "../use-submit.ts"
import type { Transfer } from "./answers.ts"
import { OpenInvoices } from "./OpenInvoices.tsx"

type Filter = "unmatched" | "credited" | "ignored" | "all"

const filters: ReadonlyArray<Filter> = ["unmatched", "credited", "ignored", "all"]

export const Transfers = () => {
  const [filter, setFilter] = useState<Filter>("unmatched")
  const [chosen, setChosen] = useState<Transfer>()
  const list = usePages(
    async (before) => {
      const status = filter === "all" ? undefined : filter
      const { next, transfers } = await get("/operator/transfers", { status, before })
      return { items: transfers, next }
    },
    [filter]
  )
  const { transfers: words } = operatorText()
  return (
    <Page title={words.title} intro={words.intro}>
      <div class="mb-4">
        <Choice
          label={words.filter}
          value={filter}
          options={filters.map((option) => [option, words.filters[option]])}
          onChoose={setFilter}
        />
      </div>
      <div class="card">
        <PagedList
          of={list}
          empty={<Empty icon="bank" title={filter === "unmatched" ? words.noneUnmatched : words.none} />}
        >
          {(transfers) => <TransferTable transfers={transfers} onAssign={setChosen} />}
        </PagedList>
      </div>
      <OpenInvoices />
      {chosen && (
        <Assign
          transfer={chosen}
          onClose={() => {
            setChosen(undefined)
            list.again()
          }}
        />
      )}
    </Page>
  )
}

const looks = { credited: "badge-good", unmatched: "badge-warn", ignored: "" } as const

const TransferTable = (properties: {
  transfers: ReadonlyArray<Transfer>
  onAssign: (transfer: Transfer) => void
}) => {
  const { transfers: words } = operatorText()
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.memo}</th>
          <th scope="col">{words.status}</th>
          <th scope="col" class="right">
            {words.amount}
          </th>
          <th scope="col">
            <span class="sr-only">{words.assign}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {properties.transfers.map((transfer) => (
          <tr key={transfer.id}>
            <td data-label={words.time} class="number whitespace-nowrap">
              {dateTime(transfer.at)}
            </td>
            <td data-label={words.memo} class="@min-[52rem]:max-w-md">
              <span class="block min-w-0">
                <span class="block wrap-anywhere">{transfer.memo}</span>
                <span class="block text-xs text-faint">
                  {transfer.provider} · {words.heard[transfer.heard_by]} ·{" "}
                  <code class="text-xs">{transfer.provider_id}</code>
                </span>
              </span>
            </td>
            <td data-label={words.status}>
              <TransferStatus of={transfer} />
            </td>
            <td data-label={words.amount} class="right">
              <Money
                vnd={transfer.direction === "out" ? `-${transfer.amount_vnd}` : transfer.amount_vnd}
                class="font-medium"
              />
            </td>
            <td class="actions right">
              {transfer.status === "unmatched" && may("money") && (
                <Button small onClick={() => properties.onAssign(transfer)}>
                  {words.assign}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const TransferStatus = ({ of }: { readonly of: Transfer }) => {
  const { transfers: words } = operatorText()
  const names: Readonly<Record<string, string>> = words.notes
  const notes = [
    names[of.note] ?? of.note,
    ...of.flags.map((flag) => names[flag] ?? flag),
    of.email ?? "",
    of.assigned_by === null ? "" : words.by(of.assigned_by)
  ]
  return (
    <span class="block">
      <span class={`badge ${looks[of.status]}`}>{words.filters[of.status]}</span>
      <span class="mt-0.5 block text-xs text-faint">{notes.filter((note) => note !== "").join(" · ")}</span>
    </span>
  )
}

const Assign = ({ transfer, onClose }: { readonly transfer: Transfer; readonly onClose: () => void }) => {
  const [account, setAccount] = useState("")
  const [reason, setReason] = useState("")
  const { accounts, transfers: words } = operatorText()
  const form = useSubmit(account.trim() !== "" && reason.trim() !== "", async () => {
    await post(
      "/operator/transfers/:id/assign",
      {
        account: account.trim(),
        reason: reason.trim()
      },
      { id: transfer.id }
    )
    toast(words.assigned)
    onClose()
  })
  return (
    <Dialog title={words.assignTitle} onClose={onClose}>
      <form noValidate class="space-y-4" onSubmit={form.submit}>
        <p class="rounded-xl bg-sunken px-4 py-3">
          <span class="number block text-lg font-semibold">{money(transfer.amount_vnd)}</span>
          <span class="block text-sm break-words text-soft">{transfer.memo}</span>
        </p>
        {form.failure !== undefined && <FormFailure failure={form.failure} />}
        <Field
          label={words.account}
          autoComplete="off"
          autoFocus
          value={account}
          problem={form.isTried && account.trim() === "" ? words.accountNeeded : undefined}
          onText={setAccount}
        />
        <Field
          label={accounts.reason}
          maxLength={500}
          value={reason}
          problem={form.isTried && reason.trim() === "" ? accounts.reasonNeeded : undefined}
          onText={setReason}
        />
        <DialogActions>
          <Button onClick={onClose}>{text().common.cancel}</Button>
          <Button type="submit" look="primary" disabled={form.isBusy}>
            {words.assign}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
