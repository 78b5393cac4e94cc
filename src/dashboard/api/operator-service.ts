/** The service as an operator sees it: totals, load, routes, prices, maintenance and the audit log. */
import { Schema } from "effect"
import { awaitNodes } from "../../accounts/await-nodes.ts"
import { isMaintenanceOn, setMaintenance } from "../../accounts/maintenance.ts"
import { formatVnd } from "../../domain/money.ts"
import { isPriceVnd, type ModelOverride } from "../../domain/model-overrides.ts"
import { type AuditRow, listAudit, readTotals } from "../../storage/OperatorStore.ts"
import { readOverrides, writeOverride } from "../../storage/SettingsStore.ts"
import { countUnmatched } from "../../storage/TransferStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { LiveState } from "../live-state.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { bodyOf, forOperator, json, numberTextOf, textOf } from "../route.ts"
import { startOfDay } from "../../domain/vietnam-days.ts"
import { renderModel } from "./models.ts"

const auditPerPage = 50

const maintenance = bodyOf(Schema.Struct({ on: Schema.Boolean }))
const override = bodyOf(
  Schema.Struct({ model: Schema.String, price_vnd: Schema.NullOr(Schema.Finite), disabled: Schema.Boolean })
)

export const operatorServiceRoutes = [
  forOperator("GET", "/operator/service", async (_ask, context) => {
    const [totals, unmatched, isOn, live] = await Promise.all([
      context.query("read totals", (sql) => readTotals(sql, new Date(startOfDay(Date.now())))),
      context.query("count unmatched", countUnmatched),
      context.run(isMaintenanceOn()),
      context.readLive()
    ])
    return json({
      accounts: totals.accounts,
      active_keys: totals.activeKeys,
      balances_vnd: formatVnd(totals.balances),
      calls_today: totals.callsToday,
      failed_today: totals.failedToday,
      spent_today_vnd: formatVnd(totals.spentToday),
      nodes: totals.nodes,
      unmatched,
      maintenance: isOn,
      live: live === undefined ? null : renderLive(live),
      routes: listRoutes(context, live)
    })
  }),

  forOperator("POST", "/operator/maintenance", async (ask, context, operator) => {
    const { on } = maintenance(ask)
    await context.run(setMaintenance(on, operator.accountId))
    return json({ maintenance: on })
  }),

  forOperator("GET", "/operator/models", async (_ask, context) => {
    const overrides = await context.query("read model overrides", readOverrides)
    return json({
      models: context.catalogue.models.map((model) =>
        Object.assign(renderModel(model), {
          provider: model.upstream.provider,
          override: overrides[model.id] ?? null
        })
      )
    })
  }),

  /** In force on every node once this is answered. */
  forOperator("POST", "/operator/models", async (ask, context, operator) => {
    const { disabled, model, price_vnd: price } = override(ask)
    if (context.catalogue.get(model) === undefined) throw new ApiProblem(404, "not_found")
    if (price !== null && !isPriceVnd(price)) throw new ApiProblem(400, "invalid")
    const next: ModelOverride | undefined =
      price === null && !disabled ? undefined : { price_vnd: price, disabled }
    const eventId = await context.query("write model override", (sql) =>
      writeOverride(sql, model, next, operator.accountId)
    )
    await context.run(awaitNodes(eventId))
    return json({})
  }),

  forOperator("GET", "/operator/audit", async (ask, context) => {
    const before = numberTextOf(textOf(ask, "before"))
    const subject = textOf(ask, "subject")
    const rows = await context.query("list audit", (sql) =>
      listAudit(sql, { before, subject, limit: auditPerPage })
    )
    return json({
      entries: rows.map(renderAudit),
      next: rows.length < auditPerPage ? null : rows.at(-1)!.id
    })
  })
]

export const renderAudit = ({ atMs, detail, ...row }: AuditRow) =>
  Object.assign(row, { at: atMs, detail: Object.fromEntries(Object.entries(detail).map(inVnd)) })

/** Money is decimal VND everywhere in this API. */
const inVnd = ([name, value]: readonly [string, unknown]): readonly [string, unknown] =>
  name.endsWith("_micro_vnd")
    ? [name.replace("_micro_vnd", "_vnd"), formatVnd(BigInt(String(value)))]
    : [name, value]

const renderLive = (live: LiveState) => ({
  open_calls: live.openCalls,
  held_vnd: formatVnd(BigInt(live.heldMicroVnd)),
  calls_per_minute: live.callsPerMinute,
  is_ledger_ready: live.isLedgerReady,
  event_loop_delay_ms: Math.round(live.eventLoopDelayMs)
})

/** Routes as configured, without their keys, each with what is known of it now. */
const listRoutes = (context: DashboardContext, live: LiveState | undefined) =>
  Object.values(context.settings.providers).flatMap((provider) =>
    provider.routes.map((route) => ({
      id: route.id,
      provider: provider.name,
      base_url: route.baseUrl,
      priority: route.priority,
      weight: route.weight,
      circuit: live?.routes.find(({ id }) => id === route.id)?.circuit ?? null
    }))
  )
