/** What was done in an account, by those who act for it and by operators, as the account itself may read it. */
import type { AuditAction } from "../domain/audit-actions.ts"
import type { AccountId } from "../domain/ids.ts"
import type { Sql } from "./Database.ts"
import type { ActionDetail } from "./record-action.ts"
import { actorName } from "./people/TokenStore.ts"

export interface Activity {
  readonly id: string
  readonly at: Date
  /** `undefined`: an operator, whose name is no customer's business. */
  readonly actor: string | undefined
  readonly action: AuditAction
  /** The name of what it was done to. */
  readonly subject: string
  /** Of what operators did empty. */
  readonly detail: ActionDetail
}

export interface ActivityFilter {
  readonly accountId: AccountId
  readonly actions: ReadonlyArray<AuditAction>
  /** Who acted, also by a token. */
  readonly personId: string | undefined
  readonly before: string | undefined
  readonly limit: number
}

/**
 * Newest first. The log is found by what was done to: the account, and what is or was its own. Of a person, who may be a
 * member of several accounts, only what names this one counts.
 */
export const listActivity = async (sql: Sql, filter: ActivityFilter): Promise<ReadonlyArray<Activity>> => {
  const { accountId, actions, before, limit, personId } = filter
  const rows = await sql<Array<Omit<Activity, "actor"> & { readonly actor: string | null }>>`
    with people as (
      select ${accountId} as id union select accepted_by from invitations where account_id = ${accountId} and accepted_by is not null
    ), tokens as (
      select id, name, coalesce(made_by, account_id) as made_by from management_tokens where account_id = ${accountId}
    ), subjects as (
      select id, null as name from people
      union all select id, name from keys where account_id = ${accountId}
      union all select id, name from tokens
      union all select id, email from invitations where account_id = ${accountId}
      union all select id, url from webhook_endpoints where account_id = ${accountId}
    ), found as (
      select l.id, l.at, l.actor, l.action, l.subject, l.detail, s.name,
        coalesce((select made_by from tokens where tokens.id = l.actor), (select id from people where people.id = l.actor)) as person
      from subjects s join audit_log l on l.subject = s.id
      where l.action = any (${[...actions]}::text[]) and coalesce(l.detail->>'account_id', ${accountId}) = ${accountId}
        and (l.subject not in (select id from people) or l.subject = ${accountId} or l.detail ? 'account_id')
        ${before === undefined ? sql`` : sql`and l.id < ${before}`}
    )
    select f.id::text, f.at, case when f.person is not null then ${actorName(sql, sql`f.actor`)} end as actor, f.action,
      coalesce(f.name, (select email from accounts where id = f.subject), '') as subject,
      case when f.person is not null then f.detail - 'account_id' else '{}' end as detail
    from found f ${personId === undefined ? sql`` : sql`where f.person = ${personId}`}
    order by f.id desc limit ${limit}`
  return rows.map((row) => Object.assign(row, { actor: row.actor ?? undefined }))
}

/** Those who ever acted for the account, for whoever looks for what one of them did. */
export const listActors = (
  sql: Sql,
  accountId: AccountId
): Promise<ReadonlyArray<{ readonly id: string; readonly email: string }>> =>
  sql<Array<{ id: string; email: string }>>`
    select id, email from accounts where id = ${accountId} or id in (
      select accepted_by from invitations where account_id = ${accountId} and accepted_by is not null)
    order by id <> ${accountId}, email limit 200`
