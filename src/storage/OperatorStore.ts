/** What operators read: totals, accounts, an account's ledger. */
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { StaffRole } from "../domain/staff-roles.ts"
import type { Sql } from "./Database.ts"
import { actorName } from "./people/TokenStore.ts"

export interface AccountSummary {
  readonly accountId: AccountId
  readonly email: string
  readonly status: "active" | "disabled"
  /** By its founder. */
  readonly isClosed: boolean
  /** `undefined` for customers. */
  readonly role: StaffRole | undefined
  readonly createdAtMs: number
  readonly balance: MicroVnd
  readonly activeKeys: number
  /** Whether someone can sign in to it. */
  readonly hasPerson: boolean
  readonly askedForReset: boolean
}

/** Newest first, those who wait for a new password before all; `search` is part of an email or a whole id. */
export const searchAccounts = async (
  sql: Sql,
  search: string,
  before: string | undefined,
  limit: number
): Promise<ReadonlyArray<AccountSummary>> => {
  const pattern = `%${search.replace(/[\\%_]/g, "\\$&")}%`
  const rows = await sql<Array<RawAccount>>`
    ${selectAccounts(sql)}
    where a.id = any (array(
      select id from accounts where true
      ${search === "" ? sql`` : sql`and (email ilike ${pattern} or id = ${search})`}
      ${before === undefined ? sql`` : sql`and (created_at, id) < (select created_at, id from accounts where id = ${before})`}
      order by created_at desc, id desc limit ${limit}))
    order by a.created_at desc, a.id desc`
  return rows.map(readAccount)
}

export const findAccountSummary = async (
  sql: Sql,
  accountId: string
): Promise<AccountSummary | undefined> => {
  const [row] = await sql<Array<RawAccount>>`${selectAccounts(sql)} where a.id = ${accountId}`
  return row && readAccount(row)
}

export const listResetRequests = async (sql: Sql): Promise<ReadonlyArray<AccountSummary>> => {
  const rows = await sql<
    Array<RawAccount>
  >`${selectAccounts(sql)} where r.person_id is not null order by r.at limit 50`
  return rows.map(readAccount)
}

interface RawAccount {
  readonly id: AccountId
  readonly email: string
  readonly status: "active" | "disabled"
  readonly is_closed: boolean
  readonly staff_role: StaffRole | null
  readonly created_at: Date
  readonly balance: MicroVnd
  readonly active_keys: number
  readonly has_person: boolean
  readonly asked_for_reset: boolean
}

const selectAccounts = (sql: Sql) => sql`
  select a.id, a.email, a.status, a.closed_at is not null as is_closed, a.staff_role, a.created_at, coalesce(w.balance_micro_vnd, 0) as balance,
    (select count(*)::int from keys k where k.account_id = a.id and k.status = 'active') as active_keys,
    p.id is not null as has_person, r.person_id is not null as asked_for_reset
  from accounts a left join wallet_balances w on w.account_id = a.id left join people p on p.id = a.id
  left join password_reset_requests r on r.person_id = a.id`

const readAccount = (row: RawAccount): AccountSummary => ({
  accountId: row.id,
  email: row.email,
  status: row.status,
  isClosed: row.is_closed,
  role: row.staff_role ?? undefined,
  createdAtMs: row.created_at.getTime(),
  balance: row.balance,
  activeKeys: row.active_keys,
  hasPerson: row.has_person,
  askedForReset: row.asked_for_reset
})

export interface LedgerRow {
  readonly id: string
  readonly atMs: number
  readonly source: "credit" | "top_up"
  readonly amount: MicroVnd
  readonly reason: string
  readonly actor: string
}

/** Money that came in or was corrected, newest first; charges are in the call log. */
export const listCredits = async (
  sql: Sql,
  accountId: AccountId,
  limit: number
): Promise<ReadonlyArray<LedgerRow>> => {
  const rows = await sql<
    Array<{
      id: string
      at: Date
      source: "credit" | "top_up"
      amount: MicroVnd
      reason: string
      actor: string
    }>
  >`
    select e.id::text, e.at, e.source, e.amount_micro_vnd as amount, e.reason, ${actorName(sql, sql`e.actor`)} as actor
    from ledger_entries e
    where e.account_id = ${accountId} order by e.id desc limit ${limit}`
  return rows.map(({ at, ...row }) => Object.assign(row, { atMs: at.getTime() }))
}

export interface Totals {
  readonly accounts: number
  readonly activeKeys: number
  readonly balances: MicroVnd
  readonly callsToday: number
  readonly failedToday: number
  readonly spentToday: MicroVnd
  readonly nodes: number
}

export const readTotals = async (sql: Sql, today: Date): Promise<Totals> => {
  const [row] = await sql<
    [
      {
        accounts: number
        active_keys: number
        balances: string
        calls: string
        failed: string
        spent: string
        nodes: number
      }
    ]
  >`
    select (select count(*)::int from accounts) as accounts,
      (select count(*)::int from keys where status = 'active') as active_keys,
      (select (coalesce(sum(booked_micro_vnd), 0) - (select coalesce(sum(spent_micro_vnd), 0) from wallet_escrows))::text
        from wallets) as balances,
      (select count(*)::int from live_nodes()) as nodes, used.*
    from (select coalesce(sum(calls), 0)::text as calls, coalesce(sum(failed_calls), 0)::text as failed,
      coalesce(sum(cost_micro_vnd), 0)::text as spent from usage_hours where hour >= ${today}) used`
  return {
    accounts: row.accounts,
    activeKeys: row.active_keys,
    balances: BigInt(row.balances),
    callsToday: Number(row.calls),
    failedToday: Number(row.failed),
    spentToday: BigInt(row.spent),
    nodes: row.nodes
  }
}

/** Of these accounts. */
export const readEmails = async (
  sql: Sql,
  accountIds: ReadonlyArray<string>
): Promise<ReadonlyMap<string, string>> => {
  const rows = await sql<Array<{ id: string; email: string }>>`
    select id, email from accounts where id = any (${[...accountIds]}::text[])`
  return new Map(rows.map(({ email, id }) => [id, email]))
}
