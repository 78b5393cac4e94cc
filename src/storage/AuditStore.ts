/** The audit log as it is read: with names in place of ids. */
import type postgres from "postgres"
import { type AuditAction, purchaseActions } from "../domain/audit-actions.ts"
import { arrayText } from "./array-text.ts"
import type { Sql } from "./Database.ts"
import type { ActionDetail } from "./record-action.ts"
import { marginFloor } from "./SettingsStore.ts"
import { actorName } from "./people/TokenStore.ts"

type Fragment = postgres.PendingQuery<Array<postgres.Row>>

export interface AuditRow {
  readonly id: string
  readonly atMs: number
  /** For people to read: a mail address, and beside it the name of the token that acted. */
  readonly actor: string
  readonly action: string
  /** For people to read, as far as there is a name. */
  readonly subject: string
  readonly subjectId: string
  /** Whose the subject is, where it is an account or of one. */
  readonly accountId: string | undefined
  /** The mail address of the account that the detail names. */
  readonly named: string | undefined
  readonly detail: ActionDetail
}

export interface AuditFilter {
  /** An id or, of an account and its tokens, the mail address. */
  readonly actor?: string | undefined
  readonly action?: AuditAction | undefined
  /** An id or, of an account with all that is its own, the mail address. */
  readonly subject?: string | undefined
  readonly from?: Date | undefined
  /** Up to, but without, this moment. */
  readonly to?: Date | undefined
  /** Leaves out what tells what providers are paid, and what is to be earned. */
  readonly withoutMargins?: boolean | undefined
}

/** Newest first. */
export const listAudit = async (
  sql: Sql,
  filter: AuditFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number }
): Promise<ReadonlyArray<AuditRow>> => {
  const { action, from, to } = filter
  const margins = filter.withoutMargins === true ? ofMargins(sql) : sql`false`
  const actors = await idsOf(sql, filter.actor)
  const subjects = await idsOf(sql, filter.subject, "with all")
  const lines = (more: Fragment) => sql`
    select l.* from audit_log l where true ${more} ${before === undefined ? sql`` : sql`and l.id < ${before}`}
      ${action === undefined ? sql`` : sql`and l.action = ${action}`}
      ${from === undefined ? sql`` : sql`and l.at >= ${from}`} ${to === undefined ? sql`` : sql`and l.at < ${to}`}
      and not (${margins})
    order by l.id desc limit ${limit}`
  const byActor = actors === undefined ? sql`` : sql`and l.actor = any (${actors}::text[])`
  // Of each id by itself, so that the newest of each are found by its index, however much others have done since.
  const of = (column: Fragment, ids: string, more: Fragment) => sql`
    select found.* from unnest(${ids}::text[]) as wanted
      cross join lateral (${lines(sql`and ${column} = wanted ${more}`)}) found
    order by found.id desc limit ${limit}`
  const found =
    subjects !== undefined
      ? of(sql`l.subject`, subjects, byActor)
      : actors !== undefined
        ? of(sql`l.actor`, actors, sql``)
        : lines(sql``)
  const rows = await sql<Array<RawRow>>`
    select l.id::text, l.at, ${actorName(sql, sql`l.actor`)} as actor, l.action, l.subject as subject_id, l.detail,
      coalesce(subject.email, coalesce(k.name || ' ' || k.hint, t.name || ' ' || t.hint, w.url, i.email, v.company) || ' · ' || owner.email,
        case when l.action like 'price.%' then ${modelsOf(sql)} end, l.subject) as subject,
      coalesce(subject.id, owner.id) as account_id, named.email as named
    from (${found}) l left join accounts subject on subject.id = l.subject left join keys k on k.id = l.subject
      left join management_tokens t on t.id = l.subject left join webhook_endpoints w on w.id = l.subject
      left join invitations i on i.id = l.subject
      left join invoices v on v.id = case when l.action = 'invoice.retry' then l.subject::uuid end
      left join accounts owner on owner.id = coalesce(k.account_id, t.account_id, w.account_id, i.account_id, v.account_id)
      left join accounts named on named.id = l.detail->>'account_id'
    order by l.id desc`
  return rows.map(toRow)
}

/** Of what was changed together one model's name, and how many more there are. */
const modelsOf = (sql: Sql) => sql`
  (select min(model) || case when count(*) > 1 then ' + ' || count(*) - 1 else '' end from price_changes where batch = l.subject::uuid)`

const ofMargins = (sql: Sql) =>
  sql`l.action = any (${[...purchaseActions]}::text[]) or (l.action = 'setting.write' and l.subject = ${marginFloor})`

/** What the log may have in place of a mail address: an account, its tokens and, where it is asked for, all that is its own. */
const idsOf = async (sql: Sql, text: string | undefined, all?: "with all"): Promise<string | undefined> => {
  if (text === undefined) return undefined
  const rows = await sql<Array<{ id: string }>>`
    with mine as (select id from accounts where lower(email) = lower(${text}))
    select id from mine union all select id from management_tokens where account_id in (select id from mine)
    ${
      all === undefined
        ? sql``
        : sql`union all select id from keys where account_id in (select id from mine)
          union all select id from webhook_endpoints where account_id in (select id from mine)
          union all select id from invitations where account_id in (select id from mine)
          union all select id::text from invoices where account_id in (select id from mine)`
    }`
  return arrayText([...new Set([text, ...rows.map(({ id }) => id)])], (id) => id)
}

interface RawRow {
  readonly id: string
  readonly at: Date
  readonly actor: string
  readonly action: string
  readonly subject: string
  readonly subject_id: string
  readonly account_id: string | null
  readonly named: string | null
  readonly detail: ActionDetail
}

const toRow = ({ account_id: accountId, at, named, subject_id: subjectId, ...row }: RawRow): AuditRow =>
  Object.assign(row, {
    atMs: at.getTime(),
    subjectId,
    accountId: accountId ?? undefined,
    named: named ?? undefined
  })
