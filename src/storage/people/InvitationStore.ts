/** Invitations to act for an account, at rest. Of what stands in their links only the hash is kept. */
import type { AccountId } from "../../domain/ids.ts"
import { mayManage, type MemberRole } from "../../domain/member-roles.ts"
import type { Sql, Transaction } from "../Database.ts"
import { lockAccount, membersMax, roleOf } from "./MemberStore.ts"
import { recordAction } from "../record-action.ts"
import { type Asker, stillAsks } from "../still-asks.ts"
import { actorName } from "./TokenStore.ts"

export interface NewInvitation extends Asker {
  readonly id: string
  readonly accountId: AccountId
  /** In lower case. */
  readonly email: string
  readonly role: MemberRole
  readonly tokenHash: Uint8Array
  readonly expiresAt: Date
  readonly by: AccountId
}

/** Takes the place of one that is open for the same address. */
export const insertInvitation = (
  sql: Sql,
  invitation: NewInvitation
): Promise<"created" | "forbidden" | "member already" | "too many"> =>
  sql.begin(async (transaction) => {
    const { accountId, actor, by, email, expiresAt, id, role, tokenHash } = invitation
    await lockAccount(transaction, accountId)
    const own = await roleOf(transaction, by, accountId)
    if (own === undefined || !mayManage(own, role)) return "forbidden"
    if (!(await stillAsks(transaction, invitation))) return "forbidden"
    const known = await transaction`
      select from accounts where lower(email) = ${email} and role_of(id, ${accountId}) is not null`
    if (known.length > 0) return "member already"
    await transaction`update invitations set withdrawn_at = now()
      where account_id = ${accountId} and email = ${email} and accepted_at is null and withdrawn_at is null`
    const [row] = await transaction<[{ count: number }]>`
      select (select count(*) from members where account_id = ${accountId})::int
        + (select count(*) from invitations where account_id = ${accountId} and ${isOpen(transaction)})::int as count`
    if (row.count >= membersMax) return "too many"
    await transaction`
      insert into invitations (id, account_id, email, role, token_hash, invited_by, expires_at)
      values (${id}, ${accountId}, ${email}, ${role}, ${tokenHash}, ${actor}, ${expiresAt})`
    const detail = { account_id: accountId, email, role }
    await recordAction(transaction, { actor, action: "invitation.create", subject: id, detail })
    return "created"
  })

export interface Invitation {
  readonly id: string
  readonly email: string
  readonly role: MemberRole
  readonly createdAt: Date
  readonly expiresAt: Date
  /** For people to read. */
  readonly invitedBy: string
}

/** Those that can still be accepted, newest first. */
export const listInvitations = (sql: Sql, accountId: AccountId): Promise<ReadonlyArray<Invitation>> =>
  sql<Array<Invitation>>`
    select id, email, role, created_at as "createdAt", expires_at as "expiresAt", ${actorName(sql, sql`invited_by`)} as "invitedBy"
    from invitations where account_id = ${accountId} and ${isOpen(sql)} order by created_at desc, id`

/** `forbidden`: whoever asks may not manage the role that it is to. */
export const withdrawInvitation = (
  sql: Sql,
  { accountId, actor, by, id }: Pick<NewInvitation, "accountId" | "actor" | "by" | "id">
): Promise<"withdrawn" | "forbidden" | "no invitation"> =>
  sql.begin(async (transaction) => {
    await lockAccount(transaction, accountId)
    const [row] = await transaction<Array<{ email: string; role: MemberRole }>>`
      select email, role from invitations where id = ${id} and account_id = ${accountId} and ${isOpen(transaction)}`
    if (row === undefined) return "no invitation"
    const own = await roleOf(transaction, by, accountId)
    if (own === undefined || !mayManage(own, row.role)) return "forbidden"
    await transaction`update invitations set withdrawn_at = now() where id = ${id}`
    const detail = { account_id: accountId, email: row.email, role: row.role }
    await recordAction(transaction, { actor, action: "invitation.withdraw", subject: id, detail })
    return "withdrawn"
  })

/** An invitation as whoever has its link sees it. */
export interface OpenInvitation extends Invitation {
  readonly accountId: AccountId
  /** Of the account. */
  readonly accountEmail: string
}

/** `undefined` once it is over, or where there never was one. */
export const findInvitation = async (
  sql: Sql | Transaction,
  tokenHash: Uint8Array
): Promise<OpenInvitation | undefined> => {
  const [row] = await sql<Array<OpenInvitation>>`
    select i.id, i.email, i.role, i.created_at as "createdAt", i.expires_at as "expiresAt", i.account_id as "accountId",
      a.email as "accountEmail", ${actorName(sql, sql`i.invited_by`)} as "invitedBy"
    from invitations i join accounts a on a.id = i.account_id
    where i.token_hash = ${tokenHash} and a.status = 'active' and ${isOpen(sql)}`
  return row
}

/** The account whose invitation by this link the person has accepted, and for which they still act. */
export const findAccepted = async (
  sql: Sql,
  tokenHash: Uint8Array,
  personId: AccountId
): Promise<AccountId | undefined> => {
  const [row] = await sql<Array<{ accountId: AccountId }>>`
    select account_id as "accountId" from invitations
    where token_hash = ${tokenHash} and accepted_by = ${personId} and role_of(${personId}, account_id) is not null`
  return row?.accountId
}

/** Makes the person a member, once. */
export const acceptInvitation = (
  sql: Sql,
  { accountId, id, role }: Pick<OpenInvitation, "accountId" | "id" | "role">,
  personId: AccountId
): Promise<"accepted" | "over" | "member already"> =>
  sql.begin(async (transaction) => {
    // Theirs, too: whoever closes it at that moment has done so before, or ends this with it.
    await transaction`select from accounts where id in (${accountId}, ${personId}) order by id for no key update`
    const [open] = await transaction<Array<{ invited_by: string }>>`
      select invited_by from invitations where id = ${id} and ${isOpen(transaction)}`
    if (open === undefined) return "over"
    // Whoever invited may have lost the right to since, or have been shut out, or have closed the account, as whoever accepts.
    const inviter = await roleOf(transaction, open.invited_by, accountId)
    if (inviter === undefined || !mayManage(inviter, role)) return "over"
    const shutOut = await transaction`
      select from accounts where id in (${accountId}, ${open.invited_by}, ${personId}) and status <> 'active'`
    if (shutOut.length > 0) return "over"
    const inserted = await transaction`
      insert into members (account_id, person_id, role, invited_by)
      select ${accountId}, ${personId}, ${role}, ${open.invited_by} where role_of(${personId}, ${accountId}) is null
      returning person_id`
    if (inserted.length === 0) return "member already"
    await transaction`update invitations set accepted_at = now(), accepted_by = ${personId} where id = ${id}`
    const detail = { account_id: accountId, role }
    await recordAction(transaction, { actor: personId, action: "invitation.accept", subject: id, detail })
    return "accepted"
  })

const isOpen = (sql: Sql | Transaction) =>
  sql`accepted_at is null and withdrawn_at is null and expires_at > now()`
