/** One order: its QR code, what to type where scanning is not possible, and its state, which changes by itself. */
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { apiUrl, get, post } from "../api.ts"
import type { Order } from "../answers.ts"
import { Button, ButtonLink, CopyButton } from "../components/Button.tsx"
import { Icon, type IconName } from "../components/Icon.tsx"
import { QrCode, saveQrImage } from "../components/QrCode.tsx"
import { useFocusKept } from "../focus-heading.ts"
import { money, text } from "../language.ts"
import { session } from "../session.ts"
import { docsText } from "../text/docs.ts"
import { payingText } from "../text/paying.ts"
import { useAction } from "../use-action.ts"
import { useLoad } from "../use-load.ts"
import { whileSeen } from "../when-seen.ts"

const pollMs = 5_000

const watchOrder = (id: string, take: (order: Order) => void): (() => void) => {
  let isListening = false
  const events = new EventSource(apiUrl("/top-ups/:id/events", {}, { id }))
  events.addEventListener("order", (event) => take(JSON.parse(event.data) as Order))
  events.addEventListener("open", () => (isListening = true))
  events.addEventListener("error", () => (isListening = false))
  const poll = setInterval(() => {
    if (!isListening) void get("/top-ups/:id", {}, { id }).then(take, () => undefined)
  }, pollMs)
  return () => {
    events.close()
    clearInterval(poll)
  }
}

/**
 * Told by the server as it happens; asked every few seconds where that connection does not hold. Neither while nobody looks: six
 * tabs that listen would have all the connections that a browser opens to a server.
 */
const useOrder = (first: Order, onChange: () => void) => {
  const [order, setOrder] = useState(first)
  const { id } = order
  useEffect(() => {
    let { status } = order
    if (status === "paid") return
    const take = (next: Order) => {
      setOrder(next)
      if (next.status === "paid") stop()
      if (next.status !== status) onChange()
      status = next.status
    }
    const stop = whileSeen(() => watchOrder(id, take))
    return stop
  }, [id])
  const renew = (next: Order) => {
    setOrder(next)
    onChange()
  }
  return [order, renew] as const
}

/** Of an order that still waits, it is the same one with more time. */
export const askAgain = ({ amount_vnd: amount }: Order): Promise<Order> =>
  post("/top-ups", { amount: Number(amount) })

interface PayProperties {
  readonly order: Order
  readonly onChange: () => void
  readonly onAnother: () => void
}

export const PayOrder = ({ order: first, onChange, onAnother }: PayProperties) => {
  const [order, renew] = useOrder(first, onChange)
  const { bank } = order
  const words = payingText()
  useFocusKept(order.status)
  if (order.status === "paid") return <Paid order={order} onAnother={onAnother} />
  if (order.status === "expired") return <Expired order={order} onRenew={renew} onAnother={onAnother} />
  if (bank === undefined) return null
  return (
    <section class="card overflow-hidden" aria-label={words.payTitle}>
      <div class="grid grid-cols-[minmax(0,1fr)] md:grid-cols-[20rem_minmax(0,1fr)]">
        <div class="flex flex-col items-center gap-4 border-b border-line bg-sunken/60 p-6 md:border-r md:border-b-0">
          <div class="w-full max-w-64 rounded-2xl border border-line bg-white">
            <QrCode value={bank.qr} label={words.qrLabel(money(order.amount_vnd))} />
          </div>
          <p class="text-center text-sm text-soft">{words.scan}</p>
          <Button look="quiet" small icon="download" onClick={() => saveQrImage(bank.qr, order.code)}>
            {words.saveImage}
          </Button>
        </div>
        <div class="flex flex-col p-6">
          <p class="text-sm text-faint">{words.amount}</p>
          <p class="number mb-4 text-3xl font-semibold tracking-tight">{money(order.amount_vnd)}</p>
          <dl class="divide-y divide-line border-y border-line">
            <Detail name={words.bank} value={bank.name} />
            <Detail name={words.account} value={bank.account} copy={bank.account} />
            <Detail name={words.accountName} value={bank.account_name} />
            <Detail name={words.amount} value={money(order.amount_vnd)} copy={order.amount_vnd} />
            <Detail name={words.memo} value={bank.memo} copy={bank.memo} />
          </dl>
          <p class="mt-3 text-sm text-soft">{words.memoHint}</p>
          <Waiting />
          {session.value?.simulates_bank && <Simulate order={order} />}
          <div class="mt-5">
            <Button look="quiet" small onClick={onAnother} class="-ml-2.5">
              {words.otherAmount}
            </Button>
          </div>
        </div>
      </div>
    </section>
  )
}

