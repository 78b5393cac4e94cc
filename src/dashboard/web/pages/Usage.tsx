/** What was used: by time, by key, by model, and each single call. */
import { useMemo, useState } from "preact/hooks"
import { apiUrl, get } from "../api.ts"
import type { UsageSum } from "../answers.ts"
import { Days } from "../components/Days.tsx"
import { ExportLink } from "../components/ExportLink.tsx"
import { Choice, Select } from "../components/Field.tsx"
import { Narrow } from "../components/Narrow.tsx"
import { Card, ChartSkeleton, Empty, FigureSkeleton, Money, Show, Stat } from "../components/Layout.tsx"
import { fullDay, number, shortNumber, text } from "../language.ts"
import { PaperPage, placeInAddress, usePapers } from "../papers.tsx"
import { usageText } from "../text/usage.ts"
import { useLoad } from "../use-load.ts"
import { useQuery } from "../use-query.ts"
import { dayText } from "../../../domain/vietnam-days.ts"
import { CallTable, isOutcome } from "./CallTable.tsx"
import { type Stack, UsageChart } from "./UsageChart.tsx"
import { type Period, type PeriodName, periodOf, presentHour } from "./usage-period.ts"

interface UsageFilters {
  readonly key: string
  readonly model: string
}

const periodNames: ReadonlyArray<PeriodName> = ["day", "week", "month", "thisMonth", "custom"]

const usual = { period: "week", key: "", model: "", outcome: "all", stack: "none" }

export const Usage = () => {
  const [today] = useState(() => dayText(Date.now()))
  const [query, change] = useQuery({ ...placeInAddress, ...usual, from: today, to: today })
  const { from, key, model, outcome, to } = query
  const stack = query.stack === "model" || query.stack === "key" ? query.stack : "none"
  const name = periodNames.find((one) => one === query.period) ?? "week"
  const period = useMemo(() => periodOf(name, { from, to }, Date.now()), [name, from, to, presentHour()])
  const filters = useMemo(() => ({ key, model }), [key, model])
  const words = usageText()
  return (
    <PaperPage
      title={words.title}
      intro={words.intro}
      actions={period && <Export period={period} filters={filters} />}
    >
      <div class="mb-6 flex flex-wrap items-center gap-3">
        <Choice
          label={words.period}
          value={name}
          options={periodNames.map((option) => [option, words.periods[option]])}
          onChoose={(period) => change({ period })}
        />
        {name === "custom" && <Days labels={[words.from, words.to]} value={{ from, to }} onChange={change} />}
        <Filters value={filters} onChange={change} />
      </div>
      {period ? (
        <>
          <Report period={period} filters={filters} stack={stack} onNarrow={change} />
          <CallTable
            query={{ from: period.from, to: period.to, ...filters }}
            onNarrow={change}
            outcome={isOutcome(outcome) ? outcome : "all"}
          />
        </>
      ) : (
        <div class="card">
          <Empty icon="chart" title={words.badPeriod} hint={words.badPeriodHint} />
        </div>
      )}
    </PaperPage>
  )
}

const Export = ({ period, filters }: { readonly period: Period; readonly filters: UsageFilters }) => (
  <ExportLink
    label={usageText().exportCsv}
    to={(sep) => apiUrl("/usage.csv", { from: period.from, to: period.to, ...filters, sep })}
  />
)

const Filters = ({ value, onChange }: { value: UsageFilters; onChange: (value: UsageFilters) => void }) => {
  const words = usageText()
  const papers = usePapers()
  const keys = useLoad(papers.keys, [papers])
  const models = useLoad(() => get("/models"), [])
  const sold = (models.data?.models ?? []).map(({ id }) => id)
  // One that is sold no longer can be asked for as well.
  const modelIds = value.model === "" || sold.includes(value.model) ? sold : [value.model, ...sold]
  return (
    <div class="flex min-w-0 flex-wrap gap-3 sm:flex-nowrap">
      <Select
        label={words.allKeys}
        class="sm:max-w-48"
        value={value.key}
        options={[["", words.allKeys], ...(keys.data?.keys ?? []).map((key) => [key.id, key.name] as const)]}
        onText={(key) => onChange({ ...value, key })}
      />
      <Select
        label={words.allModels}
        class="sm:max-w-52"
        value={value.model}
        options={[["", words.allModels], ...modelIds.map((id) => [id, id] as const)]}
        onText={(model) => onChange({ ...value, model })}
      />
    </div>
  )
}

interface ReportProperties {
  readonly period: Period
  readonly filters: UsageFilters
  readonly stack: Stack
  readonly onNarrow: (filters: Partial<UsageFilters & typeof usual & { from: string; to: string }>) => void
}

