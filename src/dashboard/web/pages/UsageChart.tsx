/** The chart of the usage page, and the same as a table. */
import type { ComponentType } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import type { Usage, UsageSum } from "../answers.ts"
import type { Bar, Chart } from "../components/Chart.tsx"
import { Choice } from "../components/Field.tsx"
import { Narrow } from "../components/Narrow.tsx"
import { Card, Empty } from "../components/Layout.tsx"
import { axisNumber, day, fullDay, hour, language, money, number } from "../language.ts"
import { usageText } from "../text/usage.ts"
import { bucketsOf, type Period } from "./usage-period.ts"

type Metric = "cost" | "calls" | "tokens"

const nothing: UsageSum = { calls: 0, failed_calls: 0, input_tokens: 0, output_tokens: 0, cost_vnd: "0" }

const valueOf = (sum: UsageSum, metric: Metric): number =>
  metric === "cost"
    ? Number(sum.cost_vnd)
    : metric === "calls"
      ? sum.calls
      : sum.input_tokens + sum.output_tokens

const shownOf = (sum: UsageSum, metric: Metric): string =>
  metric === "cost" ? money(sum.cost_vnd) : number(valueOf(sum, metric))

/** The library is loaded when the first chart is shown. */
const useChart = () => {
  const [chart, setChart] = useState<{ readonly Chart: ComponentType<Parameters<typeof Chart>[0]> } | null>()
  useEffect(() => {
    // Without it the table below still says everything.
    import("../components/Chart.tsx").then(setChart, () => setChart(null))
  }, [])
  return chart === null ? null : chart?.Chart
}

interface UsageChartProperties {
  readonly data: Usage
  readonly period: Period
  /** Shows the day alone that begins then. */
  readonly onDay: (startMs: number) => void
}

export const UsageChart = ({ data, onDay, period }: UsageChartProperties) => {
  const [metric, setMetric] = useState<Metric>("cost")
  const Shown = useChart()
  const words = usageText()
  const currentLanguage = language.value
  const bars = useMemo(() => {
    const sums = new Map(data.series.map((sum) => [sum.start, sum]))
    return bucketsOf(period).map((start): Bar => {
      const sum = sums.get(start) ?? nothing
      return {
        label: period.bucket === "hour" ? hour(start) : day(start),
        title: period.bucket === "hour" ? `${hour(start)} ${day(start)}` : fullDay(start),
        value: valueOf(sum, metric),
        shown: shownOf(sum, metric)
      }
    })
  }, [data, period, metric, currentLanguage])
  // Hours are not looked at one by one.
  const choice =
    period.bucket === "day"
      ? { onChoose: (index: number) => onDay(bucketsOf(period)[index]!), chooseLabel: words.only }
      : {}
  return (
    <Card
      title={period.bucket === "hour" ? words.byHour : words.byDay}
      aside={
        <Choice
          label={words.metric}
          value={metric}
          options={[
            ["cost", words.cost],
            ["calls", words.calls],
            ["tokens", words.tokens]
          ]}
          onChoose={setMetric}
        />
      }
    >
      {bars.every(({ value }) => value === 0) ? (
        <Empty icon="chart" title={words.chartNothing(words[metric])} />
      ) : (
        <>
          {Shown ? (
            <Shown label={words.chartLabel(words[metric])} bars={bars} axis={axisNumber} {...choice} />
          ) : (
            Shown === undefined && <div class="h-60" />
          )}
          <BarTable bars={bars} metric={metric} isOpen={Shown === null} {...choice} />
        </>
      )}
    </Card>
  )
}

interface BarTableProperties {
  readonly bars: ReadonlyArray<Bar>
  readonly metric: Metric
  readonly isOpen: boolean
  readonly onChoose?: (index: number) => void
}

const BarTable = (properties: BarTableProperties) => {
  const { onChoose } = properties
  const words = usageText()
  return (
    <details class="mt-3" open={properties.isOpen}>
      <summary class="w-fit rounded text-[0.8125rem] text-faint hover:text-ink">{words.chartTable}</summary>
      <div class="mt-2 max-h-64 overflow-y-auto" tabIndex={0} role="region" aria-label={words.chartTable}>
        <table class="w-full text-sm">
          <thead class="sr-only">
            <tr>
              <th scope="col">{words.time}</th>
              <th scope="col">{words[properties.metric]}</th>
            </tr>
          </thead>
          <tbody>
            {properties.bars.map((bar, index) => (
              <tr key={bar.title} class="border-b border-line last:border-0">
                <td class="py-1.5 text-soft">
                  <Narrow name={bar.title} onChoose={onChoose && (() => onChoose(index))} />
                </td>
                <td class="number py-1.5 text-right">{bar.shown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
