/** What a customer is told of: thresholds and mail, webhooks, and how each delivery went. */
import { get, post } from "../api.ts"
import type { Delivery } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Card, Empty, Page, Show } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { toast } from "../components/Toasts.tsx"
import { ago, dateTime } from "../language.ts"
import { alertsText } from "../text/alerts.ts"
import { useAction } from "../use-action.ts"
import { useLoad } from "../use-load.ts"
import { type Pages, usePages } from "../use-pages.ts"
import { AlertForm } from "./AlertForm.tsx"
import { Webhooks } from "./Webhooks.tsx"

export const Alerts = () => {
  const words = alertsText()
  const alerts = useLoad(() => get("/alerts"), [])
  const deliveries = usePages(async (after) => {
    const page = await get("/alerts/deliveries", { after })
    return { items: page.deliveries, next: page.next }
  }, [])
  return (
    <Page title={words.title} intro={words.intro}>
      <div class="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
        <Card title={words.settings}>
          <Show of={alerts} rows={10}>
            {(data) => <AlertForm of={data.settings} accountEmail={data.account_email} />}
          </Show>
        </Card>
        <Webhooks of={alerts} onSent={deliveries.again} />
      </div>
      <div class="mt-6">
        <Log of={deliveries} />
      </div>
    </Page>
  )
}

const Log = ({ of }: { readonly of: Pages<Delivery> }) => {
  const words = alertsText()
  const refresh = (
    <Button look="quiet" small icon="refresh" onClick={of.again}>
      {words.refresh}
    </Button>
  )
  return (
    <Card title={words.log} flush aside={refresh}>
      <PagedList of={of} empty={<Empty icon="list" title={words.logEmpty} hint={words.logHint} />}>
        {(items) => (
          <ul class="divide-y divide-line border-t border-line">
            {items.map((delivery) => (
              <LogLine key={delivery.id} of={delivery} onResent={of.again} />
            ))}
          </ul>
        )}
      </PagedList>
    </Card>
  )
}

const looks = { pending: "badge badge-warn", delivered: "badge badge-good", given_up: "badge badge-bad" }

const LogLine = ({ of, onResent }: { readonly of: Delivery; readonly onResent: () => void }) => {
  const words = alertsText()
  const kinds: Readonly<Record<string, string>> = { ...words.kinds, test: words.testKind }
  const outcomes: Readonly<Record<string, string>> = words.outcomes
  const resend = useAction(async () => {
    await post("/alerts/deliveries/:id/resend", {}, { id: of.id })
    toast(words.resent)
    onResent()
  })
  const facts = [
    ...(of.attempts > 0 ? [words.attempts(of.attempts)] : []),
    ...(of.outcome === "" ? [] : [outcomes[of.outcome] ?? of.outcome]),
    ...(of.status === "pending" && of.attempts > 0 && of.next_at !== null
      ? [words.next(dateTime(of.next_at))]
      : [])
  ]
  return (
    <li class="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 text-sm">
      <div class="min-w-0 flex-1 basis-64">
        <p class="font-medium">
          {kinds[of.kind] ?? of.kind}{" "}
          <span class={`${looks[of.status]} ml-2`}>{words.status[of.status]}</span>
        </p>
        <p class="truncate text-soft" title={of.address}>
          {of.address}
        </p>
        <p class="text-[0.8125rem] text-faint" title={of.alert}>
          {[ago(of.created_at), ...facts].join(" · ")}
        </p>
      </div>
      <Button look="quiet" small disabled={resend.isBusy} onClick={resend.start}>
        {words.resend}
      </Button>
    </li>
  )
}
