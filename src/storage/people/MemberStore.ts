/** Who may act for an account, and as what. */
import type postgres from "postgres"
import type { AccountId } from "../../domain/ids.ts"
import { mayManage, type MemberRole } from "../../domain/member-roles.ts"
import { announceKeys } from "../announce-event.ts"
import type { Sql, Transaction } from "../Database.ts"
import { revokeKeys, revokeTokens } from "./end-access.ts"
import { recordAction } from "../record-action.ts"

/** Beside the owner whose account it is; invitations that are open count. */
export const membersMax = 50

/** Told of whenever somebody's role in an account changes or ends: the account's id, a space, the person's. */
export const membersChannel = "tollgate_members"

/** An account that a person may act for. */
export interface Standing {
  readonly accountId: AccountId
  readonly role: MemberRole
  /** Of the account. */
  readonly isActive: boolean
  /** Of the person whose account it is. */
  readonly name: string
  readonly email: string
}

/** What a person may do for this account as of now; `undefined`: nothing. */
export const findStanding = async (
  sql: Sql,
  personId: AccountId,
  accountId: string
): Promise<Standing | undefined> => {
  const [row] = await sql<Array<Standing>>`
    ${selectStandings(sql, personId)} where a.id = ${accountId} and role_of(${personId}, a.id) is not null`
  return row
}

/** All accounts a person may act for, their own first. */
export const listStandings = (sql: Sql, personId: AccountId): Promise<ReadonlyArray<Standing>> =>
  sql<Array<Standing>>`
    ${selectStandings(sql, personId)}
    where a.id = ${personId} or a.id in (select account_id from members where person_id = ${personId})
    order by a.id <> ${personId}, a.email limit ${standingsMax}`

const standingsMax = 200

const selectStandings = (sql: Sql, personId: AccountId) => sql`
  select a.id as "accountId", role_of(${personId}, a.id) as role, a.status = 'active' as "isActive",
    coalesce(p.name, a.email) as name, a.email
  from accounts a left join people p on p.id = a.id`

export interface Member {
  readonly personId: AccountId
  readonly role: MemberRole
  readonly name: string
  readonly email: string
  /** The person whose account it is. */
  readonly isFounder: boolean
  readonly since: Date
  readonly activeKeys: number
}

/** Whose account it is, then the others in the order in which they came. */
export const listMembers = (sql: Sql, accountId: AccountId): Promise<ReadonlyArray<Member>> =>
  sql<Array<Member>>`
    select m.person_id as "personId", m.role, coalesce(p.name, a.email) as name, a.email,
      m.person_id = ${accountId} as "isFounder", m.since,
      (select count(*)::int from keys k
        where k.account_id = ${accountId} and k.made_by = m.person_id and k.status = 'active') as "activeKeys"
    from (
      select id as person_id, 'owner' as role, created_at as since from accounts where id = ${accountId}
      union all
      select person_id, role, since from members where account_id = ${accountId}
    ) m join accounts a on a.id = m.person_id left join people p on p.id = m.person_id
    order by m.person_id <> ${accountId}, m.since, m.person_id`

/** Whoever changes who belongs to an account has it for themselves until they are done. */
export const lockAccount = async (transaction: Transaction, accountId: AccountId): Promise<void> => {
  await transaction`select from accounts where id = ${accountId} for update`
}

export const roleOf = async (
  transaction: Transaction,
  personId: string,
  accountId: AccountId
): Promise<MemberRole | undefined> => {
  const [row] = await transaction<
    [{ role: MemberRole | null }]
  >`select role_of(${personId}, ${accountId}) as role`
  return row.role ?? undefined
}

export interface MemberChange {
  readonly accountId: AccountId
  /** Who is concerned. */
  readonly personId: string
  /** Who has it done, and what the audit log names them. */
  readonly by: AccountId
  readonly actor: string
}

export type MemberRefusal = "no member" | "forbidden" | "founder"

/** Has the account locked, then whether this may be done to the member, by what both are at that moment. */
const lockAndJudge = async (
  transaction: Transaction,
  { accountId, by, personId }: MemberChange,
  next: ReadonlyArray<MemberRole>
): Promise<{ readonly refusal: MemberRefusal } | { readonly former: MemberRole }> => {
  await lockAccount(transaction, accountId)
  const former = await roleOf(transaction, personId, accountId)
  if (former === undefined) return { refusal: "no member" }
  const own = await roleOf(transaction, by, accountId)
  // Anybody may leave.
  const isOwn = by === personId && next.length === 0
  if (own === undefined || (!isOwn && !mayManage(own, former, ...next))) return { refusal: "forbidden" }
  return personId === accountId ? { refusal: "founder" } : { former }
}

