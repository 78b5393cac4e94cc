/** Keys at rest. Of a secret only the hash and the sealed form are stored. */
import type { AccountId, KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Sql, Transaction } from "../Database.ts"
import { announceEvent } from "../announce-event.ts"
import { columnsOf, detailOf, type KeySettings, secretColumns, type StoredSecret } from "./key-columns.ts"
import { type BudgetRow, budgetOf, type RulesRow } from "../LedgerStore.ts"
import { revokeKeys } from "../people/end-access.ts"
import { recordAction } from "../record-action.ts"
import { type Asker, stillAsks } from "../still-asks.ts"

/** As many as `keys.slot` allows. */
export const activeKeysMax = 10

const revokedKeysListed = 100

export interface Key extends KeySettings {
  readonly keyId: KeyId
  readonly accountId: AccountId
  /** The person who made it; `undefined`: the command line, or nobody noted it. */
  readonly madeBy: AccountId | undefined
  readonly status: "active" | "revoked"
  /** Enough of the secret to recognise it. */
  readonly hint: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
  /** Since there is the key. */
  readonly spent: MicroVnd
  /** In the present period of its budget. */
  readonly budgetSpent: MicroVnd
  /** Until when the secret before the present one may be used; `undefined`: there is none. */
  readonly formerSecretUntil: Date | undefined
}

export interface NewKey extends KeySettings, StoredSecret, Asker {
  readonly keyId: KeyId
  readonly accountId: AccountId
  readonly madeBy: AccountId | undefined
}

/** The lock on the account makes parallel creations queue up, so that no more than ten slots are ever taken. */
export const insertKey = (
  sql: Sql,
  key: NewKey
): Promise<"created" | "no account" | "account disabled" | "too many"> =>
  sql.begin(async (transaction) => {
    const [account] = await transaction<Array<{ status: string }>>`
      select status from accounts where id = ${key.accountId} for update`
    if (account === undefined || !(await mayHaveKeys(transaction, key))) return "no account"
    if (account.status !== "active") return "account disabled"
    const [free] = await transaction<Array<{ slot: number }>>`
      select slot from generate_series(0, ${activeKeysMax - 1}) as slot
      where not exists (select from keys where keys.account_id = ${key.accountId} and keys.slot = slot.slot)
      order by slot limit 1`
    if (free === undefined) return "too many"
    await transaction`insert into keys ${transaction({
      id: key.keyId,
      account_id: key.accountId,
      made_by: key.madeBy ?? null,
      slot: free.slot,
      ...secretColumns(key),
      ...columnsOf(key)
    })}`
    await recordAction(transaction, {
      actor: key.actor,
      action: "key.create",
      subject: key.keyId,
      detail: { account_id: key.accountId, ...detailOf(key) }
    })
    return "created"
  })

/** A person may have been shut out since they asked. */
const mayHaveKeys = async (transaction: Transaction, key: NewKey): Promise<boolean> => {
  if (!(await stillAsks(transaction, key))) return false
  const { accountId, madeBy } = key
  if (madeBy === undefined) return true
  const [{ may }] = await transaction<[{ may: boolean }]>`
    select coalesce(role_of(${madeBy}, ${accountId}) <> 'billing', false) as may`
  return may
}

/** The active keys of an account and those it revoked last, oldest first. */
export const listKeys = async (sql: Sql, accountId: AccountId): Promise<ReadonlyArray<Key>> => {
  const rows = await sql<Array<KeyRow>>`
    ${selectKeys(sql)}
    where k.account_id = ${accountId} and (k.status = 'active' or k.id in (
      select id from keys where account_id = ${accountId} and status <> 'active'
      order by revoked_at desc nulls last, id desc limit ${revokedKeysListed}))
    order by k.created_at, k.id`
  return rows.map(toKey)
}

/** The addresses of those who made keys of the account, by their ids. */
export const nameMakers = async (sql: Sql, accountId: AccountId): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql<Array<{ id: string; email: string }>>`
    select id, email from accounts where id in (select made_by from keys where account_id = ${accountId})`
  return new Map(rows.map(({ email, id }) => [id, email]))
}

