/** Topping up: choose an amount, scan, and watch the money come in. */
import { useState } from "preact/hooks"
import { get, post } from "../api.ts"
import type { Order, TopUps } from "../answers.ts"
import { Button } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { LatestOnly } from "../components/LatestOnly.tsx"
import { Card, Empty, Money, Page, Show } from "../components/Layout.tsx"
import { actionsColumn, right, Table } from "../components/Table.tsx"
import { focusHeading } from "../focus-heading.ts"
import { dateTime, money, number, text } from "../language.ts"
import { payingText } from "../text/paying.ts"
import { wholeAmountOf } from "../typed-amount.ts"
import { useAction } from "../use-action.ts"
import { useLoad } from "../use-load.ts"
import { useQuery } from "../use-query.ts"
import { useSubmit } from "../use-submit.ts"
import { askAgain, PayOrder } from "./PayOrder.tsx"

export const TopUp = () => {
  const topUps = useLoad(() => get("/top-ups"), [])
  const [created, setCreated] = useState<Order>()
  // Kept in the address: a telephone may drop this page while its owner is in the banking app.
  const [query, change] = useQuery({ order: "" })
  const words = payingText()
  const choose = (chosen: Order | undefined) => {
    setCreated(chosen)
    change({ order: chosen?.id ?? "" })
    topUps.reload()
    // What it was chosen by gives way, or stays further down.
    focusHeading()
    scrollTo(0, 0)
  }
  const open = async (order: Order) => choose(order.bank ? order : await askAgain(order))
  return (
    <Page title={words.title} intro={words.intro}>
      <Show of={topUps}>
        {(data) => {
          // Without a way to pay there is nothing to show of it.
          const order =
            created ??
            data.orders.find(({ bank, id, status }) => id === query.order && (bank || status !== "pending"))
          return (
            <div class="space-y-6">
              {!data.is_open ? (
                <div class="card">
                  <Empty icon="bank" title={words.closed} hint={words.closedHint} />
                </div>
              ) : order ? (
                <PayOrder
                  key={order.id}
                  order={order}
                  onChange={topUps.reload}
                  onAnother={() => choose(undefined)}
                />
              ) : (
                <AmountForm limits={data} onOrder={choose} />
              )}
              <History of={data} onOpen={open} />
            </div>
          )
        }}
      </Show>
    </Page>
  )
}

const quickAmounts = [50_000, 100_000, 200_000, 500_000, 1_000_000, 2_000_000]

const problemOf = (amount: number | undefined, limits: TopUps): string | undefined => {
  const { problems: codes } = payingText()
  if (amount === undefined) return codes.amount_not_a_number
  if (amount < limits.minimum_vnd) return codes.amount_too_small
  return amount > limits.maximum_vnd ? codes.amount_too_large : undefined
}

const AmountForm = ({ limits, onOrder }: { limits: TopUps; onOrder: (order: Order) => void }) => {
  const [value, setValue] = useState("100000")
  // While somebody types, what they type stays: writing it anew would move the cursor.
  const [isTyping, setTyping] = useState(false)
  const amount = wholeAmountOf(value)
  const problem = problemOf(amount, limits)
  const words = payingText()
  const form = useSubmit(problem === undefined && amount, async (whole) =>
    onOrder(await post("/top-ups", { amount: whole }))
  )
  return (
    <Card class="max-w-2xl">
      <Form of={form} class="space-y-5">
        <div role="group" aria-label={words.quick} class="grid grid-cols-2 gap-2.5 sm:grid-cols-3">
          {quickAmounts.map((quick) => (
            <button
              key={quick}
              type="button"
              aria-pressed={amount === quick}
              onClick={() => setValue(String(quick))}
              class="number rounded-xl border border-line px-3 py-3.5 text-center font-semibold transition-colors hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink"
            >
              {money(String(quick))}
            </button>
          ))}
        </div>
        <Field
          label={words.amount}
          hint={words.amountHint}
          suffix="₫"
          inputMode="numeric"
          autoComplete="off"
          maxLength={20}
          value={isTyping || amount === undefined ? value : money(String(amount)).replace(" ₫", "")}
          problem={
            form.isTried || (amount !== undefined && amount > limits.maximum_vnd) ? problem : undefined
          }
          onText={(typed) => {
            setTyping(true)
            setValue(typed)
          }}
          onBlur={() => setTyping(false)}
        />
        <Button type="submit" look="primary" class="w-full sm:w-auto" disabled={form.isBusy}>
          {words.create}
        </Button>
      </Form>
    </Card>
  )
}

interface HistoryProperties {
  readonly of: TopUps
  readonly onOpen: (order: Order) => Promise<void>
}

const looks = { pending: "badge-warn", paid: "badge-good", expired: "" } as const

const History = ({
  of: { has_more_orders: hasMore, is_open: isOpen, orders },
  onOpen
}: HistoryProperties) => {
  const words = payingText()
  if (orders.length === 0) return null
  return (
    <Card title={words.history} flush>
      <Table
        head={[
          words.columnTime,
          words.columnCode,
          words.columnStatus,
          right(words.columnAmount),
          right(words.credited),
          actionsColumn()
        ]}
      >
        {orders.map((order) => (
          <tr key={order.id}>
            <td data-label={words.columnTime}>{dateTime(order.created_at)}</td>
            <td data-label={words.columnCode}>
              <code>{order.code}</code>
            </td>
            <td data-label={words.columnStatus}>
              <span class={`badge ${looks[order.status]}`}>{words.status[order.status]}</span>
            </td>
            <td data-label={words.columnAmount} class="right">
              <Money vnd={order.amount_vnd} />
            </td>
            <td data-label={words.credited} class="right">
              {order.status === "paid" ? <Money vnd={order.credited_vnd} /> : text().common.none}
            </td>
            <td class="actions right">
              {isOpen && order.status === "pending" && <OpenButton open={() => onOpen(order)} />}
            </td>
          </tr>
        ))}
      </Table>
      {hasMore && (
        <LatestOnly
          told={words.latest(number(orders.length))}
          to="/statement?period=all"
          all={words.allReceived}
        />
      )}
    </Card>
  )
}

const OpenButton = ({ open }: { readonly open: () => Promise<void> }) => {
  const { isBusy, start } = useAction(open)
  return (
    <Button look="quiet" small disabled={isBusy} onClick={start}>
      {payingText().open}
    </Button>
  )
}
