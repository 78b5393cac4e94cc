/** Links that were sent to people or made for them, and that nobody has followed yet: by whom and when, never the links themselves. */
import type { AccountId } from "../../domain/ids.ts"
import type { Sql } from "../Database.ts"

export interface OpenLink {
  readonly kind: "password" | "address"
  /** Where it was mailed; of one for a new password empty, as it may have been handed over. */
  readonly email: string
  readonly at: Date
  readonly until: Date
  /** What became of its mail: `sent`, or a number or code of SMTP; `null` where there was none, or it is under way. */
  readonly mailOutcome: string | null
}

/** Newest first. */
export const listOpenLinks = (sql: Sql, personId: AccountId): Promise<ReadonlyArray<OpenLink>> =>
  sql<Array<OpenLink>>`
    select kind, case when kind = 'address' then value::jsonb->>'email' else '' end as email, created_at as at, expires_at as until,
      mail_outcome as "mailOutcome"
    from (
      select *, case when starts_with(identifier, 'reset-password:') then 'password'
        when starts_with(identifier, 'address:') then 'address' end as kind from verifications
    ) links
    where expires_at > now() and case kind when 'password' then value when 'address' then value::jsonb->>'accountId' end = ${personId}
    order by created_at desc limit 20`

export const noteMail = async (sql: Sql, identifier: string, outcome: string): Promise<void> => {
  await sql`update verifications set mail_outcome = ${outcome} where identifier = ${identifier}`
}

/** Nobody has followed it yet, and nothing has ended it. */
export const isLinkOpen = async (sql: Sql, identifier: string): Promise<boolean> => {
  const rows = await sql`select from verifications where identifier = ${identifier} and expires_at > now()`
  return rows.length > 0
}
