/** Bank transfers: those that wait for an operator first. */
import { useState } from "preact/hooks"
import { get } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Choice } from "../components/Field.tsx"
import { Empty, Money, Page } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { actionsColumn, right, Table } from "../components/Table.tsx"
import { dateTime, text } from "../language.ts"
import { may } from "../may.ts"
import { operatorText } from "../text/operator.ts"
import { usePages } from "../use-pages.ts"
import { useQuery } from "../use-query.ts"
import type { Transfer } from "./answers.ts"
import { OpenInvoices } from "./OpenInvoices.tsx"
import { SettleTransfer } from "./SettleTransfer.tsx"

type Filter = Transfer["status"] | "all"

const filters: ReadonlyArray<Filter> = [
  "unmatched",
  "credited",
  "returning",
  "returned",
  "dismissed",
  "ignored",
  "all"
]

export const Transfers = () => {
  const [filter, setFilter] = useState<Filter>("unmatched")
  // One that was searched for is shown alone, whatever became of it, until a filter is chosen.
  const [{ id }, change] = useQuery({ id: "" })
  const [chosen, setChosen] = useState<Transfer>()
  const list = usePages(
    async (before) => {
      const status = filter === "all" ? undefined : filter
      const { next, transfers } = await get("/operator/transfers", id === "" ? { status, before } : { id })
      return { items: transfers, next }
    },
    [filter, id]
  )
  const choose = (next: Filter) => {
    change({ id: "" })
    setFilter(next)
  }
  const { transfers: words } = operatorText()
  return (
    <Page title={words.title} intro={words.intro}>
      <div class="mb-4">
        <Choice
          label={words.filter}
          value={id === "" ? filter : undefined}
          options={filters.map((option) => [option, words.filters[option]])}
          onChoose={choose}
        />
      </div>
      <div class="card">
        <PagedList
          of={list}
          empty={
            <Empty
              icon="bank"
              title={filter === "unmatched" && id === "" ? words.noneUnmatched : words.none}
            />
          }
        >
          {(transfers) => <TransferTable transfers={transfers} onSettle={setChosen} />}
        </PagedList>
      </div>
      <OpenInvoices />
      {chosen && (
        <SettleTransfer
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

const looks = {
  credited: "badge-good",
  unmatched: "badge-warn",
  returning: "badge-warn",
  returned: "",
  dismissed: "",
  ignored: ""
} as const

/** What can be done with it, as its button says. */
const nextStep = (status: Transfer["status"]): string => {
  const { assign, settle, steps } = operatorText().transfers
  return status === "unmatched" ? assign : status === "credited" ? steps.takeBack : settle
}

/** Those of the banks, beside the messenger's id. */
const referencesOf = ({ bank_reference, provider_id, shown_reference }: Transfer) =>
  [...new Set([bank_reference, shown_reference])].filter((each) => each !== "" && each !== provider_id)

const TransferTable = (properties: {
  transfers: ReadonlyArray<Transfer>
  onSettle: (transfer: Transfer) => void
}) => {
  const { transfers: words } = operatorText()
  return (
    <Table head={[words.time, words.memo, words.sender, words.status, right(words.amount), actionsColumn()]}>
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
                {referencesOf(transfer).map((reference) => (
                  <span key={reference}>
                    {" "}
                    · <code class="text-xs">{reference}</code>
                  </span>
                ))}
              </span>
            </span>
          </td>
          <td data-label={words.sender}>
            <SenderOf transfer={transfer} />
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
            {transfer.status !== "ignored" && may("money") && (
              <Button
                small
                look={transfer.status === "credited" ? "quiet" : "plain"}
                class="whitespace-nowrap"
                onClick={() => properties.onSettle(transfer)}
              >
                {nextStep(transfer.status)}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Who sent it and from where, as far as the bank told. */
const SenderOf = ({ transfer }: { readonly transfer: Transfer }) => {
  const account = [transfer.sender_account, transfer.sender_bank].filter((part) => part !== "").join(" · ")
  if (transfer.sender_name === "" && account === "") return <>{text().common.none}</>
  return (
    <span class="block min-w-0">
      <span class="block wrap-anywhere">{transfer.sender_name}</span>
      <span class="block text-xs wrap-anywhere text-faint">{account}</span>
    </span>
  )
}

const TransferStatus = ({ of }: { readonly of: Transfer }) => {
  const { transfers: words } = operatorText()
  const names: Readonly<Record<string, string>> = words.notes
  const notes = [
    names[of.note] ?? of.note,
    ...of.flags.map((flag) => names[flag] ?? flag),
    of.return_reference === "" ? "" : words.returnedBy(of.return_reference),
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
