/**
 * The audit's queries: each compares whole tables in one pass, so that millions of rows take seconds. Months that are
 * closed count by their sums, so that the audit takes as long as what came since is much.
 */
import { auditCalls } from "./audit-calls.ts"
import { type Check, findViolations, type Violation } from "./audit-checks.ts"
import { daysAreSumsOfHours, monthsAreSumsOfHours, totalsAreSums } from "./audit-months.ts"
import { auditPurchases, revenuesAreCosts } from "./audit-purchases.ts"
import type { Sql, Transaction } from "../Database.ts"

export interface AuditFindings {
  readonly wallets: number
  readonly entries: number
  /** All there ever were, those of closed months by their sums. */
  readonly calls: number
  readonly violations: ReadonlyArray<Violation>
}

/** `all` proves closed months anew: call by call, or by their hours where the calls are gone. */
export type AuditScope = "open" | "all"

/** Looks at one moment of the database. */
export const auditBooks = (sql: Sql, scope: AuditScope = "open"): Promise<AuditFindings> =>
  sql.begin("isolation level repeatable read read only", async (transaction) => {
    // Calls of months that go are not there for a moment of before: nothing of them may go until the end.
    await transaction`lock table calls in access share mode`
    return auditWithin(transaction, scope)
  })

/** The same within a transaction that may have changed things. */
export const auditWithin = async (
  transaction: Transaction,
  scope: AuditScope = "open"
): Promise<AuditFindings> => {
  // The joins hash whole tables; with the default they would go through temporary files.
  await transaction`set local work_mem = '64MB'`
  const [{ kept_from: keptFrom, open_from: openFrom }] = await transaction<
    [{ kept_from: string; open_from: string }]
  >`select calls_kept_from()::text as kept_from, calls_open_from()::text as open_from`
  const [counts] = await transaction<[{ wallets: number; entries: number; calls: number }]>`
    select (select count(*) from wallets)::float8 as wallets, (select count(*) from ledger_entries)::float8 as entries,
      (select coalesce(sum(calls), 0) from call_months where closed_at is not null)::float8
        + (select count(*) from calls where at >= ${openFrom}::text::timestamptz)::float8 as calls`
  const period = { from: scope === "all" ? keptFrom : openFrom, to: "infinity" }
  const violations = await findViolations([
    balances(transaction, openFrom),
    escrowsAreCovered(transaction),
    owners(transaction),
    ...auditCalls(transaction, period),
    totalsAreSums(transaction),
    ...auditPurchases(transaction, period),
    ...(scope === "all"
      ? [monthsAreSumsOfHours(transaction), daysAreSumsOfHours(transaction), revenuesAreCosts(transaction)]
      : [])
  ])
  return { ...counts, violations }
}

const balances =
  (transaction: Transaction, openFrom: string): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'balance' as check, account_id as subject,
      format('balance %s, entries %s, cost of calls %s', balance, coalesce(entered, 0), coalesce(cost, 0)) as detail
    from (
      select w.account_id, w.booked_micro_vnd - coalesce(e.spent, 0) as balance
      from wallets w left join (
        select account_id, sum(spent_micro_vnd) as spent from wallet_escrows group by account_id
      ) e using (account_id)
    ) wallet left join (
      select account_id, sum(amount_micro_vnd) as entered from ledger_entries group by account_id
    ) entries using (account_id) left join (
      select account_id, sum(cost) as cost from (
        select account_id, sum(cost_micro_vnd) as cost from usage_months group by account_id
        union all
        select account_id, sum(cost_micro_vnd) from calls where at >= ${openFrom}::text::timestamptz group by account_id
      ) parts group by account_id
    ) charged using (account_id)
    where balance <> coalesce(entered, 0) - coalesce(cost, 0) limit ${limit}`

/** What nodes may spend of a wallet is there: what goes beyond is what calls cost beyond their holds. */
const escrowsAreCovered =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'escrow' as check, account_id as subject, format('balance %s, escrows %s', balance_micro_vnd, amount) as detail
    from wallet_balances join (
      select e.account_id, sum(e.amount_micro_vnd) as amount from wallet_escrows e join nodes n on n.id = e.node_id
      where n.gone_at is null group by e.account_id having sum(e.amount_micro_vnd) > 0
    ) sums using (account_id)
    where amount > balance_micro_vnd and balance_micro_vnd >= 0 limit ${limit}`

const owners =
  (transaction: Transaction): Check =>
  (limit) =>
    transaction<Array<Violation>>`
    select 'account' as check, account_id as subject, problem as detail from (
      select distinct e.account_id, 'entries without a wallet' as problem
      from ledger_entries e left join wallets w using (account_id) where w.account_id is null
      union all
      select w.account_id, 'wallet without an account'
      from wallets w left join accounts a on a.id = w.account_id where a.id is null
      union all
      select a.id, 'account without a wallet'
      from accounts a left join wallets w on w.account_id = a.id where w.account_id is null
      union all
      select distinct m.account_id, 'calls without an account'
      from usage_months m left join accounts a on a.id = m.account_id where a.id is null and m.cost_micro_vnd <> 0
    ) found limit ${limit}`
