/** What operators read: totals, an account's ledger. */
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { Sql } from "./Database.ts"
import { actorName } from "./TokenStore.ts"

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
