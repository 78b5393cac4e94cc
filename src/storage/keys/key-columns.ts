/** What is set on a key, as its columns and as the audit log tells of it. */
import type { Endpoint } from "../../domain/call.ts"
import type { Budget, BudgetChange } from "../../domain/key-settings.ts"
import { formatVnd } from "../../domain/money.ts"
import type { ActionDetail } from "../record-action.ts"

/** What whoever has a key may set on it. `null`: nothing. */
export interface KeySettings {
  readonly name: string
  /** Calls per minute; 0 is no limit. */
  readonly rateLimitPerMinute: number
  readonly budget: Budget | null
  /** Ids of models; with a star at the end all that begin so. */
  readonly models: ReadonlyArray<string> | null
  readonly endpoints: ReadonlyArray<Endpoint> | null
  /** In CIDR notation. */
  readonly allowedIps: ReadonlyArray<string> | null
  readonly expiresAt: Date | null
  readonly paused: boolean
}

/** What is set anew. */
export interface KeyChange extends Partial<Omit<KeySettings, "budget">> {
  readonly budget?: BudgetChange | null
}

/** What is kept of a secret. */
export interface StoredSecret {
  readonly secretHash: Uint8Array
  readonly sealedSecret: Uint8Array
  readonly sealKeyId: string
  readonly hint: string
}

type Columns = Record<string, string | number | boolean | bigint | Date | Uint8Array | Array<string> | null>

/** Of what is given. */
export const columnsOf = (settings: Partial<KeySettings>): Columns => {
  const columns: Columns = {}
  const { allowedIps, budget, endpoints, expiresAt, models, name, paused, rateLimitPerMinute } = settings
  if (name !== undefined) columns["name"] = name
  if (rateLimitPerMinute !== undefined) columns["rate_limit_per_minute"] = rateLimitPerMinute
  if (budget !== undefined) {
    columns["budget_micro_vnd"] = budget?.amount ?? null
    columns["budget_period"] = budget?.period ?? null
  }
  if (models !== undefined) columns["models"] = models && [...models]
  if (endpoints !== undefined) columns["endpoints"] = endpoints && [...endpoints]
  if (allowedIps !== undefined) columns["allowed_ips"] = allowedIps && [...allowedIps]
  if (expiresAt !== undefined) columns["expires_at"] = expiresAt
  if (paused !== undefined) columns["paused"] = paused
  return columns
}

export const secretColumns = (secret: StoredSecret): Columns => ({
  secret_hash: secret.secretHash,
  sealed_secret: secret.sealedSecret,
  seal_key_id: secret.sealKeyId,
  hint: secret.hint
})

/** Of what is given. */
export const detailOf = (settings: Partial<KeySettings>): ActionDetail => {
  const { allowedIps, budget, endpoints, expiresAt, models, name, paused, rateLimitPerMinute } = settings
  const detail = {
    name,
    rate_limit_per_minute: rateLimitPerMinute,
    budget_vnd: budget && formatVnd(budget.amount),
    budget_period: budget && budget.period,
    models: models && models.join(", "),
    endpoints: endpoints && endpoints.join(", "),
    allowed_ips: allowedIps && allowedIps.join(", "),
    expires_at: expiresAt && expiresAt.toISOString(),
    paused
  }
  return Object.fromEntries(
    Object.entries(detail).flatMap(([at, value]) => (value === undefined ? [] : [[at, value]]))
  )
}
