/** What a customer is told of: thresholds and mail, webhooks, and how each delivery went. */
import { get, post } from "../api.ts"
import type { Delivery } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { DeliveryLine } from "../components/DeliveryLine.tsx"
import { Card, Empty, Page, Show } from "../components/Layout.tsx"
import { PagedList } from "../components/PagedList.tsx"
import { toast } from "../components/Toasts.tsx"
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

const LogLine = ({ of, onResent }: { readonly of: Delivery; readonly onResent: () => void }) => {
  const words = alertsText()
  const resend = useAction(async () => {
    await post("/alerts/deliveries/:id/resend", {}, { id: of.id })
    toast(words.resent)
    onResent()
  })
  return (
    <DeliveryLine of={of}>
      <Button look="quiet" small disabled={resend.isBusy} onClick={resend.start}>
        {words.resend}
      </Button>
    </DeliveryLine>
  )
}
