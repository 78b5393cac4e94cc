/** The service as an operator sees it: totals, load, prices and maintenance. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { awaitNodes } from "../../accounts/await-nodes.ts"
import { announce, currentMaintenance, setMaintenance } from "../../accounts/maintenance.ts"
import type { Notice } from "../../domain/maintenance.ts"
import { formatVnd } from "../../domain/money.ts"
import { isPriceVnd, type ModelOverride, overrideOf } from "../../domain/model-overrides.ts"
import { priceVndMax } from "../../domain/price.ts"
import { readSettingsApart } from "../../storage/NodeSettingsStore.ts"
import { readTotals } from "../../storage/OperatorStore.ts"
import { readOverrides, writeOverride } from "../../storage/SettingsStore.ts"
import { countUnmatched } from "../../storage/payments/TransferStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { LiveState } from "../live-state.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { askSecondFactor } from "./ask-password.ts"
import { act, query, refuse, refuseBad } from "./refuse.ts"
import { startOfDay } from "../../domain/vietnam-days.ts"
import { renderModel } from "./models.ts"

export const operatorServiceHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorService", (handlers) =>
    handlers.handleAll({
      read: Effect.fnUntraced(function* () {
        const live = yield* Effect.promise(context.readLive)
        const { isOn, notice } = yield* act(currentMaintenance())
        const totals = yield* query("read totals", (sql) => readTotals(sql, new Date(startOfDay(Date.now()))))
        return {
          accounts: totals.accounts,
          active_keys: totals.activeKeys,
          balances_vnd: formatVnd(totals.balances),
          calls_today: totals.callsToday,
          failed_today: totals.failedToday,
          spent_today_vnd: formatVnd(totals.spentToday),
          nodes: totals.nodes,
          settings_apart: yield* query("compare settings", readSettingsApart),
          unmatched: yield* query("count unmatched", countUnmatched),
          maintenance: isOn,
          notice: notice === undefined ? null : renderNotice(notice),
          live: live === undefined ? null : renderLive(live)
        }
      }),

      setMaintenance: Effect.fnUntraced(function* ({ payload: { notice, on } }) {
        const { actor } = yield* Caller
        if (!on && notice) return yield* refuseBad("notice", "can not be told as maintenance ends")
        yield* act(setMaintenance(on, actor, notice && noticeOf(notice)))
        return { maintenance: on }
      }),

      announce: Effect.fnUntraced(function* ({ payload: { notice } }) {
        const { actor } = yield* Caller
        yield* act(announce(notice === null ? undefined : noticeOf(notice), actor))
        return {}
      }),

      models: Effect.fnUntraced(function* () {
        const overrides = yield* query("read model overrides", readOverrides)
        return {
          models: context.catalogue.models.map((model) => {
            const override = overrideOf(model, overrides)
            return Object.assign(renderModel(model), {
              provider: model.upstream.provider,
              override: shownOverride(override),
              next: nextPriceOf(override)
            })
          })
        }
      }),

      /** In force on every node once this is answered. */
      setModel: Effect.fnUntraced(function* ({ payload: { disabled, model, price_vnd: price } }) {
        const { actor } = yield* Caller
        yield* askSecondFactor
        const known = context.catalogue.get(model)
        if (known === undefined) return yield* refuse("not_found")
        if (typeof price === "number" && !isPriceVnd(price))
          return yield* refuseBad("price_vnd", `must be whole VND from 0 to ${priceVndMax}`)
        const change = {
          ...(price !== undefined && { price_vnd: price }),
          ...(disabled !== undefined && { disabled })
        }
        const eventId = yield* query("write model override", (sql) =>
          writeOverride(sql, known, change, actor)
        )
        yield* act(awaitNodes(eventId))
        return {}
      })
    })
  )

interface WireNotice {
  readonly vi: string
  readonly en: string | null
  readonly until: number | null
}

const noticeOf = ({ en, until, vi }: WireNotice): Notice => ({
  vi,
  en: en ?? undefined,
  untilMs: until ?? undefined
})

const renderNotice = ({ en, untilMs, vi }: Notice): WireNotice => ({
  vi,
  en: en ?? null,
  until: untilMs ?? null
})

const shownOverride = (override: ModelOverride | undefined) =>
  override === undefined || (override.price_vnd === null && !override.disabled)
    ? null
    : { price_vnd: override.price_vnd, disabled: override.disabled }

const nextPriceOf = (override: ModelOverride | undefined) => {
  const next = override?.later?.[0]
  return next === undefined ? null : { price_vnd: next.price_vnd, from: next.from_ms }
}

const renderLive = (live: LiveState) => ({
  open_calls: live.openCalls,
  held_vnd: formatVnd(BigInt(live.heldMicroVnd)),
  calls_per_minute: live.callsPerMinute,
  is_ledger_ready: live.isLedgerReady,
  event_loop_delay_ms: Math.round(live.eventLoopDelayMs)
})
