/** What is left, what was spent, what went wrong, and how to connect. */
import { get } from "../api.ts"
import type { Overview as OverviewData } from "../answers.ts"
import { ButtonLink, Link } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { Card, ChartSkeleton, Money, Page, Show, Stat } from "../components/Layout.tsx"
import { ago, language, number, shortNumber, text } from "../language.ts"
import { lazy } from "../lazy.tsx"
import { mayOpen } from "../may.ts"
import { useLoad, useRefresh } from "../use-load.ts"

const Outlook = lazy(() => import("./Outlook.tsx"), "Outlook", <ChartSkeleton />)
const FirstSteps = lazy<"FirstSteps", { readonly data: OverviewData }>(
  () => import("./FirstSteps.tsx"),
  "FirstSteps",
  <div class="card h-36" />
)
const Connect = lazy(() => import("../components/Connect.tsx"), "SampleConnect")
const refreshMs = 20_000

export const Overview = () => {
  const overview = useLoad(() => get("/overview"), [])
  useRefresh(overview.reload, refreshMs)
  const { overview: words } = text()
  return (
    <Page title={words.title}>
      <Show of={overview} rows={6}>
        {(data) => (
          <div class="space-y-6">
            <div class="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)_minmax(0,1fr)]">
              <Balance data={data} />
              <PeriodCard label={words.today} sum={data.today} />
              <PeriodCard label={words.month} sum={data.month} />
            </div>
            {data.has_calls ? <Outlook /> : <FirstSteps data={data} />}
            <div class="grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-[minmax(0,1.6fr)_minmax(0,1fr)]">
              <Card
                title={words.connect}
                aside={
                  <Link
                    to="/docs"
                    class="text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
                  >
                    {words.connectAll}
                  </Link>
                }
              >
                <p class="-mt-2 mb-4 text-sm text-soft">{words.connectIntro}</p>
                <Connect />
              </Card>
              <Errors data={data} />
            </div>
          </div>
        )}
      </Show>
    </Page>
  )
}

const Balance = ({ data }: { readonly data: OverviewData }) => {
  const { overview: words } = text()
  const isEmpty = data.balance_vnd === "0" || data.balance_vnd.startsWith("-")
  return (
    <section class="card flex flex-col justify-between gap-5 px-5 pt-4 pb-5" aria-label={words.balance}>
      <div>
        <p class="text-sm text-faint">{words.balance}</p>
        <p
          class="figure mt-1 text-[2.25rem] leading-tight font-semibold tracking-tight"
          data-testid="balance"
        >
          <Money vnd={data.balance_vnd} tailClass="text-xl" />
        </p>
        {isEmpty && data.has_calls && <p class="mt-1 text-sm text-danger">{words.lowBalance}</p>}
      </div>
      <div class="flex flex-wrap items-center justify-between gap-3">
        {mayOpen("/topup") && (
          <ButtonLink to="/topup" look="primary" icon="plus">
            {words.topUp}
          </ButtonLink>
        )}
        <Link to="/keys" class="text-sm text-soft underline-offset-4 hover:text-ink hover:underline">
          {words.keysActive}: <span class="number font-medium text-ink">{data.active_keys}</span>
        </Link>
      </div>
    </section>
  )
}

const PeriodCard = ({ label, sum }: { label: string; sum: OverviewData["today"] }) => {
  const { common, overview: words } = text()
  return (
    <Stat
      label={label}
      value={<Money vnd={sum.spent_vnd} />}
      note={
        <span class="mt-3 block space-y-0.5 text-sm">
          <span class="block">{words.calls(number(sum.calls))}</span>
          <span class="block">{words.tokens(shortNumber(sum.tokens))}</span>
          {sum.failed_calls > 0 && (
            <span class="block text-danger">{common.failed(number(sum.failed_calls))}</span>
          )}
        </span>
      }
    />
  )
}

const Errors = ({ data }: { readonly data: OverviewData }) => {
  const { overview: words } = text()
  return (
    <Card
      title={words.errors}
      flush
      aside={
        data.errors.length > 0 && (
          <Link
            to="/usage?outcome=failed"
            class="text-sm text-soft underline-offset-4 hover:text-ink hover:underline"
          >
            {words.errorsAll}
          </Link>
        )
      }
    >
      {data.errors.length === 0 ? (
        <p class="flex items-center gap-2.5 px-5 pt-1 pb-5 text-sm text-soft">
          <span class="text-accent-ink">
            <Icon name="check" size={18} />
          </span>
          {words.errorsNone}
        </p>
      ) : (
        <ul class="divide-y divide-line border-t border-line" key={language.value}>
          {data.errors.map((call) => (
            <li key={call.id} class="px-5 py-3">
              <div class="flex items-center justify-between gap-3">
                <span class="truncate text-sm font-medium">{call.model || call.model_requested}</span>
                <Link to={`/usage?outcome=${call.status}`} class="badge badge-bad number">
                  {call.status}
                </Link>
              </div>
              <p class="mt-0.5 flex justify-between gap-3 text-[0.8125rem] text-faint">
                <span class="truncate font-mono text-xs leading-5">{call.error_type}</span>
                <span class="shrink-0">{ago(call.at)}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
