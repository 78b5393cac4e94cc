/** An account's own keys. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import {
  createKey,
  type Key,
  type KeySettings,
  listKeys,
  revokeKey,
  rotateKey,
  showKey,
  updateKey
} from "../../accounts/keys.ts"
import { type Budget, type BudgetPeriod, periodEndMs } from "../../domain/key-settings.ts"
import { formatVnd, parseVnd } from "../../domain/money.ts"
import { activeKeysMax } from "../../storage/KeyStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { KeyChange } from "../definition/keys.ts"
import { askPassword } from "./ask-password.ts"
import { act, refuse } from "./refuse.ts"

export const keyHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "keys", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const keys = yield* act(listKeys((yield* Caller).accountId))
        return { keys: keys.map(renderKey).toReversed(), active_max: activeKeysMax }
      }),

      create: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, actor } = yield* Caller
        const settings = yield* settingsOf(payload)
        const key = yield* act(createKey({ ...settings, accountId, name: payload.name, actor }))
        return { id: key.keyId, name: key.name, key: key.secret }
      }),

      /** A session may have been left open: showing a secret asks for the password afresh. */
      reveal: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor } = yield* Caller
        yield* askPassword(context, accountId, payload.password)
        const key = yield* act(showKey(params.id, actor, accountId))
        return { key: key.secret }
      }),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor } = yield* Caller
        yield* act(updateKey(params.id, yield* settingsOf(payload), actor, accountId))
        return {}
      }),

      /** Answers with a secret, so it asks people for the password as showing one does. */
      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor, isPerson } = yield* Caller
        if (isPerson) yield* askPassword(context, accountId, payload.password)
        const request = { overlapSeconds: payload.overlap_days * 86_400, actor, owner: accountId }
        const key = yield* act(rotateKey(params.id, request))
        return { id: key.keyId, name: key.name, key: key.secret }
      }),

      revoke: Effect.fnUntraced(function* ({ params }) {
        const { accountId, actor } = yield* Caller
        yield* act(revokeKey(params.id, actor, accountId))
        return {}
      })
    })
  )

const settingsOf = Effect.fnUntraced(function* (body: KeyChange) {
  const settings: Partial<Record<keyof KeySettings, unknown>> = {}
  if (body.name !== undefined) settings.name = body.name
  if (body.rate_limit !== undefined) settings.rateLimitPerMinute = body.rate_limit
  if (body.budget_vnd !== undefined) settings.budget = yield* budgetOf(body.budget_vnd, body.budget_period)
  if (body.models !== undefined) settings.models = body.models
  // Looked at where all settings are.
  if (body.endpoints !== undefined) settings.endpoints = body.endpoints
  if (body.allowed_ips !== undefined) settings.allowedIps = body.allowed_ips
  if (body.expires_at !== undefined)
    settings.expiresAt = body.expires_at === null ? null : new Date(body.expires_at)
  if (body.paused !== undefined) settings.paused = body.paused
  return settings as Partial<KeySettings>
})

const budgetOf = (vnd: string | null, period: BudgetPeriod = "total") => {
  if (vnd === null) return Effect.succeed<Budget | null>(null)
  const amount = parseVnd(vnd)
  return amount === undefined ? refuse("invalid") : Effect.succeed<Budget | null>({ amount, period })
}

const renderKey = (key: Key) => ({
  id: key.keyId,
  name: key.name,
  hint: key.hint,
  status: key.status,
  rate_limit: key.rateLimitPerMinute,
  created_at: key.createdAt.getTime(),
  last_used_at: key.lastUsedAt?.getTime() ?? null,
  spent_vnd: formatVnd(key.spent),
  budget_vnd: key.budget && formatVnd(key.budget.amount),
  budget_period: key.budget && key.budget.period,
  budget_spent_vnd: key.budget && formatVnd(key.budgetSpent),
  resets_at: key.budget && (periodEndMs(key.budget.period, Date.now()) ?? null),
  models: key.models,
  endpoints: key.endpoints,
  allowed_ips: key.allowedIps,
  expires_at: key.expiresAt?.getTime() ?? null,
  paused: key.paused,
  former_secret_until: key.formerSecretUntil?.getTime() ?? null
})
