/** What is left of the revenue when the providers are paid. */
import { useMemo, useState } from "preact/hooks"
import { apiUrl, get } from "../api.ts"
import { Button, ButtonLink } from "../components/Button.tsx"
import { Days } from "../components/Days.tsx"
import { ExportLink } from "../components/ExportLink.tsx"
import { Choice, Select } from "../components/Field.tsx"
import { Card, Empty, Money, Page, Show, Stat } from "../components/Layout.tsx"
import { number, text } from "../language.ts"
import { type Period, periodOf, presentHour } from "../pages/usage-period.ts"
import { marginText } from "../text/margin.ts"
import { usageText } from "../text/usage.ts"
import { useLoad } from "../use-load.ts"
import { useQuery } from "../use-query.ts"
import { dayText } from "../../../domain/vietnam-days.ts"
import { FloorDialog } from "./FloorDialog.tsx"
import { MarginChart } from "./MarginChart.tsx"
import { MarginTable } from "./MarginTable.tsx"
import type { MarginReport } from "./answers.ts"

const periodNames = ["week", "month", "thisMonth", "custom"] as const
const groups = ["model", "provider", "route", "account", "day"] as const
type Group = (typeof groups)[number]

const noFilter = { model: "", provider: "", route: "", account: "" }
const usual = { period: "month", by: "model", order: "revenue", ...noFilter }

export const Margin = () => {
  const [today] = useState(() => dayText(Date.now()))
  const [query, change] = useQuery({ ...usual, from: today, to: today })
  const { account, model, provider, route } = query
  const name = periodNames.find((one) => one === query.period) ?? "month"
  const period = useMemo(() => periodOf(name, query, Date.now()), [name, query.from, query.to, presentHour()])
  const by = groups.find((one) => one === query.by) ?? "model"
  const order = query.order === "margin" ? "margin" : "revenue"
  const filters = useMemo(() => ({ account, model, provider, route }), [account, model, provider, route])
  const words = marginText().margin
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        <>
          <ButtonLink to="/operator/purchase-prices">{words.toPrices}</ButtonLink>
          {period && <Export period={period} filters={{ ...filters, by, order }} />}
        </>
      }
    >
      <div class="mb-6 flex flex-wrap items-center gap-3">
        <Choice
          label={usageText().period}
          value={name}
          options={periodNames.map((option) => [option, usageText().periods[option]])}
          onChoose={(chosen) => change({ period: chosen })}
        />
        {name === "custom" && (
          <Days
            labels={[usageText().from, usageText().to]}
            value={{ from: query.from, to: query.to }}
            onChange={change}
          />
        )}
        {Object.entries(filters).map(
          ([filter, value]) =>
            value !== "" && (
              <Button key={filter} small icon="close" onClick={() => change({ [filter]: "" })}>
                {value}
              </Button>
            )
        )}
      </div>
      {period ? (
        <Report
          period={period}
          filters={filters}
          by={by}
          order={order}
          onChange={change}
          onNarrow={(group) =>
            by === "day"
              ? change({ period: "custom", from: group, to: group, by: "model" })
              : change({ [by]: group, by: by === "model" ? "account" : "model" })
          }
        />
      ) : (
        <div class="card">
          <Empty icon="chart" title={usageText().badPeriod} hint={usageText().badPeriodHint} />
        </div>
      )}
    </Page>
  )
}

type Filters = typeof noFilter

interface ExportProperties {
  readonly period: Period
  readonly filters: Filters & { readonly by: Group; readonly order: "revenue" | "margin" }
}

const Export = ({ filters, period: { from, to } }: ExportProperties) => (
  <ExportLink
    label={marginText().margin.exportCsv}
    to={(sep) => apiUrl("/operator/margin.csv", { from, to, ...filters, sep })}
  />
)

interface ReportProperties {
  readonly period: Period
  readonly filters: Filters
  readonly by: Group
  readonly order: "revenue" | "margin"
  readonly onChange: (change: Partial<typeof usual & { from: string; to: string }>) => void
  readonly onNarrow: (group: string) => void
}

