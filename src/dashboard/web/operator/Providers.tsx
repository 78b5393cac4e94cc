/** The routes to providers: how each fares, and which of them calls go by. */
import { useState } from "preact/hooks"
import { healthLevelOf } from "../../../domain/health-level.ts"
import { get, post } from "../api.ts"
import { Button } from "../components/Button.tsx"
import { HealthStrip } from "../components/HealthStrip.tsx"
import { Card, Empty, Page, Show } from "../components/Layout.tsx"
import { toast } from "../components/Toasts.tsx"
import { ago, hour, number } from "../language.ts"
import { may } from "../may.ts"
import { providersText } from "../text/providers.ts"
import { useAction } from "../use-action.ts"
import { useLoad, useRefresh } from "../use-load.ts"
import type { ProviderRoute } from "./answers.ts"
import { AddedRouteActions, RouteDialog } from "./RouteDialog.tsx"
import { TestPending, TestResult, useRouteTest } from "./RouteTest.tsx"
import { WeightDialog } from "./WeightDialog.tsx"

const refreshMs = 5_000

export const Providers = () => {
  const list = useLoad(() => get("/operator/routes"), [])
  const [weighed, setWeighed] = useState<ProviderRoute>()
  const [isAdding, setAdding] = useState(false)
  useRefresh(list.reload, refreshMs)
  const words = providersText()
  return (
    <Page
      title={words.title}
      intro={words.intro}
      actions={
        may("run") && (
          <Button
            look="primary"
            icon="plus"
            disabled={list.data === undefined}
            onClick={() => setAdding(true)}
          >
            {words.add}
          </Button>
        )
      }
    >
      <Show of={list} rows={8}>
        {({ routes }) =>
          routes.length === 0 ? (
            <Empty icon="pulse" title={words.none} hint={words.noneHint} />
          ) : (
            <ul class="space-y-4">
              {routes.map((route) => (
                <li key={route.id}>
                  <RouteCard route={route} onChanged={list.reload} onWeigh={() => setWeighed(route)} />
                </li>
              ))}
            </ul>
          )
        }
      </Show>
      {isAdding && (
        <RouteDialog
          providers={list.data?.providers ?? []}
          onClose={() => {
            setAdding(false)
            list.reload()
          }}
        />
      )}
      {weighed && (
        <WeightDialog
          route={weighed}
          onClose={() => {
            setWeighed(undefined)
            list.reload()
          }}
        />
      )}
    </Page>
  )
}

interface RouteCardProperties {
  readonly route: ProviderRoute
  readonly onChanged: () => void
  readonly onWeigh: () => void
}

const RouteCard = ({ onChanged, onWeigh, route }: RouteCardProperties) => {
  const test = useRouteTest(route.id)
  const words = providersText()
  return (
    <Card
      title={route.id}
      aside={
        <div class="flex flex-wrap items-center gap-2">
          {/* A line of its own where it would stand before the buttons: it changes by itself. */}
          <span class="w-full sm:w-auto">
            <State route={route} />
          </span>
          {may("run") && (
            <>
              <PauseButton route={route} onChanged={onChanged} />
              <Button small disabled={test.isBusy} onClick={test.start}>
                {words.test}
                <span class="sr-only">{route.id}</span>
              </Button>
              <Button small onClick={onWeigh}>
                {words.weigh}
                <span class="sr-only">{route.id}</span>
              </Button>
              {route.added && <AddedRouteActions route={route} onChanged={onChanged} />}
            </>
          )}
        </div>
      }
    >
      <p class="mb-4 text-sm break-all text-soft">
        {[
          route.base_url,
          ...(route.added ? [words.added] : []),
          ...(route.key_hint === "" ? [] : [words.keyEnds(route.key_hint)]),
          ...(route.models.length === 0 ? [] : [route.models.join(", ")])
        ].join(" · ")}
      </p>
      <div role="status">
        {test.tried ? <TestResult tried={test.tried} /> : test.isBusy && <TestPending />}
      </div>
      <Figures route={route} />
      <p class="mt-5 mb-1.5 text-[0.8125rem] text-faint">{words.day}</p>
      <HealthStrip
        label={words.dayOf(route.id)}
        cells={route.hours.map(({ at, calls, failed }) => ({
          at,
          level: healthLevelOf(calls, failed),
          words: words.cell(hour(at), number(calls), number(failed))
        }))}
      />
    </Card>
  )
}

const looks = {
  closed: "badge-good",
  resting: "badge-warn",
  half_open: "badge-warn",
  open: "badge-bad"
} as const

const State = ({ route }: { readonly route: ProviderRoute }) => {
  const words = providersText()
  if (route.paused) return <span class="badge badge-warn">{words.paused}</span>
  return (
    <span class={`badge ${looks[route.state]}`}>
      {words.states[route.state]}
      {route.until !== null && ` ${words.until(hour(route.until))}`}
    </span>
  )
}

const PauseButton = ({ onChanged, route }: Omit<RouteCardProperties, "onWeigh">) => {
  const words = providersText()
  const { isBusy, start } = useAction(async () => {
    await post("/operator/routes/set", { route: route.id, paused: !route.paused }).finally(onChanged)
    toast(route.paused ? words.resumed : words.pausedNow)
  })
  return (
    <Button small disabled={isBusy} onClick={start}>
      {route.paused ? words.resume : words.pause}
      <span class="sr-only">{route.id}</span>
    </Button>
  )
}

const Figures = ({ route }: { readonly route: ProviderRoute }) => {
  const words = providersText()
  const rate =
    route.success_rate === null ? words.unknown : `${number(Math.floor(route.success_rate * 1_000) / 10)}%`
  const ms = (value: number | null) => (value === null ? words.unknown : words.ms(number(value)))
  const figures: ReadonlyArray<readonly [string, string]> = [
    [words.calls, number(route.calls)],
    [words.successRate, rate],
    [words.p50, ms(route.p50_ms)],
    [words.p95, ms(route.p95_ms)],
    [words.weight, words.weightOf(number(route.weight), number(route.priority))],
    [
      words.lastError,
      route.last_error === null
        ? words.noError
        : `${words.errors[route.last_error.what] ?? route.last_error.what} · ${ago(route.last_error.at)}`
    ]
  ]
  return (
    <dl class="grid grid-cols-2 gap-x-6 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt class="text-[0.8125rem] text-faint">{name}</dt>
          <dd class="number mt-0.5 text-sm font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
