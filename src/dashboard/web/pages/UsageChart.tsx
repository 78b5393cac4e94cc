/** The chart of the usage page, and the same as a table. */
import { useMemo, useState } from "preact/hooks"
import type { Usage, UsageSum } from "../answers.ts"
import type { Bar } from "../components/Chart.tsx"
import { Choice, Select } from "../components/Field.tsx"
import { Narrow } from "../components/Narrow.tsx"
import { Card, Empty } from "../components/Layout.tsx"
import { axisNumber, day, fullDay, hour, language, money, number } from "../language.ts"
import { seconds } from "../seconds.ts"
import { usageText } from "../text/usage.ts"
import { useChart } from "../use-chart.ts"
import { stackBars } from "./stacked-bars.ts"
import { bucketsOf, type Period } from "./usage-period.ts"

const metrics = ["cost", "calls", "tokens", "errors", "latency"] as const
type Metric = (typeof metrics)[number]

/** What can be added up by model or by key. */
const isStackable = (metric: Metric): metric is "cost" | "calls" => metric === "cost" || metric === "calls"

const stacks = ["none", "model", "key"] as const
export type Stack = (typeof stacks)[number]

const nothing: UsageSum = {
  calls: 0,
  failed_calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost_vnd: "0",
  latency_ms: null
}

const valueOf: Readonly<Record<Metric, (sum: UsageSum) => number>> = {
  cost: (sum) => Number(sum.cost_vnd),
  calls: (sum) => sum.calls,
  tokens: (sum) => sum.input_tokens + sum.output_tokens,
  errors: (sum) => sum.failed_calls,
  latency: (sum) => (sum.latency_ms ?? 0) / 1_000
}

const shownOf = (sum: UsageSum, metric: Metric): string =>
  metric === "cost"
    ? money(sum.cost_vnd)
    : metric === "latency"
      ? seconds(sum.latency_ms ?? 0)
      : number(valueOf[metric](sum))

interface UsageChartProperties {
  readonly data: Usage
  readonly period: Period
  readonly stack: Stack
  readonly onStack: (stack: Stack) => void
  /** Shows the day alone that begins then. */
  readonly onDay: (startMs: number) => void
}

export const UsageChart = ({ data, onDay, onStack, period, stack }: UsageChartProperties) => {
  const [metric, setMetric] = useState<Metric>("cost")
  const Shown = useChart()
  const words = usageText()
  const { bars, stacked } = useBars(data, period, metric)
  const nameOf = (part: string) =>
    stack === "model"
      ? part || words.noModel
      : data.by_key.find(({ key_id }) => key_id === part)?.key_name || words.deletedKey
  const names = [...stacked.parts.map(nameOf), ...(stacked.hasOthers ? [words.otherParts] : [])]
  // Hours are not looked at one by one.
  const choice =
    period.bucket === "day"
      ? { onChoose: (index: number) => onDay(bucketsOf(period)[index]!), chooseLabel: words.only }
      : {}
  return (
    <Card
      title={period.bucket === "hour" ? words.byHour : words.byDay}
      aside={<Controls metric={metric} onMetric={setMetric} stack={stack} onStack={onStack} />}
    >
      {bars.every(({ value }) => value === 0) ? (
        <Empty icon="chart" title={words.chartNothing(words[metric])} />
      ) : (
        <>
          {Shown ? (
            <Shown
              label={words.chartLabel(words[metric])}
              bars={bars}
              axis={axisNumber}
              parts={names}
              {...choice}
            />
          ) : (
            Shown === undefined && <div class="h-60" />
          )}
          <BarTable bars={bars} metric={metric} isOpen={Shown === null} {...choice} />
        </>
      )}
    </Card>
  )
}

/** A bar for each hour or day, also for those without calls. */
const useBars = (data: Usage, period: Period, metric: Metric) => {
  const currentLanguage = language.value
  return useMemo(() => {
    const stacked = stackBars(isStackable(metric) ? data.stacked : [], (sum) =>
      metric === "cost" ? Number(sum.cost_vnd) : sum.calls
    )
    const sums = new Map(data.series.map((sum) => [sum.start, sum]))
    const bars = bucketsOf(period).map((start): Bar => {
      const sum = sums.get(start) ?? nothing
      return {
        label: period.bucket === "hour" ? hour(start) : day(start),
        title: period.bucket === "hour" ? `${hour(start)} ${day(start)}` : fullDay(start),
        value: valueOf[metric](sum),
        shown: shownOf(sum, metric),
        values: stacked.valuesAt(start)
      }
    })
    return { bars, stacked }
  }, [data, period, metric, currentLanguage])
}

interface ControlsProperties {
  readonly metric: Metric
  readonly onMetric: (metric: Metric) => void
  readonly stack: Stack
  readonly onStack: (stack: Stack) => void
}

const Controls = ({ metric, onMetric, onStack, stack }: ControlsProperties) => {
  const words = usageText()
  return (
    <div class="flex max-w-full flex-wrap items-center gap-3">
      {isStackable(metric) && (
        <Select
          label={words.stack}
          class="w-auto"
          value={stack}
          options={stacks.map((each) => [each, words.stacks[each]])}
          onText={(text) => onStack(stacks.find((each) => each === text) ?? "none")}
        />
      )}
      <Choice
        label={words.metric}
        value={metric}
        options={metrics.map((each) => [each, words[each]])}
        onChoose={onMetric}
      />
    </div>
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
