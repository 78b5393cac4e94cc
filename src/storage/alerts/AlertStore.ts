/**
 * What there is to tell customers, found in sums that come with the calls and in notes that come with other changes.
 * Money crosses these statements as text: they run on connections that read 64 bits as JavaScript's numbers.
 */
import type { AccountId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"
import { spentPerDay } from "../calls/spending-pace.ts"

/** What is looked through for crossings, and since when. */
export type Pass = "calls" | "long_calls" | "days_left"

export interface Look {
  /** How far a pass has looked; before its first look, and where the clock was ahead then, the present. */
  readonly until: Date
  readonly isFirst: boolean
  /** By the database's clock. */
  readonly now: Date
}

export const readLook = async (sql: Sql, pass: Pass): Promise<Look> => {
  const [row] = await sql<[{ until: Date | null; now: Date }]>`
    select (select least(until, now()) from alert_looks where pass = ${pass}) as until, now()`
  return { until: row.until ?? row.now, isFirst: row.until === null, now: row.now }
}

export const writeLook = async (sql: Sql | Transaction, pass: Pass, until: Date): Promise<void> => {
  await sql`insert into alert_looks (pass, until) values (${pass}, ${until})
    on conflict (pass) do update set until = case
      when alert_looks.until > now() then excluded.until else greatest(alert_looks.until, excluded.until) end`
}

/** Accounts with calls that began since. Read from the hours' sums, which lie together on disk by their hour. */
export const findCallers = async (sql: Sql, since: Date): Promise<ReadonlyArray<AccountId>> => {
  const rows = await sql<Array<{ id: AccountId }>>`
    select distinct account_id as id from usage_hours
    where hour >= date_trunc('hour', ${since}::timestamptz, 'UTC') and last_call_at >= ${since}`
  return rows.map(({ id }) => id)
}

/**
 * What has begun and what has ended for these accounts, in balances and in budgets of keys and of members. Each beginning is
 * answered once, however often and by however many it is looked for. `refusedSince`: where calls were refused for want of money.
 */
export const raiseCrossings = (
  transaction: Transaction,
  accountIds: ReadonlyArray<AccountId>,
  refusedSince: Date
): Promise<ReadonlyArray<string>> =>
  writeStates(
    transaction,
    transaction`
    asked as (
      -- Nobody is told that there is nothing where there never was anything.
      select w.account_id, b.balance_micro_vnd as balance, s.balance_below_micro_vnd as below
      from unnest(${[...accountIds]}::text[]) as w (account_id)
      join wallet_balances b using (account_id) join account_alerts s using (account_id) ${joinOpen(transaction)}
      where exists (select from ledger_entries e where e.account_id = w.account_id)
    ), budgets as (${budgetsOfAsked(transaction)}
    ), refused as (${refusedOfAsked(transaction, refusedSince)}
    ), judged as (
      -- A budget is strict, so that it ends with a call that the rest does not cover: of the key's and its maker's that with less left.
      select b.*, b.spent >= b.budget
        or (b.spent::numeric * 5 >= b.budget::numeric * 4 and b.budget - b.spent < b.balance and exists (
          select from refused r where r.account_id = b.account_id and b.subject in (r.key_id, r.made_by)
            and not exists (select from budgets other where other.account_id = b.account_id
              and other.subject in (r.key_id, r.made_by) and other.budget - other.spent < b.budget - b.spent))) as is_spent
      from budgets b
    ), emptied as (
      select a.*, a.balance <= 0 or exists (
        select from refused r where r.account_id = a.account_id
          -- A budget with less left refuses first, however much of it that is.
          and not exists (select from budgets b where b.account_id = r.account_id
            and b.subject in (r.key_id, r.made_by) and b.budget - b.spent < a.balance)) as is_empty
      from asked a
    ), found as (
      select account_id, 'balance.empty' as kind, '' as subject, '-infinity'::timestamptz as period, balance as mark,
        is_empty as begins, balance > mark_of(account_id, 'balance.empty', '') as ends, true as is_told,
        jsonb_build_object('balance_vnd', vnd_text(balance)) as detail
      from emptied
      union all
      select account_id, 'balance.low', '', '-infinity', balance, coalesce(balance < below, false),
        coalesce(balance >= below, true), not is_empty,
        jsonb_build_object('balance_vnd', vnd_text(balance), 'below_vnd', vnd_text(below))
      from emptied
      union all
      select account_id, kind || '.spent', subject, period, budget, is_spent,
        budget > mark_of(account_id, kind || '.spent', subject)
          or (budget <> mark_of(account_id, kind || '.spent', subject) and not is_spent), true, detail
      from judged, lateral (select ${budgetDetail(transaction)} as detail) told
      union all
      select account_id, kind || '.nearly_spent', subject, period, budget, spent::numeric * 5 >= budget::numeric * 4,
        spent::numeric * 5 < budget::numeric * 4, not is_spent, detail
      from judged, lateral (select ${budgetDetail(transaction)} as detail) told
      union all
      -- Of budgets that are no more.
      select s.account_id, s.kind, s.subject, s.period, s.mark, false, true, false, '{}'
      from asked a join alert_states s using (account_id)
      where split_part(s.kind, '.', 1) in ('budget', 'member_budget')
        and not exists (select from budgets b where b.account_id = s.account_id and b.subject = s.subject)
    )`
  )

/** Whoever has closed their account is told of it no more: what is left in it is paid out. */
const joinOpen = (sql: Transaction) => sql`join accounts o on o.id = w.account_id and o.closed_at is null`

/** Of keys, and of members: what all keys that one has made may spend together. */
const budgetsOfAsked = (sql: Transaction) => sql`
  select l.*, present.starts_at as period, present.ends_at, case l.kind
    when 'budget' then key_spent(l.subject, present.starts_at, present.ends_at)
    else member_spent(l.account_id, l.subject, present.starts_at, present.ends_at) end as spent
  from (
    select k.account_id, 'budget' as kind, k.id as subject, k.budget_micro_vnd as budget, k.budget_period as of_period, a.balance,
      jsonb_build_object('key', jsonb_build_object('id', k.id, 'name', k.name)) as whose
    from asked a join keys k on k.account_id = a.account_id
    where k.status = 'active' and k.budget_micro_vnd is not null
    union all
    select m.account_id, 'member_budget', m.person_id, m.budget_micro_vnd, m.budget_period, a.balance,
      jsonb_build_object('member', jsonb_build_object('id', m.person_id, 'name', coalesce(p.name, o.email)))
    from asked a join member_budgets m on m.account_id = a.account_id
      join accounts o on o.id = m.person_id left join people p on p.id = m.person_id
  ) l, lateral (
    select budget_starts_at(l.of_period, now()) as starts_at, budget_ends_at(l.of_period, now()) as ends_at
  ) present`

/** Calls that were refused for want of money, the last of each key. */
const refusedOfAsked = (sql: Transaction, refusedSince: Date) => sql`
  select last.account_id, last.key_id, k.made_by
  from (
    select c.account_id, c.key_id, max(c.at) as at from asked a join calls c on c.account_id = a.account_id
    where c.at >= ${refusedSince} and c.status >= 400 and c.status = 402 group by c.account_id, c.key_id
  ) last left join keys k on k.id = last.key_id
  -- What was added since may have been the answer to it, and so may what was set, and a budget that began anew. A key that is
  -- revoked asks for nothing any more.
  where k.status is distinct from 'revoked' and not exists (
    select from ledger_entries e where e.account_id = last.account_id and e.amount_micro_vnd > 0 and e.at >= last.at
  ) and not exists (
    select from audit_log l where l.subject in (last.key_id, k.made_by)
      and l.action in ('key.update', 'member.budget') and l.at >= last.at
  ) and not exists (
    select from budgets b where b.account_id = last.account_id and b.subject in (last.key_id, k.made_by)
      and b.period > last.at
  )`

const budgetDetail = (sql: Transaction) => sql`whose || jsonb_build_object(
  'budget_vnd', vnd_text(budget), 'spent_vnd', vnd_text(spent), 'budget_period', of_period,
  'resets_at', case when of_period <> 'total' then to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') end)`

/** How long balances last at the pace of the last week. */
export const raiseDaysLeft = (
  transaction: Transaction,
  accountIds: ReadonlyArray<AccountId>
): Promise<ReadonlyArray<string>> =>
  writeStates(
    transaction,
    transaction`
    asked as (
      -- What nothing was spent of lately lasts for ever.
      select w.account_id, b.balance_micro_vnd as balance, s.days_left as wanted, used.per_day,
        b.balance_micro_vnd / nullif(used.per_day, 0) as lasts
      from unnest(${[...accountIds]}::text[]) as w (account_id)
      join wallet_balances b using (account_id) join account_alerts s using (account_id) ${joinOpen(transaction)}
      cross join lateral (${spentPerDay(transaction, transaction`w.account_id`)}) used
    ), found as (
      select account_id, 'balance.days_left' as kind, '' as subject, '-infinity'::timestamptz as period, balance as mark,
        coalesce(balance > 0 and lasts < wanted, false) as begins,
        wanted is null or (balance > mark_of(account_id, 'balance.days_left', '') and coalesce(lasts >= wanted, true)) as ends,
        true as is_told,
        -- No more than there is, so that it is less than what it is told for being less than.
        jsonb_build_object('balance_vnd', vnd_text(balance), 'days_left', trim_scale(trunc(lasts, 1)),
          'vnd_per_day', vnd_text(round(per_day)::int8)) as detail
      from asked
    )`
  )

/** Keys whose end has come within three days since then, and those of these accounts. */
export const raiseExpiring = (
  transaction: Transaction,
  since: Date,
  accountIds: ReadonlyArray<AccountId>
): Promise<ReadonlyArray<string>> =>
  writeStates(
    transaction,
    transaction`
    found as (
      select account_id, 'key.expiring' as kind, id as subject, expires_at as period, 0::int8 as mark, true as begins,
        false as ends, true as is_told,
        jsonb_build_object('key', jsonb_build_object('id', id, 'name', name),
          'expires_at', to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) as detail
      from keys where status = 'active' and expires_at > now() and expires_at <= now() + interval '3 days'
        and (expires_at > ${since}::timestamptz + interval '3 days' or account_id = any (${[...accountIds]}::text[]))
    )`
  )

/**
 * Of what was `found` (account, kind, subject, period, mark; whether it begins, whether it ends, whether it is worth a word):
 * what had begun and now ends is forgotten, so that it can begin again; what begins is written down and told. What had
 * ended in between begins anew.
 */
const writeStates = async (
  transaction: Transaction,
  found: ReturnType<Transaction>
): Promise<ReadonlyArray<string>> => {
  // What another node has told anew meanwhile ends by its own mark.
  const isAsFound = transaction`s.mark = mark_of(s.account_id, s.kind, s.subject)`
  const rows = await transaction<Array<{ id: string }>>`
    with ${found}, ended as (
      delete from alert_states s using found f
      where s.account_id = f.account_id and s.kind = f.kind and s.subject = f.subject and f.ends and not f.begins
        and ${isAsFound}
    ), begun as (
      insert into alert_states as s (account_id, kind, subject, period, mark, alert_id)
      select account_id, kind, subject, period, mark, 'msg_' || replace(gen_random_uuid()::text, '-', '')
      from found where begins order by account_id, kind, subject
      on conflict (account_id, kind, subject) do update
        set period = excluded.period, mark = excluded.mark, alert_id = excluded.alert_id, raised_at = now()
        where s.period <> excluded.period or (${isAsFound} and exists (
          select from found f where f.account_id = excluded.account_id and f.kind = excluded.kind
            and f.subject = excluded.subject and f.ends))
      returning account_id, kind, subject, alert_id
    )
    insert into alerts (id, account_id, kind, subject, detail)
    select b.alert_id, f.account_id, f.kind, f.subject, f.detail
    from begun b join found f using (account_id, kind, subject) where f.is_told
    returning id`
  return rows.map(({ id }) => id)
}

export interface NewDelivery {
  readonly id: string
  readonly accountId: AccountId
  readonly channel: "mail" | "webhook"
}

/** To everywhere that the account wants to hear of these; mail of a member's budget goes to the member, too. */
export const addDeliveries = (
  transaction: Transaction,
  alertIds: ReadonlyArray<string>,
  sendsMail: boolean
): Promise<ReadonlyArray<NewDelivery>> => transaction<Array<NewDelivery>>`
  with asked as (
    select a.* from alerts a where a.id = any (${[...alertIds]}::text[])
  ), endpoints as (
    -- Those that are being deleted hear of nothing more, and nobody deletes the others before this is written.
    select e.id, e.account_id, e.url, e.kinds from webhook_endpoints e
    where e.account_id in (select account_id from asked) and not e.paused order by e.id for key share
  )
  insert into alert_deliveries (alert_id, account_id, channel, endpoint_id, address, person_id)
  select a.id, a.account_id, 'mail', null, coalesce(nullif(s.email, ''), s.account_email), null
  from asked a join account_alerts s using (account_id)
  where ${sendsMail}::boolean and a.kind = any (s.mail_kinds)
  union all
  select a.id, a.account_id, 'mail', null, m.email, m.id
  from asked a join account_alerts s using (account_id) join accounts m on m.id = a.subject
  where ${sendsMail}::boolean and a.kind = any (s.mail_kinds) and starts_with(a.kind, 'member_budget.')
    and role_of(m.id, a.account_id) is not null
    and lower(m.email) <> lower(coalesce(nullif(s.email, ''), s.account_email))
  union all
  select a.id, a.account_id, 'webhook', e.id, e.url, null
  from asked a join endpoints e using (account_id) where a.kind = any (e.kinds)
  returning id, account_id as "accountId", channel`
