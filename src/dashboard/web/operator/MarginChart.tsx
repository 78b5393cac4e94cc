/** The revenue of each day, as what it was bought for and what is left. */
import { useMemo } from "preact/hooks"
import type { Bar } from "../components/Chart.tsx"
import { Card, Empty } from "../components/Layout.tsx"
import { axisNumber, day, fullDay, language, money } from "../language.ts"
import { bucketsOf, type Period } from "../pages/usage-period.ts"
import { marginText } from "../text/margin.ts"
import { usageText } from "../text/usage.ts"
import { useChart } from "../use-chart.ts"
import { startOfDay, startOfNamedDay } from "../../../domain/vietnam-days.ts"
import type { MarginRow } from "./answers.ts"

interface ChartProperties {
  readonly rows: ReadonlyArray<MarginRow>
  readonly period: Period
  readonly onDay: (startMs: number) => void
}

/** The table of days says the same to everyone. */
export const MarginChart = ({ onDay, period, rows }: ChartProperties) => {
  const Shown = useChart()
  const words = marginText().margin
  const currentLanguage = language.value
  const days = useMemo(
    () => bucketsOf({ from: startOfDay(period.from), to: period.to, bucket: "day" }),
    [period]
  )
  const bars = useMemo(() => {
    const sums = new Map(rows.map((row) => [startOfNamedDay(row.group), row]))
    return days.map((start): Bar => {
      const sum = sums.get(start)
      return {
        label: day(start),
        title: fullDay(start),
        value: Number(sum?.revenue_vnd ?? 0),
        shown: `${money(sum?.revenue_vnd ?? "0")} − ${money(sum?.cost_vnd ?? "0")}`,
        values: [
          Number(sum?.cost_vnd ?? 0),
          Math.max(0, Number(sum?.margin_vnd ?? 0)),
          Number(sum?.unpriced_revenue_vnd ?? 0)
        ]
      }
    })
  }, [rows, days, currentLanguage])
  return (
    <Card title={words.byDay}>
      {/* What broke off was paid for, also where nothing was charged. */}
      {bars.every(({ values = [] }) => values.every((value) => value === 0)) ? (
        <Empty icon="chart" title={words.nothing} />
      ) : Shown ? (
        <Shown
          label={words.chartLabel}
          bars={bars}
          axis={axisNumber}
          parts={[words.cost, words.margin, words.unpriced]}
          onChoose={(index) => onDay(days[index]!)}
          chooseLabel={usageText().only}
        />
      ) : (
        Shown === undefined && <div class="h-60" />
      )}
    </Card>
  )
}
