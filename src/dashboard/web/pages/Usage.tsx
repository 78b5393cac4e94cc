/** What was used: by time, by key, by model, and each single call. */
import { useMemo, useState } from "preact/hooks"
import { apiUrl, get } from "../api.ts"
import type { Key, Model, Usage as UsageData, UsageSum } from "../api-types.ts"
import { Icon } from "../components/Icon.tsx"
import { Choice, Select } from "../components/Field.tsx"
import { Card, Money, Page, Show, Stat } from "../components/Layout.tsx"
import { language, number, shortNumber, text } from "../language.ts"
import { useLoad } from "../use-load.ts"
import { CallTable } from "./CallTable.tsx"
import { UsageChart } from "./UsageChart.tsx"
import { dayText, type Period, type PeriodName, periodOf } from "./usage-period.ts"

export interface UsageFilters {
  readonly key: string
  readonly model: string
}

const periodNames: ReadonlyArray<PeriodName> = ["day", "week", "month", "thisMonth", "custom"]

export const Usage = () => {
  const [name, setName] = useState<PeriodName>("week")
  const [custom, setCustom] = useState({ from: dayText(Date.now()), to: dayText(Date.now()) })
  const [filters, setFilters] = useState<UsageFilters>({ key: "", model: "" })
  const period = useMemo(() => periodOf(name, custom, Date.now()), [name, custom])
  const { usage: words } = text()
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={period && <Export period={period} filters={filters} />}
    >
      <div class="mb-6 flex flex-wrap items-center gap-3">
        <Choice
          label={words.period}
          value={name}
          options={periodNames.map((option) => [option, words.periods[option]])}
          onChoose={setName}
        />
        {name === "custom" && <Days value={custom} onChange={setCustom} />}
        <Filters value={filters} onChange={setFilters} />
      </div>
      {period && <Report period={period} filters={filters} />}
    </Page>
  )
}

const Export = ({ period, filters }: { readonly period: Period; readonly filters: UsageFilters }) => (
  <a
    class="button button-plain"
    href={apiUrl("/usage.csv", {
      from: period.from,
      to: period.to,
      key: filters.key,
      // A Vietnamese Excel splits cells at semicolons.
      sep: language.value === "vi" ? ";" : undefined
    })}
    download
  >
    <Icon name="download" size={18} />
    {text().usage.exportCsv}
  </a>
)

interface Range {
  readonly from: string
  readonly to: string
}

const Days = ({ value, onChange }: { readonly value: Range; readonly onChange: (value: Range) => void }) => {
  const { usage: words } = text()
  return (
    <div class="flex items-center gap-2">
      <input
        type="date"
        class="input w-auto"
        aria-label={words.from}
        value={value.from}
        max={value.to}
        onChange={(event) => onChange({ ...value, from: event.currentTarget.value })}
      />
      <span class="text-faint" aria-hidden="true">
        –
      </span>
      <input
        type="date"
        class="input w-auto"
        aria-label={words.to}
        value={value.to}
        min={value.from}
        onChange={(event) => onChange({ ...value, to: event.currentTarget.value })}
      />
    </div>
  )
}

const Filters = ({ value, onChange }: { value: UsageFilters; onChange: (value: UsageFilters) => void }) => {
  const { usage: words } = text()
  const keys = useLoad(() => get<{ keys: ReadonlyArray<Key> }>("/keys"), [])
  const models = useLoad(() => get<{ models: ReadonlyArray<Model> }>("/models"), [])
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
        options={[
          ["", words.allModels],
          ...(models.data?.models ?? []).map((model) => [model.id, model.id] as const)
        ]}
        onText={(model) => onChange({ ...value, model })}
      />
    </div>
  )
}

const Report = ({ period, filters }: { readonly period: Period; readonly filters: UsageFilters }) => {
  const query = { from: period.from, to: period.to, ...filters }
  const report = useLoad(
    () => get<UsageData>("/usage", { ...query, bucket: period.bucket }),
    [period, filters]
  )
  const { usage: words } = text()
  return (
    <div class="space-y-6">
      <Show of={report} rows={6}>
        {(data) => (
          <>
            <Totals sum={data.total} />
            <UsageChart data={data} period={period} />
            <div class="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2">
              <Ranking
                title={words.byModel}
                rows={data.by_model.map((sum) => ({ name: sum.model, sum }))}
                total={data.total.cost_vnd}
              />
              <Ranking
                title={words.byKey}
                rows={data.by_key.map((sum) => ({ name: sum.key_name || words.deletedKey, sum }))}
                total={data.total.cost_vnd}
              />
            </div>
          </>
        )}
      </Show>
      <CallTable query={query} />
    </div>
  )
}

const Totals = ({ sum }: { readonly sum: UsageSum }) => {
  const { usage: words } = text()
  return (
    <div class="grid gap-4 sm:grid-cols-3">
      <Stat label={words.cost} value={<Money vnd={sum.cost_vnd} />} />
      <Stat
        label={words.calls}
        value={number(sum.calls)}
        note={
          sum.failed_calls > 0 && <span class="text-danger">{words.failed(number(sum.failed_calls))}</span>
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
  readonly rows: ReadonlyArray<{ readonly name: string; readonly sum: UsageSum }>
  readonly total: string
}

/** The bars show shares, for which rounding does no harm; the amounts beside them are exact. */
const Ranking = ({ title, rows, total }: RankingProperties) => {
  const [isWhole, setWhole] = useState(false)
  const { common, usage: words } = text()
  if (rows.length === 0) return null
  return (
    <Card title={title} class="min-w-0">
      <ul class="-mt-1 space-y-3.5">
        {(isWhole ? rows : rows.slice(0, 6)).map(({ name, sum }) => (
          <li key={name}>
            <div class="flex items-baseline justify-between gap-4 text-sm">
              <span class="truncate font-medium">{name}</span>
              <Money vnd={sum.cost_vnd} />
            </div>
            <div class="mt-1.5 flex items-center gap-3">
              <span class="h-1.5 flex-1 overflow-hidden rounded-full bg-sunken">
                <span
                  class="block h-full rounded-full bg-accent"
                  style={{
                    width: `${Number(total) > 0 ? (100 * Number(sum.cost_vnd)) / Number(total) : 0}%`
                  }}
                />
              </span>
              <span class="number w-24 text-right text-xs text-faint">
                {shortNumber(sum.calls)} {words.calls.toLowerCase()}
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
