/** An account's own keys. */
import { Schema } from "effect"
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
import { type Budget, type BudgetPeriod, budgetPeriods, periodEndMs } from "../../domain/key-settings.ts"
import { formatVnd, parseVnd } from "../../domain/money.ts"
import { activeKeysMax } from "../../storage/KeyStore.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { limitPasswords } from "../limit-passwords.ts"
import { bodyOf, forAccount, json } from "../route.ts"

const listed = Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))

/** What may be set on a key: what is not there stays as it is, `null` takes back what was set. */
const settable = {
  budget_vnd: Schema.optionalKey(Schema.NullOr(Schema.String)),
  budget_period: Schema.optionalKey(Schema.Literals(budgetPeriods)),
  models: listed,
  endpoints: listed,
  allowed_ips: listed,
  /** Ms since 1970. */
  expires_at: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  paused: Schema.optionalKey(Schema.Boolean)
}
const newKey = bodyOf(Schema.Struct({ name: Schema.String, rate_limit: Schema.Int, ...settable }))
const changedKey = bodyOf(
  Schema.Struct({
    name: Schema.optionalKey(Schema.String),
    rate_limit: Schema.optionalKey(Schema.Int),
    ...settable
  })
)
const rotation = bodyOf(Schema.Struct({ password: Schema.String, overlap_days: Schema.Int }))
const password = bodyOf(Schema.Struct({ password: Schema.String }))

export const keyRoutes = [
  forAccount("GET", "/keys", async (_ask, context, person) => {
    const keys = await context.run(listKeys(person.accountId))
    return json({ keys: keys.map(renderKey).toReversed(), active_max: activeKeysMax })
  }),

  forAccount("POST", "/keys", async (ask, context, person) => {
    const body = newKey(ask)
    const { accountId } = person
    const key = await context.run(
      createKey({ ...settingsOf(body), accountId, name: body.name, actor: accountId })
    )
    return json({ id: key.keyId, name: key.name, key: key.secret }, 201)
  }),

  /** A session may have been left open: showing a secret asks for the password afresh. */
  forAccount("POST", "/keys/:id/reveal", async (ask, context, person) => {
    limitPasswords(person, context)
    if (!(await context.people.isPasswordOf(person.accountId, password(ask).password))) {
      throw new ApiProblem(403, "wrong_password")
    }
    const key = await context.run(showKey(ask.parameters["id"]!, person.accountId, person.accountId))
    return json({ key: key.secret })
  }),

  forAccount("POST", "/keys/:id", async (ask, context, { accountId }) => {
    await context.run(updateKey(ask.parameters["id"]!, settingsOf(changedKey(ask)), accountId, accountId))
    return json({})
  }),

  /** Answers with a secret, so it asks for the password as showing one does. */
  forAccount("POST", "/keys/:id/rotate", async (ask, context, person) => {
    const { accountId } = person
    const { overlap_days: overlapDays, password: told } = rotation(ask)
    limitPasswords(person, context)
    if (!(await context.people.isPasswordOf(accountId, told))) throw new ApiProblem(403, "wrong_password")
    const request = { overlapSeconds: overlapDays * 86_400, actor: accountId, owner: accountId }
    const key = await context.run(rotateKey(ask.parameters["id"]!, request))
    return json({ id: key.keyId, name: key.name, key: key.secret })
  }),

  forAccount("POST", "/keys/:id/revoke", async (ask, context, person) => {
    await context.run(revokeKey(ask.parameters["id"]!, person.accountId, person.accountId))
    return json({})
  })
]

type Body = ReturnType<typeof changedKey>

const settingsOf = (body: Body): Partial<KeySettings> => {
  const settings: Partial<Record<keyof KeySettings, unknown>> = {}
  if (body.name !== undefined) settings.name = body.name
  if (body.rate_limit !== undefined) settings.rateLimitPerMinute = body.rate_limit
  if (body.budget_vnd !== undefined) settings.budget = budgetOf(body.budget_vnd, body.budget_period)
  if (body.models !== undefined) settings.models = body.models
  // Looked at where all settings are.
  if (body.endpoints !== undefined) settings.endpoints = body.endpoints
  if (body.allowed_ips !== undefined) settings.allowedIps = body.allowed_ips
  if (body.expires_at !== undefined)
    settings.expiresAt = body.expires_at === null ? null : new Date(body.expires_at)
  if (body.paused !== undefined) settings.paused = body.paused
  return settings as Partial<KeySettings>
}

const budgetOf = (vnd: string | null, period: BudgetPeriod = "total"): Budget | null => {
  if (vnd === null) return null
  const amount = parseVnd(vnd)
  if (amount === undefined) throw new ApiProblem(400, "invalid")
  return { amount, period }
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
