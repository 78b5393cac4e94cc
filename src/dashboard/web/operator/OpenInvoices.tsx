/** Invoices that could not be issued yet; not there while it is known that there are none. */
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { Card, Money, Show } from "../components/Layout.tsx"
import { useFocusKept } from "../focus-heading.ts"
import { dateTime, number } from "../language.ts"
import { may } from "../may.ts"
import { operatorText } from "../text/operator.ts"
import { useAction } from "../use-action.ts"
import { useLoad } from "../use-load.ts"
import { problemIn } from "./invoice-problem.ts"

export const OpenInvoices = () => {
  const list = useLoad(() => get("/operator/invoices"), [])
  const { invoices: words } = operatorText()
  useFocusKept(list.data)
  if (list.error === undefined && !list.data?.invoices.length) return null
  return (
    <Card title={words.title} flush class="mt-6">
      <Show of={list}>
        {({ invoices, open }) => (
          <>
            <ul class="divide-y divide-line border-t border-line">
              {invoices.map((invoice) => (
                <li
                  key={invoice.id}
                  class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 text-sm"
                >
                  <div class="min-w-0 flex-1 basis-64">
                    <p class="font-medium wrap-anywhere">
                      {invoice.company} · <Money vnd={invoice.amount_vnd} />
                    </p>
                    <p class="text-soft wrap-anywhere">{problemIn(words.problems, invoice.problem)}</p>
                    <p class="text-[0.8125rem] text-faint">
                      {dateTime(invoice.created_at)} · <code>{invoice.id}</code>
                    </p>
                  </div>
                  {invoice.status === "failed" && may("money") ? (
                    <RetryButton id={invoice.id} onTried={list.reload} />
                  ) : (
                    <span class="badge badge-warn">
                      {invoice.status === "failed" ? words.failed : words.waiting}
                    </span>
                  )}
                </li>
              ))}
            </ul>
            {open > invoices.length && (
              <p class="border-t border-line px-5 py-3 text-sm text-soft">
                {words.shown(number(invoices.length), number(open))}
              </p>
            )}
          </>
        )}
      </Show>
    </Card>
  )
}

const RetryButton = ({ id, onTried }: { readonly id: string; readonly onTried: () => void }) => {
  const { isBusy, start } = useAction(() => post("/operator/invoices/:id/retry", {}, { id }).finally(onTried))
  return (
    <Button small disabled={isBusy} onClick={start}>
      {operatorText().invoices.retry}
    </Button>
  )
}
