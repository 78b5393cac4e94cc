/** What triggers have noted with other changes becomes alerts. */
import { boundedKinds, toldPerHourMax } from "../../domain/alert-kinds.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { Transaction } from "../Database.ts"

export interface Noted {
  readonly alertIds: ReadonlyArray<string>
  readonly accountIds: ReadonlyArray<AccountId>
  /** Entries of the ledger. */
  readonly topUps: ReadonlyArray<string>
  /** How many there were. */
  readonly notes: number
}

/**
 * One alert for each of the oldest notes that are of a kind of their own; whose accounts they tell of. What people cause without end becomes
 * none any more: each would be sent to as many addresses of strangers as an account may name.
 */
export const raiseNoted = async (transaction: Transaction, limit: number): Promise<Noted> => {
  const rows = await transaction<
    Array<{ account_id: AccountId; alert_id: string | null; kind: string; subject: string }>
  >`
    with noted as (
      delete from alert_events where id in (
        select id from alert_events order by id limit ${limit} for update skip locked)
      returning id, account_id, kind, subject, detail, at
    ), lately as (
      select account_id, kind, count(*) as told from alerts
      where at between now() - interval '1 hour' and now() and kind = any (${[...boundedKinds]}::text[])
        and account_id in (select account_id from noted)
      group by account_id, kind
    ), named as (
      select n.account_id, n.kind, n.subject, n.detail, n.at, case when n.kind <> 'account.changed'
        and (n.kind <> all (${[...boundedKinds]}::text[])
          or coalesce(l.told, 0) + row_number() over (partition by n.account_id, n.kind order by n.id) <= ${toldPerHourMax})
        then 'msg_' || replace(gen_random_uuid()::text, '-', '') end as alert_id
      from noted n left join lately l using (account_id, kind)
    ), told as (
      insert into alerts (id, account_id, kind, subject, detail, at)
      select alert_id, account_id, kind, subject, detail, at from named where alert_id is not null
    )
    select account_id, alert_id, kind, subject from named`
  return {
    alertIds: rows.flatMap((row) => row.alert_id ?? []),
    accountIds: [...new Set(rows.map((row) => row.account_id))],
    topUps: rows.flatMap(({ kind, subject }) => (kind === "top_up.credited" ? [subject] : [])),
    notes: rows.length
  }
}