const Report = ({ by, filters, onChange, onNarrow, order, period }: ReportProperties) => {
  const { from, to } = period
  const days = useLoad(
    () => get("/operator/margin", { from, to, ...filters, by: "day" }),
    [from, to, filters]
  )
  const rows = useLoad(
    () => get("/operator/margin", { from, to, ...filters, by, order }),
    [from, to, filters, by, order]
  )
  const words = marginText().margin
  return (
    <Show of={days} rows={6}>
      {(report) => (
        <div
          aria-busy={days.isLoading || rows.isLoading}
          class="space-y-6 transition-opacity delay-150 aria-busy:opacity-60"
        >
          <Totals
            report={report}
            onFloor={() => {
              days.reload()
              rows.reload()
            }}
          />
          <Missing report={report} />
          <MarginChart
            rows={report.rows}
            period={period}
            onDay={(startMs) => onChange({ period: "custom", from: dayText(startMs), to: dayText(startMs) })}
          />
          <Card
            flush
            title={words.groups[by]}
            aside={
              <div class="flex max-w-full flex-wrap items-center gap-3">
                {by === "account" && (
                  <Select
                    label={words.order}
                    class="w-auto"
                    value={order}
                    options={[
                      ["revenue", words.orders.revenue],
                      ["margin", words.orders.margin]
                    ]}
                    onText={(text) => onChange({ order: text })}
                  />
                )}
                <Choice
                  label={words.group}
                  value={by}
                  options={groups.map((each) => [each, words.groups[each]])}
                  onChoose={(group) => onChange({ by: group })}
                />
              </div>
            }
          >
            <Show of={rows} rows={6}>
              {(data) => <MarginTable report={data} by={by} onNarrow={onNarrow} />}
            </Show>
          </Card>
        </div>
      )}
    </Show>
  )
}

const Totals = ({ onFloor, report }: { readonly report: MarginReport; readonly onFloor: () => void }) => {
  const [isAsked, setAsked] = useState(false)
  const { floor_percent: floor, total } = report
  const words = marginText().margin
  return (
    <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <Stat
        label={words.revenue}
        value={<Money vnd={total.revenue_vnd} />}
        note={text().overview.calls(number(total.calls))}
      />
      <Stat label={words.cost} value={<Money vnd={total.cost_vnd} />} />
      <Stat
        label={words.margin}
        value={<Money vnd={total.margin_vnd} class={total.is_below ? "text-danger" : ""} />}
        note={
          <button
            type="button"
            class={`rounded underline-offset-4 hover:underline ${total.is_below ? "text-danger" : ""}`}
            onClick={() => setAsked(true)}
          >
            {total.margin_percent !== null && `${number(Number(total.margin_percent))}% · `}
            {words.floor(number(Number(floor)))}
          </button>
        }
      />
      <Stat
        label={words.unpriced}
        value={<Money vnd={total.unpriced_revenue_vnd} />}
        note={
          total.unpriced_calls > 0 ? (
            <span class="text-warn">{words.unpricedNote(number(total.unpriced_calls))}</span>
          ) : (
            words.allPriced
          )
        }
      />
      {isAsked && (
        <FloorDialog
          floor={floor}
          onClose={() => {
            setAsked(false)
            onFloor()
          }}
        />
      )}
    </div>
  )
}

const Missing = ({ report }: { readonly report: MarginReport }) => {
  const words = marginText().margin
  if (report.missing.length === 0) return null
  return (
    <Card title={words.missing} aside={<span class="badge badge-warn">{number(report.missing.length)}</span>}>
      <p class="-mt-2 mb-3 text-sm text-soft">{words.missingHint}</p>
      <ul class="max-h-56 space-y-1 overflow-y-auto text-sm" tabIndex={0} aria-label={words.missing}>
        {report.missing.map(({ currency, model, part, route, uses }) => (
          <li key={`${route} ${model} ${part} ${currency}`} class="wrap-anywhere">
            <span class="font-medium">{model || words.unknown}</span>
            {part !== "" && part !== "?" && ` · ${part}`}
            {route !== "" && ` · ${route}`}
            {currency !== null && ` · ${words.missingRate(currency)}`}
            {part === "?" && ` · ${words.missingGone}`}
            <span class="text-faint"> · {words.uses(number(uses))}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
