/** Maintenance mode: while it is on, new calls are refused on every node. What operators say of it may be said before. */
import { Clock, Effect } from "effect"
import { maintenanceAt, type Notice, noticeLengthMax } from "../domain/maintenance.ts"
import { isWithinYear } from "../domain/vietnam-days.ts"
import { Database } from "../storage/Database.ts"
import { readMaintenance, writeMaintenance, writeNotice } from "../storage/SettingsStore.ts"
import { awaitNodes } from "./await-nodes.ts"
import { BadText, checkText } from "./check-text.ts"

export const currentMaintenance = Effect.fn("currentMaintenance")(function* () {
  const database = yield* Database
  const stored = yield* database.run("read maintenance", readMaintenance)
  return maintenanceAt(stored, yield* Clock.currentTimeMillis)
})

/** Once this returns, every node obeys it. Without `notice`, maintenance begins with what was announced; `null` takes that back. */
export const setMaintenance = Effect.fn("setMaintenance")(function* (
  isOn: boolean,
  actor: string,
  notice?: Notice | null
) {
  const checked = notice && (yield* good(notice))
  const database = yield* Database
  const eventId = yield* database.run("set maintenance", (sql) =>
    writeMaintenance(sql, { isOn, notice: checked }, actor)
  )
  yield* awaitNodes(eventId)
})

/** Maintenance stays on, or off. `undefined` takes back what was announced. Once this returns, every node says so. */
export const announce = Effect.fn("announce")(function* (notice: Notice | undefined, actor: string) {
  const checked = notice && (yield* good(notice))
  const database = yield* Database
  yield* awaitNodes(yield* database.run("write notice", (sql) => writeNotice(sql, checked, actor)))
})

const good = Effect.fnUntraced(function* (notice: Notice) {
  const checked = checkNotice(notice, yield* Clock.currentTimeMillis)
  return checked instanceof BadText ? yield* checked : checked
})

/** The notice without surrounding spaces, or what is wrong with it. */
export const checkNotice = ({ en, untilMs, vi }: Notice, nowMs: number): Notice | BadText => {
  const inVietnamese = checkText("message", vi, noticeLengthMax)
  if (inVietnamese instanceof BadText) return inVietnamese
  const inEnglish = en === undefined ? undefined : checkText("English message", en, noticeLengthMax)
  if (inEnglish instanceof BadText) return inEnglish
  const isPlanned = untilMs === undefined || isWithinYear(untilMs, nowMs)
  if (!isPlanned) return new BadText({ what: "planned end", reason: "must be within the coming year" })
  return { vi: inVietnamese, en: inEnglish, untilMs }
}
