/** What an account is told of, by mail and by webhook, and how that went. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { setAlerts } from "../../alerts/set-alerts.ts"
import { createWebhook, deleteWebhook, rotateWebhook, updateWebhook } from "../../alerts/webhooks.ts"
import { isAlertKind } from "../../domain/alert-kinds.ts"
import { formatVnd } from "../../domain/money.ts"
import { type AccountId, isUuid } from "../../domain/ids.ts"
import { readExactVnd } from "../../domain/typed-money.ts"
import { hourMs } from "../../domain/vietnam-days.ts"
import { type AlertSettings, readAlertSettings } from "../../storage/alerts/AlertSettingsStore.ts"
import { type DeliveryRow, listDeliveries } from "../../storage/alerts/DeliveryStore.ts"
import { listWebhooks, type Webhook } from "../../storage/alerts/WebhookStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import type { AlertChange } from "../definition/alerts.ts"
import { Api } from "../definition/Api.ts"
import { isRowMoment } from "./cursors.ts"
import { act, query, refuse, refuseAmount, refuseCursor, refuseWait } from "./refuse.ts"

const deliveriesPerPage = 50
const triesPerHourMax = 60

export const alertHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "alerts", (handlers) =>
    handlers.handleAll({
      read: readAlerts,
      set: writeAlerts,

      createWebhook: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, actor, sessionId } = yield* Caller
        const { problemOfUrl } = context.alerts
        return yield* act(createWebhook({ accountId, actor, sessionId }, payload, problemOfUrl))
      }),

      updateWebhook: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor } = yield* Caller
        const { problemOfUrl } = context.alerts
        yield* act(updateWebhook({ accountId, actor }, params.id, payload, problemOfUrl))
        return {}
      }),

      rotateWebhook: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor } = yield* Caller
        const { former_secret_until: formerUntilMs, overlap_hours: overlapHours } = payload
        return yield* act(rotateWebhook({ accountId, actor }, params.id, { overlapHours, formerUntilMs }))
      }),

      deleteWebhook: Effect.fnUntraced(function* ({ params }) {
        const { accountId, actor } = yield* Caller
        yield* act(deleteWebhook({ accountId, actor }, params.id))
        return {}
      }),

      testWebhook: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* Caller
        yield* takeTry(context)
        const delivery = yield* Effect.promise(() => context.alerts.test(accountId, params.id))
        return delivery === undefined ? yield* refuse("not_found") : { delivery }
      }),

      deliveries: Effect.fnUntraced(function* ({ query: asked }) {
        return yield* answerDeliveries((yield* Caller).accountId, asked)
      }),

      resend: Effect.fnUntraced(function* ({ params }) {
        const { accountId } = yield* Caller
        yield* takeTry(context)
        const isThere =
          isUuid(params.id) && (yield* Effect.promise(() => context.alerts.resend(accountId, params.id)))
        return isThere ? {} : yield* refuse("not_found")
      })
    })
  )

/** `shownOf`: what of a webhook's address is told. */
export const answerDeliveries = Effect.fnUntraced(function* (
  accountId: AccountId,
  asked: { readonly after?: string },
  shownOf: (url: string) => string = (url) => url
) {
  const after = asked.after === undefined ? undefined : yield* cursorOf(asked.after)
  const { next, rows } = yield* query("list deliveries", (sql) =>
    listDeliveries(sql, accountId, { after, limit: deliveriesPerPage })
  )
  return {
    deliveries: rows.map((row) => renderDelivery(row, shownOf)),
    next: next === undefined ? null : `${next.at}|${next.id}`
  }
})

const readAlerts = Effect.fnUntraced(function* () {
  const { accountId } = yield* Caller
  const { settings, webhooks } = yield* query("read alerts", async (sql) => ({
    settings: await readAlertSettings(sql, accountId),
    webhooks: await listWebhooks(sql, accountId)
  }))
  if (settings === undefined) return yield* refuse("not_found")
  return {
    settings: renderSettings(settings),
    account_email: settings.accountEmail,
    webhooks: webhooks.map(renderWebhook)
  }
})

const writeAlerts = Effect.fnUntraced(function* ({ payload }: { readonly payload: AlertChange }) {
  const { accountId, actor, sessionId } = yield* Caller
  const { balance_below_vnd: below, days_left: daysLeft, email, language, mail: mailKinds } = payload
  const balanceBelow = below == null ? undefined : readExactVnd(below)
  if (balanceBelow === undefined && below != null) return yield* refuseAmount("balance_below_vnd")
  const asked = {
    ...(below !== undefined && { balanceBelow }),
    ...(daysLeft !== undefined && { daysLeft: daysLeft ?? undefined }),
    ...(mailKinds !== undefined && { mailKinds }),
    ...(email !== undefined && { email }),
    ...(language !== undefined && { language })
  }
  return { settings: renderSettings(yield* act(setAlerts(accountId, asked, { actor, sessionId }))) }
})

/** Each is a request to an address of their choice. */
const takeTry = Effect.fnUntraced(function* ({ limits }: DashboardContext) {
  const { accountId } = yield* Caller
  yield* refuseWait(limits.take("webhook try", accountId, triesPerHourMax, hourMs, Date.now()))
})

const cursorOf = (text: string) => {
  const [at = "", id = ""] = text.split("|")
  return isRowMoment(at) && isUuid(id) ? Effect.succeed({ at, id }) : refuseCursor("after")
}

const renderSettings = (settings: AlertSettings) => ({
  balance_below_vnd: settings.balanceBelow === undefined ? null : formatVnd(settings.balanceBelow),
  days_left: settings.daysLeft ?? null,
  // Beside a node of a later version there may be others.
  mail: settings.mailKinds.filter(isAlertKind),
  email: settings.email,
  language: settings.language
})

const renderWebhook = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  kinds: webhook.kinds.filter(isAlertKind),
  paused: webhook.paused,
  created_at: webhook.createdAtMs,
  former_secret_until: webhook.formerUntilMs ?? null
})

const renderDelivery = (delivery: DeliveryRow, shownOf: (url: string) => string) => ({
  id: delivery.id,
  alert: delivery.alertId,
  kind: delivery.kind,
  channel: delivery.channel,
  address: delivery.channel === "webhook" ? shownOf(delivery.address) : delivery.address,
  status: delivery.status,
  attempts: delivery.attempts,
  outcome: delivery.outcome,
  created_at: delivery.createdAtMs,
  attempted_at: delivery.attemptedAtMs ?? null,
  next_at: delivery.nextAtMs ?? null
})