export const findKeyById = async (sql: Sql, keyId: string): Promise<Key | undefined> => {
  const [row] = await sql<Array<KeyRow>>`${selectKeys(sql)} where k.id = ${keyId}`
  return row === undefined ? undefined : toKey(row)
}

export interface SealedSecret {
  readonly sealKeyId: string
  readonly sealed: Uint8Array
}

/** What it takes to show a key again, and a note that it was; `undefined` for keys stored without it. */
export const takeSealedSecret = (sql: Sql, keyId: KeyId, actor: string): Promise<SealedSecret | undefined> =>
  sql.begin(async (transaction) => {
    const [row] = await transaction<Array<{ sealed_secret: Uint8Array; seal_key_id: string }>>`
      select sealed_secret, seal_key_id from keys
      where id = ${keyId} and sealed_secret is not null and seal_key_id is not null`
    if (row === undefined) return undefined
    await recordAction(transaction, { actor, action: "key.show", subject: keyId })
    return { sealKeyId: row.seal_key_id, sealed: row.sealed_secret }
  })

/** How many keys each seal key has sealed. */
export const countKeysBySeal = (
  sql: Sql
): Promise<ReadonlyArray<{ readonly sealKeyId: string; readonly count: number }>> =>
  sql<Array<{ sealKeyId: string; count: number }>>`
    select seal_key_id as "sealKeyId", count(*)::int as count from keys
    where seal_key_id is not null group by seal_key_id order by seal_key_id`

/**
 * Revokes for good and deletes the sealed secret. Repeating it announces it again, so that a caller who was told that
 * a node had not confirmed can try once more.
 */
export const revokeKey = (sql: Sql, keyId: KeyId, actor: string): Promise<bigint | undefined> =>
  sql.begin(async (transaction) => {
    await revokeKeys(transaction, transaction`id = ${keyId}`, actor)
    const known = await transaction`select from keys where id = ${keyId}`
    return known.length === 0 ? undefined : await announceEvent(transaction, "key", keyId)
  })

interface KeyRow extends BudgetRow, RulesRow {
  readonly id: KeyId
  readonly account_id: AccountId
  readonly made_by: AccountId | null
  readonly name: string
  readonly status: Key["status"]
  readonly hint: string
  readonly rate_limit_per_minute: number
  readonly expires_at: Date | null
  readonly paused: boolean
  readonly former_secret_until: Date | null
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly spent: string
  readonly budget_spent: bigint | null
}

const selectKeys = (sql: Sql) => sql`
  select k.id, k.account_id, k.made_by, k.name, k.status, k.hint, k.rate_limit_per_minute, k.created_at, used.last_used_at,
    coalesce(used.spent, 0)::text as spent, k.budget_micro_vnd, k.budget_period, k.models, k.endpoints, k.allowed_ips,
    k.expires_at, k.paused, case when k.former_secret_until > now() then k.former_secret_until end as former_secret_until,
    case when k.budget_micro_vnd is not null
      then key_spent(k.id, budget_starts_at(k.budget_period, now()), budget_ends_at(k.budget_period, now())) end as budget_spent
  from keys k left join lateral (
    select max(last_call_at) as last_used_at, sum(cost) as spent from (
      select last_call_at, cost_micro_vnd as cost from usage_months where key_id = k.id
      union all
      select last_call_at, cost_micro_vnd from usage_hours where key_id = k.id and hour >= calls_open_from()
    ) sums
  ) used on true`

const toKey = (row: KeyRow): Key => ({
  keyId: row.id,
  accountId: row.account_id,
  madeBy: row.made_by ?? undefined,
  name: row.name,
  status: row.status,
  hint: row.hint,
  rateLimitPerMinute: row.rate_limit_per_minute,
  budget: budgetOf(row) ?? null,
  models: row.models,
  endpoints: row.endpoints ?? null,
  allowedIps: row.allowed_ips,
  expiresAt: row.expires_at,
  paused: row.paused,
  formerSecretUntil: row.former_secret_until ?? undefined,
  budgetSpent: row.budget_spent ?? 0n,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at ?? undefined,
  spent: BigInt(row.spent)
})
