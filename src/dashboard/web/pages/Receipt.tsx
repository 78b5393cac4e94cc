/** A receipt for one top-up, to be printed. */
import type { ComponentChildren } from "preact"
import { get, post } from "../api.ts"
import { Button, ButtonLink } from "../components/Button.tsx"
import { Card, Money, Page, Show } from "../components/Layout.tsx"
import { toast } from "../components/Toasts.tsx"
import { exactTime } from "../language.ts"
import type { Receipt as ReceiptData } from "../answers.ts"
import { statementText } from "../text/statement.ts"
import { useLoad } from "../use-load.ts"
import { useQuery } from "../use-query.ts"
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
  if (invoice === null) {
    const ask = () =>
      void post("/receipts/:id/invoice", {}, { id }).then(onAsked, () => toast(words.invoiceNeeds, "bad"))
    return (
      <Button small class="print:hidden!" onClick={ask}>
        {words.invoiceAsk}
      </Button>
    )
  }
  if (invoice.status !== "issued") return <>{words.invoiceStatus[invoice.status]}</>
  const name = words.invoiceNumber(invoice.number)
  return invoice.url === "" ? (
    <>{name}</>
  ) : (
    <a class="text-accent-ink underline" href={invoice.url} target="_blank" rel="noopener noreferrer">
      {name} (PDF)
    </a>
  )
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
      {(of.invoice !== null || of.may_have_invoice) && (
        <Line name={words.invoice}>
          <InvoiceOf of={of} onAsked={onAsked} />
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
