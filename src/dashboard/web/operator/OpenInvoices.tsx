/** Invoices that could not be issued yet; not there while there are none. */
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Card, Money } from "../components/Layout.tsx"
import { dateTime } from "../language.ts"
import { may } from "../may.ts"
import { tellFailure } from "../tell-failure.ts"
import { operatorText } from "../text/operator.ts"
import { useLoad } from "../use-load.ts"

export const OpenInvoices = () => {
  const { data, reload } = useLoad(() => get("/operator/invoices"), [])
  const { invoices: words } = operatorText()
  if (data === undefined || data.invoices.length === 0) return null
  const retry = (id: string) =>
    void post("/operator/invoices/:id/retry", {}, { id }).then(reload, tellFailure)
  return (
    <Card title={words.title} flush class="mt-6">
      <ul class="divide-y divide-line border-t border-line">
        {data.invoices.map((invoice) => (
          <li
            key={invoice.id}
            class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 text-sm"
          >
            <div class="min-w-0 flex-1 basis-64">
              <p class="font-medium wrap-anywhere">
                {invoice.company} · <Money vnd={invoice.amount_vnd} />
              </p>
              <p class="text-soft wrap-anywhere">{invoice.problem}</p>
              <p class="text-[0.8125rem] text-faint">
                {dateTime(invoice.created_at)} · <code>{invoice.id}</code>
              </p>
            </div>
            {invoice.status === "failed" && may("money") ? (
              <Button small onClick={() => retry(invoice.id)}>
                {words.retry}
              </Button>
            ) : (
              <span class="badge badge-warn">
                {invoice.status === "failed" ? words.failed : words.waiting}
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
