/** An account's own keys. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import {
  createKey,
  findKey,
  type Key,
  type KeyChange,
  listKeys,
  revokeKey,
  rotateKey,
  showKey,
  updateKey
} from "../../accounts/keys.ts"
import { periodEndMs } from "../../domain/key-settings.ts"
import { formatVnd } from "../../domain/money.ts"
import { activeKeysMax, nameMakers } from "../../storage/keys/KeyStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import type { KeyChange as AskedChange } from "../definition/keys.ts"
import { readMemberBudgets } from "../../storage/keys/MemberBudgetStore.ts"
import { askPassword } from "./ask-password.ts"
import { readBudgetChange, renderSpending } from "./budgets.ts"
import { act, query, refuse } from "./refuse.ts"

export const keyHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "keys", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { accountId, keysOf, personId } = yield* Caller
        const all = yield* act(listKeys(accountId))
        const keys = keysOf === undefined ? all : all.filter(({ madeBy }) => madeBy === keysOf)
        const emails = yield* query("name makers", (sql) => nameMakers(sql, accountId))
        const [own] = yield* query("read own budget", (sql) => readMemberBudgets(sql, accountId, personId))
        return {
          own_budget: own === undefined ? null : renderSpending(own),
          keys: keys.map((key) => renderKey(key, emails)).toReversed(),
          active: all.filter(({ status }) => status === "active").length,
          active_max: activeKeysMax
        }
      }),

      create: Effect.fnUntraced(function* ({ payload }) {
        const { accountId, actor, personId: madeBy, sessionId } = yield* Caller
        const settings = yield* settingsOf(payload)
        const { name } = payload
        const key = yield* act(createKey({ ...settings, accountId, madeBy, name, actor, sessionId }))
        return { id: key.keyId, name: key.name, key: key.secret }
      }),

      /** A session may have been left open: showing a secret asks for the password afresh. */
      reveal: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor } = yield* Caller
        yield* askPassword(context, payload.password)
        yield* checkOwn(params.id)
        const key = yield* act(showKey(params.id, actor, accountId))
        return { key: key.secret }
      }),

      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor } = yield* Caller
        yield* checkOwn(params.id)
        yield* act(updateKey(params.id, yield* settingsOf(payload), actor, accountId))
        return {}
      }),

      /** Answers with a secret, so it asks people for the password as showing one does. */
      rotate: Effect.fnUntraced(function* ({ params, payload }) {
        const { accountId, actor, isPerson } = yield* Caller
        if (isPerson) yield* askPassword(context, payload.password)
        yield* checkOwn(params.id)
        const { former_hint: formerHint, overlap_days: days } = payload
        const request = { overlapSeconds: days * 86_400, formerHint, actor, owner: accountId }
        const key = yield* act(rotateKey(params.id, request))
        return { id: key.keyId, name: key.name, key: key.secret }
      }),

      revoke: Effect.fnUntraced(function* ({ params }) {
        const { accountId, actor } = yield* Caller
        yield* checkOwn(params.id)
        yield* act(revokeKey(params.id, actor, accountId))
        return {}
      })
    })
  )

/** Of a member's point of view there are no keys but those they made. */
const checkOwn = Effect.fnUntraced(function* (keyId: string) {
  const { accountId, keysOf } = yield* Caller
  if (keysOf === undefined) return
  const { madeBy } = yield* act(findKey(keyId, accountId))
  if (madeBy !== keysOf) return yield* refuse("not_found")
})

const settingsOf = Effect.fnUntraced(function* (body: AskedChange) {
  const settings: Partial<Record<keyof KeyChange, unknown>> = {}
  if (body.name !== undefined) settings.name = body.name
  if (body.rate_limit_per_minute !== undefined) settings.rateLimitPerMinute = body.rate_limit_per_minute ?? 0
  const budget = yield* readBudgetChange(body.budget_vnd, body.budget_period)
  if (budget !== undefined) settings.budget = budget
  if (body.models !== undefined) settings.models = body.models
  // Looked at where all settings are.
  if (body.endpoints !== undefined) settings.endpoints = body.endpoints
  if (body.allowed_ips !== undefined) settings.allowedIps = body.allowed_ips
  if (body.expires_at !== undefined)
    settings.expiresAt = body.expires_at === null ? null : new Date(body.expires_at)
  if (body.paused !== undefined) settings.paused = body.paused
  return settings as KeyChange
})

export const renderKey = (key: Key, emails: ReadonlyMap<string, string>) => ({
  id: key.keyId,
  name: key.name,
  hint: key.hint,
  status: key.status,
  made_by: key.madeBy === undefined ? null : { id: key.madeBy, email: emails.get(key.madeBy) ?? "" },
  rate_limit_per_minute: key.rateLimitPerMinute,
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
