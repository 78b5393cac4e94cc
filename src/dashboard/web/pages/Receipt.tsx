/** A receipt for one top-up, to be printed. */
import type { ComponentChildren } from "preact"
import { ApiError, explain, get, post } from "../api.ts"
import { Button, ButtonLink } from "../components/Button.tsx"
import { Card, Money, Page, Show } from "../components/Layout.tsx"
import { useFocusKept } from "../focus-heading.ts"
import { exactTime } from "../language.ts"
import type { Receipt as ReceiptData } from "../answers.ts"
import { statementText } from "../text/statement.ts"
import { useLoad, useRefresh } from "../use-load.ts"
import { useQuery } from "../use-query.ts"
import { useSubmit } from "../use-submit.ts"
import { Parties } from "./Parties.tsx"

export const Receipt = () => {
  const [{ id }] = useQuery({ id: "" })
  const receipt = useLoad(() => get("/receipts/:id", {}, { id }), [id])
  const words = statementText()
  return (
    <Page
      title={words.receiptTitle(id)}
      actions={
        <>
          <ButtonLink to="/statement">{words.back}</ButtonLink>
          <Button look="primary" icon="print" onClick={() => print()}>
            {words.print}
          </Button>
        </>
      }
    >
      <div class="max-w-3xl space-y-6">
        <Parties />
        <Card title={words.receiptFor}>
          <Show of={receipt}>{(data) => <Lines of={data} onAsked={receipt.reload} />}</Show>
        </Card>
        <p class="text-sm text-soft">{words.notAnInvoice}</p>
      </div>
    </Page>
  )
}

interface LinesProperties {
  readonly of: ReceiptData
  readonly onAsked: () => void
}

const InvoiceOf = ({ of: { id, invoice }, onAsked }: LinesProperties) => {
  const words = statementText()
  useFocusKept(invoice?.status)
  if (invoice === null) return <AskForInvoice id={id} onAsked={onAsked} />
  if (invoice.status === "waiting") return <WaitingInvoice onAsked={onAsked} />
  if (invoice.status === "failed") return <>{words.invoiceStatus.failed}</>
  const name = words.invoiceNumber(invoice.number)
  return invoice.url === "" ? (
    <>{name}</>
  ) : (
    <a class="text-accent-ink underline" href={invoice.url} target="_blank" rel="noopener noreferrer">
      {name} (PDF)
    </a>
  )
}

const AskForInvoice = ({ id, onAsked }: Pick<LinesProperties, "onAsked"> & { readonly id: string }) => {
  const words = statementText()
  const form = useSubmit(true, async () => {
    await post("/receipts/:id/invoice", {}, { id }).catch(async (error: unknown) => {
      // It is asked for all the same where the answer alone was lost.
      const { invoice } = await get("/receipts/:id", {}, { id })
      if (invoice === null) throw error
    })
    onAsked()
  })
  const { failure } = form
  const isUnnamed = failure instanceof ApiError && failure.code === "not_found"
  return (
    <form class="print:hidden!" onSubmit={form.submit}>
      <Button type="submit" small disabled={form.isBusy}>
        {words.invoiceAsk}
      </Button>
      {failure !== undefined && (
        <p class="mt-1.5 text-danger">{isUnnamed ? words.invoiceNeeds : explain(failure)}</p>
      )}
    </form>
  )
}

const invoiceRefreshMs = 5_000

const WaitingInvoice = ({ onAsked }: Pick<LinesProperties, "onAsked">) => {
  useRefresh(onAsked, invoiceRefreshMs)
  return <>{statementText().invoiceStatus.waiting}</>
}

const Lines = ({ of, onAsked }: LinesProperties) => {
  const words = statementText()
  return (
    <dl class="-mt-2 divide-y divide-line text-sm">
      <Line name={words.amount}>
        <Money vnd={of.amount_vnd} class="text-lg font-semibold whitespace-normal" />
      </Line>
      <Line name={words.receivedAt}>{exactTime(of.transferred_at ?? of.at)}</Line>
      {of.code && <Line name={words.code}>{of.code}</Line>}
      <Line name={words.transfer}>{of.transfer}</Line>
      {of.taken_back_at !== null && (
        <Line name={words.takenBack}>{words.takenBackAt(exactTime(of.taken_back_at))}</Line>
      )}
      {(of.invoice !== null || of.may_have_invoice) && (
        <Line name={words.invoice}>
          <div role="status">
            <InvoiceOf of={of} onAsked={onAsked} />
          </div>
        </Line>
      )}
    </dl>
  )
}

const Line = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div class="flex items-baseline justify-between gap-4 py-2.5">
    <dt class="shrink-0 text-faint">{name}</dt>
    <dd class="number min-w-0 text-right wrap-anywhere whitespace-normal">{children}</dd>
  </div>
)
