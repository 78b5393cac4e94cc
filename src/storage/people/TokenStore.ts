/** Management tokens at rest, of whose secrets only the hash is stored. */
import type { AccountId } from "../../domain/ids.ts"
import { mayHaveScope, type Scope } from "../../domain/management-scopes.ts"
import type { MemberRole } from "../../domain/member-roles.ts"
import type { StaffRole } from "../../domain/staff-roles.ts"
import type { Sql, Transaction } from "../Database.ts"
import { arrayText } from "../array-text.ts"
import { revokeTokens } from "./end-access.ts"
import { recordAction } from "../record-action.ts"
import { type Asker, stillAsks } from "../still-asks.ts"

/** Those that are neither revoked nor expired. */
export const liveTokensMax = 20

const tokensListed = 100

export interface Token {
  readonly tokenId: string
  readonly accountId: AccountId
  /** The person who made it; `undefined`: the command line, or nobody noted it. */
  readonly madeBy: AccountId | undefined
  readonly name: string
  readonly hint: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | undefined
  readonly revokedAt: Date | undefined
}

export interface NewToken
  extends Asker, Pick<Token, "tokenId" | "accountId" | "madeBy" | "name" | "hint" | "scopes" | "expiresAt"> {
  readonly secretHash: Buffer
}

/** The lock on the account makes parallel creations queue up, so that there are never more than allowed. */
export const insertToken = (
  sql: Sql,
  token: NewToken
): Promise<"created" | "no account" | "account disabled" | "out of role" | "too many"> =>
  sql.begin(async (transaction) => {
    const [account] = await transaction<Array<{ status: string; staff_role: StaffRole | null }>>`
      select status, staff_role from accounts where id = ${token.accountId} for update`
    if (account === undefined) return "no account"
    // A person may have been shut out since they asked.
    const makers =
      await transaction`select where role_of(${token.madeBy ?? token.accountId}, ${token.accountId}) is not null`
    if (makers.length === 0 || !(await stillAsks(transaction, token))) return "no account"
    if (account.status !== "active") return "account disabled"
    // An operator's account may have members, who are none.
    const isOwn = (token.madeBy ?? token.accountId) === token.accountId
    const staffRole = isOwn ? (account.staff_role ?? undefined) : undefined
    if (!token.scopes.every((scope) => mayHaveScope(staffRole, scope))) return "out of role"
    const [live] = await transaction<[{ count: number }]>`
      select count(*)::int as count from management_tokens
      where account_id = ${token.accountId} and revoked_at is null and expires_at > now()`
    if (live.count >= liveTokensMax) return "too many"
    await transaction`
      insert into management_tokens (id, account_id, made_by, name, secret_hash, hint, scopes, expires_at)
      values (${token.tokenId}, ${token.accountId}, ${token.madeBy ?? null}, ${token.name}, ${token.secretHash}, ${token.hint},
        ${arrayText(token.scopes, (scope) => scope)}::text[], ${token.expiresAt})`
    await recordAction(transaction, {
      actor: token.actor,
      action: "token.create",
      subject: token.tokenId,
      detail: {
        account_id: token.accountId,
        name: token.name,
        scopes: token.scopes.join(" "),
        expires_at: token.expiresAt.toISOString()
      }
    })
    return "created"
  })

/** Newest first; of one person alone, where one is given. */
export const listTokens = async (
  sql: Sql,
  accountId: AccountId,
  madeBy?: AccountId
): Promise<ReadonlyArray<Token>> => {
  const rows = await sql<Array<TokenRow>>`
    select ${columns(sql)} from management_tokens t where t.account_id = ${accountId}
      ${madeBy === undefined ? sql`` : sql`and t.made_by = ${madeBy}`} order by t.created_at desc, t.id limit ${tokensListed}`
  return rows.map(toToken)
}

/** What a token may do, and for whom, as of now. */
export interface TokenBearer extends Token {
  readonly isActive: boolean
  /** `undefined` for customers. */
  readonly role: StaffRole | undefined
  /** That its maker has in the account now; `undefined`: none any more. */
  readonly memberRole: MemberRole | undefined
  /** Of the person who made it; `undefined` where none is noted. */
  readonly makerHasFactor: boolean | undefined
}

/** Whoever has this secret, unless it is revoked or expired; that it was used is noted to the minute. */
export const findBearer = async (sql: Sql, secretHash: Buffer): Promise<TokenBearer | undefined> => {
  const [row] = await sql<Array<TokenRow & BearerRow>>`
    select ${columns(sql)},
      -- Who has been shut out is so with their tokens for other accounts too.
      case when maker.status = 'active' then a.status else maker.status end as status,
      case when maker.id = a.id then a.staff_role end as staff_role, role_of(maker.id, a.id) as member_role,
      (select p.two_factor_enabled or exists (select from passkeys k where k.person_id = p.id)
        from people p where p.id = t.made_by) as has_factor,
      coalesce(t.last_used_at > now() - interval '1 minute', false) as is_noted
    from management_tokens t join accounts a on a.id = t.account_id
    join accounts maker on maker.id = coalesce(t.made_by, t.account_id)
    where t.secret_hash = ${secretHash} and t.revoked_at is null and t.expires_at > now()`
  if (row === undefined) return undefined
  if (!row.is_noted) await sql`update management_tokens set last_used_at = now() where id = ${row.id}`
  return {
    ...toToken(row),
    isActive: row.status === "active",
    role: row.staff_role ?? undefined,
    memberRole: row.member_role ?? undefined,
    makerHasFactor: row.has_factor ?? undefined
  }
}

interface BearerRow {
  readonly status: string
  readonly staff_role: StaffRole | null
  readonly member_role: MemberRole | null
  readonly has_factor: boolean | null
  readonly is_noted: boolean
}

export interface Revocation {
  readonly actor: string
  /** The account alone whose it may be, and the person who may have made it. */
  readonly owner?: AccountId | undefined
  readonly madeBy?: AccountId | undefined
}

/** False when the account has no such token. Repeating it changes nothing. */
export const revokeToken = (
  sql: Sql,
  tokenId: string,
  { actor, madeBy, owner }: Revocation
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const ofOwner = owner === undefined ? transaction`` : transaction`and account_id = ${owner}`
    const ofMaker = madeBy === undefined ? transaction`` : transaction`and made_by = ${madeBy}`
    const known = await transaction`select from management_tokens where id = ${tokenId} ${ofOwner} ${ofMaker}`
    if (known.length === 0) return false
    await revokeTokens(transaction, transaction`id = ${tokenId}`, actor)
    return true
  })

/** Who acted, for people to read: a person's email, and beside it the name of the token that acted for them. */
export const actorName = (sql: Sql | Transaction, actor: ReturnType<Sql>) => sql`
  coalesce((select email from accounts where id = ${actor}),
    (select owner.email || ' · ' || used.name from management_tokens used
      join accounts owner on owner.id = coalesce(used.made_by, used.account_id) where used.id = ${actor}), ${actor})`

interface TokenRow {
  readonly id: string
  readonly account_id: AccountId
  readonly made_by: AccountId | null
  readonly name: string
  readonly hint: string
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

const columns = (sql: Sql) => sql`
  t.id, t.account_id, t.made_by, t.name, t.hint, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.revoked_at`

const toToken = (row: TokenRow): Token => ({
  tokenId: row.id,
  accountId: row.account_id,
  madeBy: row.made_by ?? undefined,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined
})
