/** What the ledger reads beside wallets: keys, and calls that are in the log. Each function takes the connection it runs on. */
import type { CallRecord } from "../domain/call.ts"
import type { StoredItems } from "../domain/stored-answer.ts"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"
import type { Budget, BudgetPeriod, Budgets, KeyRules } from "../domain/key-settings.ts"
import { arrayText, byteaArrayText } from "./array-text.ts"
import type { Sql } from "./Database.ts"

/** The mutable part of a key. */
export interface KeyState {
  readonly keyId: KeyId
  readonly accountId: AccountId
  /** Neither is it revoked, nor its account disabled. */
  readonly active: boolean
  /** Calls per minute; 0 is no limit. */
  readonly rateLimitPerMinute: number
  readonly paused: boolean
  /** Ms since 1970; `undefined`: never. */
  readonly expiresAtMs: number | undefined
  /** `undefined`: neither it nor the member who made it has one. */
  readonly budgets: Budgets | undefined
  readonly rules: KeyRules | undefined
  /** The number of its secret. */
  readonly secret: number
  /** Until when the secret before it may be used, ms since 1970; `undefined`: there is none. */
  readonly formerSecretUntilMs: number | undefined
}

export const loadKeys = async (sql: Sql, keyIds: ReadonlyArray<KeyId>): Promise<ReadonlyArray<KeyState>> => {
  const rows = await sql<Array<KeyStateRow>>`
    select k.id, k.account_id, k.status = 'active' and a.status = 'active' as active, k.rate_limit_per_minute, k.paused, k.expires_at, k.budget_micro_vnd,
      k.budget_period, k.models, k.endpoints, k.allowed_ips, k.secret_number, k.former_secret_until,
      m.budget_micro_vnd as member_budget_micro_vnd, m.budget_period as member_budget_period
    from keys k join accounts a on a.id = k.account_id
      left join member_budgets m on m.account_id = k.account_id and m.person_id = k.made_by
    where k.id = any (${[...keyIds]}::text[])`
  return rows.map((row) => ({
    keyId: row.id,
    accountId: row.account_id,
    active: row.active,
    rateLimitPerMinute: row.rate_limit_per_minute,
    paused: row.paused,
    expiresAtMs: row.expires_at?.getTime(),
    budgets: budgetsOf(row),
    rules: rulesOf(row),
    secret: row.secret_number,
    formerSecretUntilMs: row.former_secret_until?.getTime()
  }))
}

interface KeyStateRow extends BudgetRow, RulesRow {
  readonly member_budget_micro_vnd: bigint | null
  readonly member_budget_period: BudgetPeriod | null
  readonly id: KeyId
  readonly account_id: AccountId
  readonly active: boolean
  readonly rate_limit_per_minute: number
  readonly paused: boolean
  readonly expires_at: Date | null
  readonly secret_number: number
  readonly former_secret_until: Date | null
}

export interface BudgetRow {
  readonly budget_micro_vnd: bigint | null
  readonly budget_period: BudgetPeriod | null
}

export interface RulesRow {
  readonly models: ReadonlyArray<string> | null
  readonly endpoints: KeyRules["endpoints"] | null
  readonly allowed_ips: ReadonlyArray<string> | null
}

export const budgetOf = ({
  budget_micro_vnd: amount,
  budget_period: period
}: BudgetRow): Budget | undefined => (amount === null || period === null ? undefined : { amount, period })

const budgetsOf = (row: KeyStateRow): Budgets | undefined => {
  const key = budgetOf(row)
  const member = budgetOf({
    budget_micro_vnd: row.member_budget_micro_vnd,
    budget_period: row.member_budget_period
  })
  return key === undefined && member === undefined ? undefined : { key, member }
}

const rulesOf = ({ allowed_ips, endpoints, models }: RulesRow): KeyRules | undefined =>
  allowed_ips === null && endpoints === null && models === null
    ? undefined
    : { models: models ?? undefined, endpoints: endpoints ?? undefined, allowedIps: allowed_ips ?? undefined }

/** Tokens of the call that stored an answer under this id, if that call was this account's. */
export const findStoredCall = async (
  sql: Sql,
  accountId: AccountId,
  storedIdHash: Uint8Array
): Promise<number | undefined> => {
  const [row] = await sql<Array<{ tokens: number }>>`
    select (input_tokens + output_tokens)::int4 as tokens from calls
    where stored_id_hash = ${storedIdHash} and account_id = ${accountId} order by at desc limit 1`
  return row?.tokens
}

/**
 * Each call counts once, however many of its items are asked for, and of what they were given the longest. They are found by the
 * hashes: planned for no hash in particular, PostgreSQL would go through all of an account's calls instead.
 */
export const findStoredItems = async (
  sql: Sql,
  accountId: AccountId,
  hashes: ReadonlyArray<Uint8Array>
): Promise<StoredItems> => {
  const rows = await sql<Array<StoredItemsRow>>`
    select input_tokens, output_tokens, stored_item_hashes from calls
    where stored_item_hashes && ${byteaArrayText(hashes)}::bytea[] and account_id || '' = ${accountId}`
  const stored = new Set(rows.flatMap((row) => row.stored_item_hashes.map((hash) => hash.toString("hex"))))
  const missing = hashes.findIndex((hash) => !stored.has(Buffer.from(hash).toString("hex")))
  return {
    tokens: rows.reduce(
      (sum, row) => sum + row.output_tokens,
      Math.max(0, ...rows.map((row) => row.input_tokens))
    ),
    missing: missing === -1 ? undefined : missing
  }
}

interface StoredItemsRow {
  readonly input_tokens: number
  readonly output_tokens: number
  readonly stored_item_hashes: ReadonlyArray<Buffer>
}

/** Which of these calls are in the log. */
export const findCalls = async (
  sql: Sql,
  records: ReadonlyArray<CallRecord>
): Promise<ReadonlySet<CallId>> => {
  const rows = await sql<Array<{ id: CallId }>>`
    select c.id from calls c join unnest(${arrayText(records, (record) => record.accountId)}::text[],
      ${arrayText(records, (record) => record.callId)}::text[],
      ${arrayText(records, (record) => String(record.atMs))}::float8[]) as asked (account_id, id, at)
    on c.account_id = asked.account_id and c.at = to_timestamp(asked.at / 1000) and c.id = asked.id`
  return new Set(rows.map(({ id }) => id))
}
