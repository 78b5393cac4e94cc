/** What operators say of maintenance, above every page and on that of the service's status. */
import type { Session } from "../answers.ts"
import { dateTime, language } from "../language.ts"
import { session } from "../session.ts"
import { maintenanceText } from "../text/maintenance.ts"
import { Icon } from "./Icon.tsx"

type Said = NonNullable<Session["maintenance"]>

export const MaintenanceBanner = () => {
  const said = session.value?.maintenance
  return (
    said && (
      <div
        role="status"
        class="flex items-start justify-center gap-2 bg-warn-soft px-4 py-1.5 text-[0.8125rem] text-warn print:hidden!"
      >
        <span class="mt-0.5">
          <Icon name="info" size={16} />
        </span>
        <MaintenanceWords of={said} />
      </div>
    )
  )
}

export const MaintenanceWords = ({ of: { en, on, until, vi } }: { readonly of: Said }) => {
  const words = maintenanceText()
  const isEnglish = language.value === "en" && en !== null
  return (
    <p class="min-w-0 wrap-anywhere">
      <strong class="font-semibold">{on ? words.maintenance : words.announcement}</strong>{" "}
      {vi === null ? words.standing : <span lang={isEnglish ? "en" : "vi"}>{isEnglish ? en : vi}</span>}
      {until !== null && <span class="number ml-2 inline-block">{words.until(dateTime(until))}</span>}
    </p>
  )
}
