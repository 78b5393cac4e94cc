/** How models fare by family, for everyone. */
import { get } from "../api.ts"
import { HealthStrip } from "../components/HealthStrip.tsx"
import { Card, Empty, Page, Show } from "../components/Layout.tsx"
import { MaintenanceWords } from "../components/MaintenanceBanner.tsx"
import { exactTime, hour } from "../language.ts"
import { session } from "../session.ts"
import { statusText } from "../text/status.ts"
import { useLoad, useRefresh } from "../use-load.ts"
import type { AnswerTo } from "../endpoints.ts"

type Family = AnswerTo<"GET", "/status">["families"][number]

const refreshMs = 30_000
const looks = { operational: "badge-good", degraded: "badge-warn", down: "badge-bad" } as const

export const Status = () => {
  const status = useLoad(() => get("/status"), [])
  useRefresh(status.reload, refreshMs)
  const words = statusText()
  return (
    <Page title={words.title} intro={words.intro}>
      <Show of={status} rows={6}>
        {({ at, families, notice }) => (
          <>
            {/* To whoever is signed in it is said above the page. */}
            {notice && session.value?.maintenance === undefined && (
              <div role="status" class="mb-4 rounded-lg bg-warn-soft px-4 py-3 text-warn">
                <MaintenanceWords of={notice} />
              </div>
            )}
            {families.length === 0 && <Empty icon="pulse" title={words.none} />}
            <ul class="space-y-3">
              {families.map((family) => (
                <li key={family.family}>
                  <FamilyCard of={family} />
                </li>
              ))}
            </ul>
            <p class="mt-5 text-[0.8125rem] text-faint">{words.asOf(exactTime(at))}</p>
          </>
        )}
      </Show>
    </Page>
  )
}

const FamilyCard = ({ of: { family, hours, status } }: { readonly of: Family }) => {
  const words = statusText()
  return (
    <Card title={family} aside={<span class={`badge ${looks[status]}`}>{words.states[status]}</span>}>
      <HealthStrip
        label={words.dayOf(family)}
        cells={hours.map(({ at, level }) => ({ at, level, words: `${hour(at)}: ${words.levels[level]}` }))}
      />
      <p class="mt-1.5 text-[0.8125rem] text-faint">{words.day}</p>
    </Card>
  )
}