export const changeRole = (
  sql: Sql,
  change: MemberChange,
  role: MemberRole
): Promise<MemberRefusal | "changed"> =>
  sql.begin(async (transaction) => {
    const judged = await lockAndJudge(transaction, change, [role])
    if ("refusal" in judged) return judged.refusal
    if (judged.former === role) return "changed"
    const { accountId, actor, personId } = change
    const changed = await transaction`
      update members set role = ${role} where account_id = ${accountId} and person_id = ${personId} returning person_id`
    // They have closed their own account since, which ends it without this one's lock.
    if (changed.length === 0) return "no member"
    const detail = { account_id: accountId, role, former_role: judged.former }
    await recordAction(transaction, { actor, action: "member.role", subject: personId, detail })
    await tellOf(transaction, change)
    return "changed"
  })

export interface Removed {
  /** Of the last key that was revoked; `undefined`: none was. */
  readonly eventId: bigint | undefined
}

/** Their tokens for the account and invitations that they sent end with it, and their keys where that is asked for. */
export const removeMember = (
  sql: Sql,
  change: MemberChange,
  revokesKeys: boolean
): Promise<MemberRefusal | Removed> =>
  sql.begin(async (transaction) => {
    const judged = await lockAndJudge(transaction, change, [])
    if ("refusal" in judged) return judged.refusal
    const { accountId, actor, by, personId } = change
    const theirs = transaction`account_id = ${accountId} and made_by = ${personId}`
    // Before the row of the member, as whoever closes their own account does at that moment: neither waits for the other.
    await revokeTokens(transaction, theirs, actor)
    const removed = await transaction`
      delete from members where account_id = ${accountId} and person_id = ${personId} returning person_id`
    if (removed.length === 0) return "no member"
    await endStanding(transaction, change, judged.former, by === personId ? "member.leave" : "member.remove")
    const ended = revokesKeys ? await revokeKeys(transaction, theirs, actor) : []
    return { eventId: await announceKeys(transaction, ended) }
  })

/** What somebody who closes their own account is for others ends as if they left each of them. */
export const leaveAllAccounts = async (transaction: Transaction, personId: AccountId): Promise<void> => {
  const left = await transaction<Array<{ accountId: AccountId; role: MemberRole }>>`
    delete from members where person_id = ${personId} returning account_id as "accountId", role`
  for (const { accountId, role } of left)
    await endStanding(transaction, { accountId, personId, actor: personId }, role, "member.leave")
}

/** All that goes with the row of a member. */
const endStanding = async (
  transaction: Transaction,
  change: Omit<MemberChange, "by">,
  formerRole: MemberRole,
  action: "member.leave" | "member.remove"
): Promise<void> => {
  const { accountId, actor, personId } = change
  const detail = { account_id: accountId, former_role: formerRole }
  await recordAction(transaction, { actor, action, subject: personId, detail })
  // Else they would be good again once whoever sent them is invited again.
  await withdrawInvitations(transaction, accountId, transaction`invited_by = ${personId}`, actor)
  await tellOf(transaction, change)
}

/** All who may act for the account beside the person whose it is, and all who are invited. */
export const removeAllMembers = async (
  transaction: Transaction,
  accountId: AccountId,
  actor: string
): Promise<void> => {
  const removed = await transaction<Array<{ personId: AccountId; role: MemberRole }>>`
    delete from members where account_id = ${accountId} returning person_id as "personId", role`
  for (const { personId, role } of removed) {
    const detail = { account_id: accountId, former_role: role }
    await recordAction(transaction, { actor, action: "member.remove", subject: personId, detail })
    await tellOf(transaction, { accountId, personId })
  }
  await withdrawInvitations(transaction, accountId, transaction`true`, actor)
}

/** Those of the account that are open. `which` is a condition of their table. */
const withdrawInvitations = async (
  transaction: Transaction,
  accountId: AccountId,
  which: postgres.Fragment,
  actor: string
): Promise<void> => {
  const withdrawn = await transaction<Array<{ id: string; email: string; role: MemberRole }>>`
    update invitations set withdrawn_at = now()
    where account_id = ${accountId} and accepted_at is null and withdrawn_at is null and ${which}
    returning id, email, role`
  for (const { email, id, role } of withdrawn) {
    const detail = { account_id: accountId, email, role }
    await recordAction(transaction, { actor, action: "invitation.withdraw", subject: id, detail })
  }
}

const tellOf = async (
  transaction: Transaction,
  { accountId, personId }: Pick<MemberChange, "accountId" | "personId">
) => {
  await transaction`select pg_notify(${membersChannel}, ${`${accountId} ${personId}`})`
}
