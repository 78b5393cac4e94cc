/** The state of the service: load, money, and the maintenance switch. */
import { get } from "../api.ts"
import { Link } from "../components/Button.tsx"
import { Money, Page, Show, Stat } from "../components/Layout.tsx"
import { number, text } from "../language.ts"
import { deskText } from "../text/desk.ts"
import { operatorText } from "../text/operator.ts"
import { useLoad, useRefresh } from "../use-load.ts"
import type { ServiceState } from "./answers.ts"
import { Maintenance } from "./Maintenance.tsx"

const refreshMs = 5_000

export const Service = () => {
  const state = useLoad(() => get("/operator/service"), [])
  useRefresh(state.reload, refreshMs)
  const { service: words } = operatorText()
  return (
    <Page title={words.title} intro={words.intro}>
      <Show of={state} rows={8}>
        {(data) => (
          <div class="space-y-6">
            <Maintenance isOn={data.maintenance} notice={data.notice} onChanged={state.reload} />
            <SettingsApart parts={data.settings_apart} />
            <Load data={data} />
            <Books data={data} />
          </div>
        )}
      </Show>
    </Page>
  )
}

const SettingsApart = ({ parts }: { readonly parts: ServiceState["settings_apart"] }) =>
  parts.length > 0 && (
    <p role="status" class="rounded-lg bg-warn-soft px-4 py-3 text-sm text-warn">
      {deskText().service.settingsApart(parts.join(", "))}
    </p>
  )

const Load = ({ data }: { readonly data: ServiceState }) => {
  const { service: words, unknown } = operatorText()
  const { live } = data
  const ofThisServer = data.nodes > 1 ? [deskText().service.ofThisServer] : []
  return (
    <section aria-label={words.load} class="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Stat
        label={words.openCalls}
        value={live ? number(live.open_calls) : unknown}
        note={[`${words.nodes}: ${data.nodes}`, ...ofThisServer].join(" · ")}
      />
      <Stat
        label={words.perMinute}
        value={live ? number(live.calls_per_minute) : unknown}
        note={ofThisServer}
      />
      <Stat label={words.held} value={live ? <Money vnd={live.held_vnd} /> : unknown} note={ofThisServer} />
      <Stat
        label={words.delay}
        value={live ? `${number(live.event_loop_delay_ms)} ms` : unknown}
        note={ofThisServer}
      />
    </section>
  )
}

const Books = ({ data }: { readonly data: ServiceState }) => {
  const { service: words } = operatorText()
  const { overview } = text()
  return (
    <section class="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Stat
        label={words.spent}
        value={<Money vnd={data.spent_today_vnd} />}
        note={[
          overview.calls(number(data.calls_today)),
          ...(data.failed_today > 0 ? [words.failed(number(data.failed_today))] : [])
        ].join(" · ")}
      />
      <Stat label={words.balances} value={<Money vnd={data.balances_vnd} />} />
      <Stat
        label={words.accounts}
        value={number(data.accounts)}
        note={words.activeKeys(number(data.active_keys))}
      />
      <Stat
        label={words.unmatched}
        value={number(data.unmatched)}
        note={
          data.unmatched > 0 && (
            <Link to="/operator/transfers" class="text-accent-ink underline underline-offset-4">
              {words.assignNow}
            </Link>
          )
        }
      />
    </section>
  )
}
