/** How the service fares by family of models, for everyone: from what all nodes write down of routes, without their names. */
import { healthLevelOf } from "../domain/health-level.ts"
import { type Maintenance, maintenanceAt } from "../domain/maintenance.ts"
import type { ModelOverrides } from "../domain/model-overrides.ts"
import type { RouteChanges } from "../domain/route-changes.ts"
import type { RouteTally } from "../domain/route-health.ts"
import { type HealthHour, readRouteHours, readRouteTallies } from "../storage/routes/RouteHealthStore.ts"
import { readRouteChanges } from "../storage/routes/RouteStore.ts"
import { readMaintenance, readOverrides } from "../storage/SettingsStore.ts"
import type { MaintenanceNotice, ServiceStatus } from "./definition/status.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import { firstHourOf, hoursFrom } from "./route-views.ts"

/** So old an answer may be, however many ask. */
const keptMs = 10_000
/** The present state is told from the calls of so long. */
const presentMs = 15 * 60_000

type Family = ServiceStatus["families"][number]

export class StatusReader {
  readonly #context: DashboardContext
  #kept: { readonly atMs: number; readonly status: Promise<ServiceStatus> } | undefined

  constructor(context: DashboardContext) {
    this.#context = context
  }

  read(nowMs: number): Promise<ServiceStatus> {
    const ageMs = nowMs - (this.#kept?.atMs ?? -Infinity)
    // What is of the future was kept before the clock was set back.
    if (this.#kept !== undefined && ageMs >= 0 && ageMs < keptMs) return this.#kept.status
    const kept = { atMs: nowMs, status: this.#ask(nowMs) }
    this.#kept = kept
    // What failed is asked again.
    kept.status.catch(() => {
      if (this.#kept === kept) this.#kept = undefined
    })
    return kept.status
  }

  #ask(nowMs: number): Promise<ServiceStatus> {
    return this.#context.query("read the service's status", async (sql) => {
      const overrides = await readOverrides(sql)
      const changes = await readRouteChanges(sql)
      const tallies = await readRouteTallies(sql, new Date(nowMs - presentMs))
      const hours = await readRouteHours(sql, new Date(firstHourOf(nowMs)))
      const maintenance = maintenanceAt(await readMaintenance(sql), nowMs)
      return {
        at: nowMs,
        maintenance: maintenance.isOn,
        notice: renderMaintenance(maintenance),
        families: familiesOf(this.#context, overrides, changes).map((each) =>
          familyStatus(each, tallies, hours, nowMs)
        )
      }
    })
  }
}

/** `null` where there is nothing to say. */
export const renderMaintenance = ({ isOn, notice }: Maintenance): MaintenanceNotice | null =>
  isOn || notice !== undefined
    ? { on: isOn, vi: notice?.vi ?? null, en: notice?.en ?? null, until: notice?.untilMs ?? null }
    : null

interface Offered {
  readonly family: string
  /** Some route leads to one of its models. */
  readonly isReached: boolean
}

/** Families of what is sold with a route that leads to them, paused or not: what is not offered is not down. */
const familiesOf = (
  { catalogue, settings }: Pick<DashboardContext, "catalogue" | "settings">,
  overrides: ModelOverrides,
  changes: RouteChanges
): ReadonlyArray<Offered> => {
  const offered = new Map<string, boolean>()
  for (const { family, id, upstream } of catalogue.models) {
    if (overrides[id]?.disabled === true) continue
    const routes = [
      ...(settings.providers[upstream.provider]?.routes ?? []).map((route) => route.id),
      ...changes.added
        .filter(({ models, provider }) => provider === upstream.provider && serves(models, id))
        .map((route) => route.id)
    ]
    if (routes.length === 0) continue
    const isReached = routes.some((route) => changes.settings.get(route)?.isPaused !== true)
    offered.set(family, (offered.get(family) ?? false) || isReached)
  }
  return Array.from(offered, ([family, isReached]) => ({ family, isReached }))
}

const serves = (models: ReadonlyArray<string>, id: string): boolean =>
  models.length === 0 || models.includes(id)

const statusOf = { idle: "operational", good: "operational", degraded: "degraded", down: "down" } as const

type Tried = Pick<RouteTally, "calls" | "failures" | "passedOver">

/** A call that went on to another route is told of by that one. */
const callsOf = ({ calls, passedOver }: Tried): number => calls - passedOver

/** A 403 may be of what a caller asked, and is left out. */
const failedOf = ({ failures, passedOver }: Tried): number =>
  Object.entries(failures).reduce((sum, [kind, count]) => (kind === "forbidden" ? sum : sum + count), 0) -
  passedOver

const levelOf = (rows: ReadonlyArray<Tried>) =>
  healthLevelOf(
    rows.reduce((sum, row) => sum + callsOf(row), 0),
    rows.reduce((sum, row) => sum + failedOf(row), 0)
  )

const familyStatus = (
  { family, isReached }: Offered,
  tallies: ReadonlyArray<RouteTally>,
  hours: ReadonlyArray<HealthHour>,
  nowMs: number
): Family => ({
  family,
  status: isReached ? statusOf[levelOf(tallies.filter((tally) => tally.family === family))] : "down",
  hours: hoursFrom(nowMs).map((at) => ({
    at,
    level: levelOf(hours.filter((hour) => hour.family === family && hour.atMs === at))
  }))
})
