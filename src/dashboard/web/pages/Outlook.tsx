/** What lies ahead of an account: why calls were refused, what is on hold, how long the balance lasts, and the last days. */
import { useMemo, useState } from "preact/hooks"
import { get, post } from "../api.ts"
import type { Order, OutlookAnswer } from "../answers.ts"
import { Button, ButtonLink } from "../components/Button.tsx"
import { type Bar, Chart } from "../components/Chart.tsx"
import { Card, ChartSkeleton } from "../components/Layout.tsx"
import { Ahead, RefusedCalls } from "../components/Refused.tsx"
import { axisNumber, day, fullDay, language, money } from "../language.ts"
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

const Refused = ({ refused, onChange }: RefusedProperties) => {
  const [order, setOrder] = useState<Order>()
  const words = outlookText()
  const pay = () => post("/top-ups", { amount: quickAmount }).then(setOrder, () => navigate("/topup"))
  const lacksMoney = refused.keys.some(({ reason }) => reason === "balance")
  const budgetPage = refused.keys.some(({ reason }) => reason === "budget") ? "/keys" : "/members"
  return (
    <RefusedCalls
      refused={refused}
      more={
        order && (
          <div class="mt-4">
            <PayOrder
              key={order.id}
              order={order}
              onChange={onChange}
              onAnother={() => setOrder(undefined)}
            />
          </div>
        )
      }
    >
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
    </RefusedCalls>
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