const Report = ({ period, filters, onNarrow, stack }: ReportProperties) => {
  const query = { from: period.from, to: period.to, ...filters }
  const papers = usePapers()
  const report = useLoad(
    () => papers.usage({ ...query, bucket: period.bucket, ...(stack !== "none" && { stack }) }),
    [papers, period, filters, stack]
  )
  const words = usageText()
  return (
    <div class="mb-6">
      <Show of={report} waiting={<ReportSkeleton />}>
        {(data) => (
          <div
            aria-busy={report.isLoading}
            class="space-y-6 transition-opacity delay-150 aria-busy:opacity-60"
          >
            <Totals sum={data.total} />
            {data.dropped && (
              <p class="text-sm text-soft">
                {words.dropped(number(data.dropped.calls), fullDay(data.dropped.before))}
              </p>
            )}
            <UsageChart
              data={data}
              period={period}
              stack={stack}
              onStack={(stack) => onNarrow({ stack })}
              onDay={(startMs) =>
                onNarrow({ period: "custom", from: dayText(startMs), to: dayText(startMs) })
              }
            />
            <div class="grid grid-cols-[minmax(0,1fr)] items-start gap-6 empty:hidden lg:grid-cols-2">
              <Ranking
                title={words.byModel}
                rows={data.by_model.map((sum) => ({
                  name: sum.model || words.noModel,
                  sum,
                  onChoose: [filters.model, ""].includes(sum.model)
                    ? undefined
                    : () => onNarrow({ model: sum.model })
                }))}
                total={data.total.cost_vnd}
              />
              <Ranking
                title={words.byKey}
                rows={data.by_key.map((sum) => ({
                  name: sum.key_name || words.deletedKey,
                  sum,
                  onChoose: sum.key_id === filters.key ? undefined : () => onNarrow({ key: sum.key_id })
                }))}
                total={data.total.cost_vnd}
              />
            </div>
          </div>
        )}
      </Show>
    </div>
  )
}

const ReportSkeleton = () => {
  const words = usageText()
  return (
    <div class="space-y-6">
      <div class="grid gap-4 sm:grid-cols-3">
        {[words.cost, words.calls, words.tokens].map((label) => (
          <Stat key={label} label={label} value={<FigureSkeleton />} />
        ))}
      </div>
      <ChartSkeleton />
    </div>
  )
}

const Totals = ({ sum }: { readonly sum: UsageSum }) => {
  const words = usageText()
  return (
    <div class="grid gap-4 sm:grid-cols-3">
      <Stat label={words.cost} value={<Money vnd={sum.cost_vnd} />} />
      <Stat
        label={words.calls}
        value={number(sum.calls)}
        note={
          sum.failed_calls > 0 && (
            <span class="text-danger">{text().common.failed(number(sum.failed_calls))}</span>
          )
        }
      />
      <Stat
        label={words.tokens}
        value={shortNumber(sum.input_tokens + sum.output_tokens)}
        note={words.inOut(shortNumber(sum.input_tokens), shortNumber(sum.output_tokens))}
      />
    </div>
  )
}

interface RankingProperties {
  readonly title: string
  readonly rows: ReadonlyArray<{
    readonly name: string
    readonly sum: UsageSum
    readonly onChoose: (() => void) | undefined
  }>
  readonly total: string
}

/** The bars show shares, for which rounding does no harm; the amounts beside them are exact. */
const Ranking = ({ title, rows, total }: RankingProperties) => {
  const [isWhole, setWhole] = useState(false)
  const { common, overview } = text()
  if (rows.length === 0) return null
  return (
    <Card title={title} class="min-w-0">
      <ul class="-mt-1 space-y-3.5">
        {(isWhole ? rows : rows.slice(0, 6)).map(({ name, onChoose, sum }) => (
          <li key={name}>
            <div class="flex items-baseline justify-between gap-4 text-sm">
              <Narrow class="min-w-0 truncate font-medium" name={name} onChoose={onChoose} />
              <Money vnd={sum.cost_vnd} />
            </div>
            <div class="mt-1.5 flex items-center gap-3">
              <span class="h-1.5 flex-1 overflow-hidden rounded-full bg-sunken forced-color-adjust-none">
                <span
                  class="block h-full rounded-full bg-accent"
                  style={{
                    width: `${Number(total) > 0 ? (100 * Number(sum.cost_vnd)) / Number(total) : 0}%`
                  }}
                />
              </span>
              <span class="number min-w-24 text-right text-xs text-faint">
                {overview.calls(shortNumber(sum.calls))}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {!isWhole && rows.length > 6 && (
        <button type="button" class="button button-quiet button-small mt-3" onClick={() => setWhole(true)}>
          {common.more}
        </button>
      )}
    </Card>
  )
}
