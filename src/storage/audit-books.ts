/** The audit's queries: each compares whole tables in one pass, so that millions of rows take seconds. */
import type { Sql, Transaction } from "./Database.ts"

export interface Violation {
  /** Which promise is broken. */
  readonly check: string
  /** The account, entry, call or hour that breaks it. */
  readonly subject: string
  readonly detail: string
}

export interface AuditFindings {
  readonly wallets: number
  readonly entries: number
  readonly calls: number
  readonly violations: ReadonlyArray<Violation>
}

/** So many are named at most. */
export const violationsMax = 100

/** Looks at one moment of the database. */
export const auditBooks = (sql: Sql): Promise<AuditFindings> =>
  sql.begin("isolation level repeatable read read only", auditWithin)

/** The same within a transaction that may have changed things. */
export const auditWithin = async (transaction: Transaction): Promise<AuditFindings> => {
  // The joins hash whole tables; with the default they would go through temporary files.
  await transaction`set local work_mem = '64MB'`
  const [counts] = await transaction<[{ wallets: number; entries: number; calls: number }]>`
    select (select count(*) from wallets)::float8 as wallets, (select count(*) from ledger_entries)::float8 as entries,
      (select count(*) from calls)::float8 as calls`
  const violations: Array<Violation> = []
  for (const check of checks) {
    if (violations.length >= violationsMax) break
    violations.push(...(await check(transaction, violationsMax - violations.length)))
  }
  return { ...counts, violations }
}

type Check = (transaction: Transaction, limit: number) => PromiseLike<ReadonlyArray<Violation>>

const balances: Check = (transaction, limit) => transaction<Array<Violation>>`
  select 'balance' as check, account_id as subject,
    format('balance %s, entries %s, cost of calls %s', balance_micro_vnd, coalesce(entered, 0), coalesce(cost, 0)) as detail
  from wallet_balances left join (
    select account_id, sum(amount_micro_vnd) as entered from ledger_entries group by account_id
  ) entries using (account_id) left join (
    select account_id, sum(cost_micro_vnd) as cost from calls group by account_id
  ) charged using (account_id)
  where balance_micro_vnd <> coalesce(entered, 0) - coalesce(cost, 0) limit ${limit}`

/** What nodes may spend of a wallet is there: what goes beyond is what calls cost beyond their holds. */
const escrowsAreCovered: Check = (transaction, limit) => transaction<Array<Violation>>`
  select 'escrow' as check, account_id as subject, format('balance %s, escrows %s', balance_micro_vnd, amount) as detail
  from wallet_balances join (
    select e.account_id, sum(e.amount_micro_vnd) as amount from wallet_escrows e join nodes n on n.id = e.node_id
    where n.gone_at is null group by e.account_id having sum(e.amount_micro_vnd) > 0
  ) sums using (account_id)
  where amount > balance_micro_vnd and balance_micro_vnd >= 0 limit ${limit}`

const owners: Check = (transaction, limit) => transaction<Array<Violation>>`
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
    select distinct c.account_id, 'calls without an account'
    from calls c left join accounts a on a.id = c.account_id where a.id is null
  ) found limit ${limit}`

const callsAreOnce: Check = (transaction, limit) => transaction<Array<Violation>>`
  select 'repeated' as check, id as subject, format('%s rows', count(*)) as detail
  from calls group by id having count(*) > 1 limit ${limit}`

/** Successful calls cost what they consumed; of the others only those cut by the wallet or left by the client may. */
const costsAreExact: Check = (transaction, limit) => transaction<Array<Violation>>`
  select 'cost' as check, id as subject, format('status %s, cost %s, by its price %s', status, cost_micro_vnd, due) as detail
  from (
    select id, status, endpoint, units, cost_micro_vnd, per_mtok_vnd, per_request_vnd,
      coalesce((input_tokens::int8 + output_tokens) * per_mtok_vnd, per_request_vnd * 1000000 * units, 0) as due
    from calls
  ) priced
  where (cost_micro_vnd <> due and (cost_micro_vnd <> 0 or (status < 400 and endpoint <> 'count_tokens')))
    or (cost_micro_vnd <> 0 and status >= 400 and status not in (402, 499))
    or (per_mtok_vnd is not null and per_request_vnd is not null)
    or (units <> 1 and endpoint not in ('images_generations', 'images_edits'))
  limit ${limit}`

const hoursAreSums: Check = (transaction, limit) => transaction<Array<Violation>>`
  select 'usage_hours' as check, format('%s %s %s %s', account_id, key_id, model, hour at time zone 'UTC') as subject,
    format('calls %s/%s, failed %s/%s, input %s/%s, output %s/%s, cost %s/%s', u.calls, c.calls, u.failed, c.failed,
      u.input, c.input, u.output, c.output, u.cost, c.cost) as detail
  from (
    select account_id, key_id, model, hour, sum(calls) as calls, sum(failed_calls) as failed, sum(input_tokens) as input,
      sum(output_tokens) as output, sum(cost_micro_vnd) as cost from usage_hours group by 1, 2, 3, 4
  ) u full join (
    select account_id, key_id, model, date_trunc('hour', at, 'UTC') as hour, count(*) as calls,
      count(*) filter (where status >= 400) as failed, sum(input_tokens) as input, sum(output_tokens) as output,
      sum(cost_micro_vnd) as cost
    from calls group by 1, 2, 3, 4
  ) c using (account_id, key_id, model, hour)
  where (u.calls, u.failed, u.input, u.output, u.cost) is distinct from (c.calls, c.failed, c.input, c.output, c.cost)
  limit ${limit}`

const checks: ReadonlyArray<Check> = [
  balances,
  escrowsAreCovered,
  owners,
  callsAreOnce,
  costsAreExact,
  hoursAreSums
]
