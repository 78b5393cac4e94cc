/** What lies ahead of an account: why calls were refused, what is on hold, how long the balance lasts, and the last days. */
import { useMemo, useState } from "preact/hooks"
import { get, post } from "../api.ts"
import type { Order, OutlookAnswer } from "../answers.ts"
import { Button, ButtonLink, Link } from "../components/Button.tsx"
import { type Bar, Chart } from "../components/Chart.tsx"
import { Icon } from "../components/Icon.tsx"
import { Card, ChartSkeleton, Money } from "../components/Layout.tsx"
import { ago, axisNumber, day, fullDay, language, money, number } from "../language.ts"
import { mayOpen } from "../may.ts"
import { navigate } from "../router.ts"
import { outlookText } from "../text/outlook.ts"
import { useLoad, useRefresh } from "../use-load.ts"
import { dayMs, dayText, startOfDay } from "../../../domain/vietnam-days.ts"
import { PayOrder } from "./PayOrder.tsx"

const refreshMs = 20_000

export const Outlook = () => {
  const outlook = useLoad(() => get("/overview/outlook"), [])
  useRefresh(outlook.reload, refreshMs)
  const { data, error } = outlook
  // The page says everything else without it.
  if (data === undefined) return error === undefined ? <ChartSkeleton /> : null
  return (
    <>
      {data.refused && <Refused refused={data.refused} onChange={outlook.reload} />}
      <LastDays data={data} />
    </>
  )
}

/** Whole VND that one press tops up. */
const quickAmount = 100_000

interface RefusedProperties {
  readonly refused: NonNullable<OutlookAnswer["refused"]>
  readonly onChange: () => void
}

type Reason = NonNullable<OutlookAnswer["refused"]>["keys"][number]["reason"]

const whyRefused = (reason: Reason) => {
  const { becauseBalance, becauseBudget, becauseMemberBudget } = outlookText()
  return { balance: becauseBalance, budget: becauseBudget, member_budget: becauseMemberBudget }[reason]
}

const Refused = ({ refused, onChange }: RefusedProperties) => {
  const [order, setOrder] = useState<Order>()
  const words = outlookText()
  const pay = () => post("/top-ups", { amount: quickAmount }).then(setOrder, () => navigate("/topup"))
  const lacksMoney = refused.keys.some(({ reason }) => reason === "balance")
  const budgetPage = refused.keys.some(({ reason }) => reason === "budget") ? "/keys" : "/members"
  return (
    <section class="card border-danger/40 px-5 py-4" aria-label={words.refusedTitle(number(refused.calls))}>
      <div class="flex gap-3">
        <span class="mt-0.5 shrink-0 text-danger">
          <Icon name="alert" size={20} />
        </span>
        <div class="min-w-0 flex-1 space-y-2">
          <h2 class="font-semibold">{words.refusedTitle(number(refused.calls))}</h2>
          <p class="text-sm text-soft" key={language.value}>
            {words.refusedSince(ago(refused.first), ago(refused.last))}
          </p>
          <ul class="space-y-1 text-sm">
            {refused.keys.slice(0, keysShown).map(({ calls, key_id, key_name, reason }) => (
              <li key={key_id}>
                <span class="font-medium">{key_name}</span>: {whyRefused(reason)(number(calls))}
              </li>
            ))}
          </ul>
          <div class="flex flex-wrap items-center gap-2 pt-1">
            {lacksMoney && mayOpen("/topup") && (
              <>
                <Button look="primary" small onClick={pay}>
                  {words.payNow(money(String(quickAmount)))}
                </Button>
                <ButtonLink to="/topup" small>
                  {words.otherAmount}
                </ButtonLink>
              </>
            )}
            {!lacksMoney && mayOpen(budgetPage) && (
              <ButtonLink to={budgetPage} look="primary" small>
                {words.raiseBudget}
              </ButtonLink>
            )}
            <Link
              to="/usage?period=day&outcome=402"
              class="text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
            >
              {words.seeCalls}
            </Link>
          </div>
        </div>
      </div>
      {order && (
        <div class="mt-4">
          <PayOrder key={order.id} order={order} onChange={onChange} onAnother={() => setOrder(undefined)} />
        </div>
      )}
    </section>
  )
}

const keysShown = 5

/** What is on hold, and how long the rest lasts. */
const Ahead = ({ data }: { readonly data: OutlookAnswer }) => {
  const words = outlookText()
  return (
    <p class="flex flex-wrap gap-x-5 gap-y-1 text-sm text-soft">
      {data.held_vnd !== null && (
        <span title={words.heldHint}>
          {words.held} <Money vnd={data.held_vnd} class="font-medium text-ink" />
        </span>
      )}
      {data.days_left !== null && (
        <span title={words.daysLeftHint}>
          {words.daysLeft}{" "}
          <span class="number font-medium text-ink">{words.days(number(data.days_left))}</span>
        </span>
      )}
    </p>
  )
}

const daysShown = 14

const LastDays = ({ data }: { readonly data: OutlookAnswer }) => {
  const { days } = data
  const words = outlookText()
  const currentLanguage = language.value
  const starts = useMemo(() => {
    const today = startOfDay(Date.now())
    return Array.from({ length: daysShown }, (_, index) => today - (daysShown - 1 - index) * dayMs)
  }, [days])
  const bars = useMemo(
    () =>
      starts.map((start): Bar => {
        const cost = days.find((each) => each.start === start)?.cost_vnd ?? "0"
        return { label: day(start), title: fullDay(start), value: Number(cost), shown: money(cost) }
      }),
    [days, starts, currentLanguage]
  )
  if (bars.every(({ value }) => value === 0)) return <Ahead data={data} />
  const open = (index: number) => {
    const chosen = dayText(starts[index]!)
    navigate(`/usage?period=custom&from=${chosen}&to=${chosen}`)
  }
  return (
    <Card title={words.title} aside={<Ahead data={data} />}>
      <Chart label={words.chart} bars={bars} axis={axisNumber} onChoose={open} chooseLabel={words.perDay} />
    </Card>
  )
}