const Detail = ({ name, value, copy }: { name: string; value: string; copy?: string }) => (
  <div class="flex min-h-11 items-center justify-between gap-4 py-1">
    <dt class="text-sm text-faint">{name}</dt>
    <dd class="number flex items-center gap-1 font-medium">
      {value}
      {copy && <CopyButton value={copy} label={text().common.copyThis(name.toLowerCase())} />}
    </dd>
  </div>
)

const Waiting = () => {
  const words = payingText()
  return (
    <div role="status" class="mt-5 flex items-start gap-3.5 rounded-xl bg-sunken px-4 py-3">
      <span class="mt-1.5 size-2.5 shrink-0 animate-[pulse_1.6s_ease-out_infinite] rounded-full bg-accent" />
      <span>
        <span class="block font-medium">{words.waiting}</span>
        <span class="block text-sm text-soft">{words.waitingHint}</span>
      </span>
    </div>
  )
}

const Simulate = ({ order }: { readonly order: Order }) => {
  const words = payingText()
  const pay = useAction(() => post("/top-ups/:id/simulate", {}, { id: order.id }))
  return (
    <div class="mt-4 rounded-xl border border-dashed border-warn bg-warn-soft p-4">
      <Button small disabled={pay.isBusy} onClick={pay.start}>
        {words.simulate}
      </Button>
      <p class="mt-2 text-[0.8125rem] text-warn">{words.simulateHint}</p>
    </div>
  )
}

const Paid = ({ order, onAnother }: Pick<PayProperties, "order" | "onAnother">) => {
  const keys = useLoad(() => get("/keys"), [])
  const words = payingText()
  const [came, ordered] = [money(order.credited_vnd), money(order.amount_vnd)]
  return (
    <Ended icon="check" look="bg-accent text-on-accent" title={words.paid} hint={words.paidHint(came)}>
      {came !== ordered && <p class="mt-1 text-soft">{words.differs(ordered, came)}</p>}
      <div class={buttons}>
        {keys.data?.keys.every(({ status }) => status !== "active") && (
          <ButtonLink to="/keys?new=1" look="primary" icon="key">
            {docsText().firstKey}
          </ButtonLink>
        )}
        <Button onClick={onAnother}>{words.another}</Button>
      </div>
    </Ended>
  )
}

const Expired = ({
  order,
  onRenew,
  onAnother
}: Omit<PayProperties, "onChange"> & { readonly onRenew: (next: Order) => void }) => {
  const words = payingText()
  const renew = useAction(() => askAgain(order).then(onRenew))
  return (
    <Ended icon="alert" look="bg-sunken text-faint" title={words.expired} hint={words.expiredHint}>
      <div class={buttons}>
        <Button look="primary" disabled={renew.isBusy} onClick={renew.start}>
          {words.newCode(money(order.amount_vnd))}
        </Button>
        <Button onClick={onAnother}>{words.otherAmount}</Button>
      </div>
    </Ended>
  )
}

const buttons = "mt-6 flex flex-wrap justify-center gap-2"

/** In place of the code, once there is nothing to scan any more. */
const Ended = (properties: {
  readonly icon: IconName
  readonly look: string
  readonly title: string
  readonly hint: string
  readonly children: ComponentChildren
}) => (
  <section class="card flex flex-col items-center px-6 py-14 text-center" role="status">
    <span class={`flex size-16 items-center justify-center rounded-full ${properties.look}`}>
      <Icon name={properties.icon} size={32} />
    </span>
    <p class="mt-5 text-xl font-semibold tracking-tight">{properties.title}</p>
    <p class="mt-1 text-soft">{properties.hint}</p>
    {properties.children}
  </section>
)
