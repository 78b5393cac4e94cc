/** The audit log as it is read: with names in place of ids. */
import type { AuditAction } from "../domain/audit-actions.ts"
import type { Sql } from "./Database.ts"
import type { ActionDetail } from "./record-action.ts"
import { actorName } from "./TokenStore.ts"

export interface AuditRow {
  readonly id: string
  readonly atMs: number
  /** For people to read: a mail address, and beside it the name of the token that acted. */
  readonly actor: string
  readonly action: string
  /** For people to read, as far as there is a name. */
  readonly subject: string
  readonly subjectId: string
  /** Whose the subject is, where it is an account or a key. */
  readonly accountId: string | undefined
  /** The mail address of the account that the detail names. */
  readonly named: string | undefined
  readonly detail: ActionDetail
}

export interface AuditFilter {
  /** An id or, of an account and its tokens, the mail address. */
  readonly actor?: string | undefined
  readonly action?: AuditAction | undefined
  /** An id or, of an account with its keys and tokens, the mail address. */
  readonly subject?: string | undefined
  readonly from?: Date | undefined
  /** Up to, but without, this moment. */
  readonly to?: Date | undefined
}

/** Newest first. */
export const listAudit = async (
  sql: Sql,
  { action, actor, from, subject, to }: AuditFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number }
): Promise<ReadonlyArray<AuditRow>> => {
  const rows = await sql<Array<RawRow>>`
    select l.id::text, l.at, ${actorName(sql, sql`l.actor`)} as actor, l.action, l.subject as subject_id, l.detail,
      coalesce(subject.email, k.name || ' ' || k.hint || ' · ' || owner.email, t.name || ' ' || t.hint, l.subject) as subject,
      coalesce(subject.id, k.account_id) as account_id, named.email as named
    from audit_log l left join accounts subject on subject.id = l.subject left join keys k on k.id = l.subject
      left join accounts owner on owner.id = k.account_id left join management_tokens t on t.id = l.subject
      left join accounts named on named.id = l.detail->>'account_id'
    where true ${before === undefined ? sql`` : sql`and l.id < ${before}`}
      ${actor === undefined ? sql`` : sql`and l.actor = any (array(${actorsOf(sql, actor)}))`}
      ${action === undefined ? sql`` : sql`and l.action = ${action}`}
      ${subject === undefined ? sql`` : sql`and l.subject = any (array(${subjectsOf(sql, subject)}))`}
      ${from === undefined ? sql`` : sql`and l.at >= ${from}`} ${to === undefined ? sql`` : sql`and l.at < ${to}`}
    order by l.id desc limit ${limit}`
  return rows.map(toRow)
}

const actorsOf = (sql: Sql, text: string) => sql`
  select ${text}::text union all select id from accounts where lower(email) = lower(${text})
  union all select t.id from management_tokens t join accounts a on a.id = t.account_id where lower(a.email) = lower(${text})`

const subjectsOf = (sql: Sql, text: string) => sql`
  ${actorsOf(sql, text)}
  union all select k.id from keys k join accounts a on a.id = k.account_id where lower(a.email) = lower(${text})`

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
