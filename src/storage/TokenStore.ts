/** Management tokens at rest, of whose secrets only the hash is stored. */
import type { AccountId } from "../domain/ids.ts"
import { mayHaveScope, type Scope } from "../domain/management-scopes.ts"
import type { StaffRole } from "../domain/staff-roles.ts"
import type { Sql, Transaction } from "./Database.ts"
import { arrayText } from "./array-text.ts"
import { recordAction } from "./record-action.ts"

/** Those that are neither revoked nor expired. */
export const liveTokensMax = 20

const tokensListed = 100

export interface Token {
  readonly tokenId: string
  readonly accountId: AccountId
  readonly name: string
  readonly hint: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | undefined
  readonly revokedAt: Date | undefined
}

export interface NewToken extends Pick<
  Token,
  "tokenId" | "accountId" | "name" | "hint" | "scopes" | "expiresAt"
> {
  readonly secretHash: Buffer
  readonly actor: string
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
    if (account.status !== "active") return "account disabled"
    if (!token.scopes.every((scope) => mayHaveScope(account.staff_role ?? undefined, scope)))
      return "out of role"
    const [live] = await transaction<[{ count: number }]>`
      select count(*)::int as count from management_tokens
      where account_id = ${token.accountId} and revoked_at is null and expires_at > now()`
    if (live.count >= liveTokensMax) return "too many"
    await transaction`
      insert into management_tokens (id, account_id, name, secret_hash, hint, scopes, expires_at)
      values (${token.tokenId}, ${token.accountId}, ${token.name}, ${token.secretHash}, ${token.hint},
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

/** Newest first. */
export const listTokens = async (sql: Sql, accountId: AccountId): Promise<ReadonlyArray<Token>> => {
  const rows = await sql<Array<TokenRow>>`
    select ${columns(sql)} from management_tokens t where t.account_id = ${accountId} order by t.created_at desc, t.id limit ${tokensListed}`
  return rows.map(toToken)
}

/** What a token may do, and for whom, as of now. */
export interface TokenBearer extends Token {
  readonly isActive: boolean
  /** `undefined` for customers. */
  readonly role: StaffRole | undefined
}

/** Whoever has this secret, unless it is revoked or expired; that it was used is noted to the minute. */
export const findBearer = async (sql: Sql, secretHash: Buffer): Promise<TokenBearer | undefined> => {
  const [row] = await sql<
    Array<TokenRow & { status: string; staff_role: StaffRole | null; is_noted: boolean }>
  >`
    select ${columns(sql)},
      a.status, a.staff_role, coalesce(t.last_used_at > now() - interval '1 minute', false) as is_noted
    from management_tokens t join accounts a on a.id = t.account_id
    where t.secret_hash = ${secretHash} and t.revoked_at is null and t.expires_at > now()`
  if (row === undefined) return undefined
  if (!row.is_noted) await sql`update management_tokens set last_used_at = now() where id = ${row.id}`
  return { ...toToken(row), isActive: row.status === "active", role: row.staff_role ?? undefined }
}

/** False when the account has no such token. Repeating it changes nothing. */
export const revokeToken = (
  sql: Sql,
  tokenId: string,
  { actor, owner }: { readonly actor: string; readonly owner: AccountId | undefined }
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const ofOwner = owner === undefined ? transaction`` : transaction`and account_id = ${owner}`
    const known = await transaction`select from management_tokens where id = ${tokenId} ${ofOwner}`
    if (known.length === 0) return false
    const revoked = await transaction`
      update management_tokens set revoked_at = now() where id = ${tokenId} and revoked_at is null returning id`
    if (revoked.length > 0)
      await recordAction(transaction, { actor, action: "token.revoke", subject: tokenId })
    return true
  })

/** Who acted, for people to read: an account's email, and beside it the name of the token that acted for it. */
export const actorName = (sql: Sql | Transaction, actor: ReturnType<Sql>) => sql`
  coalesce((select email from accounts where id = ${actor}),
    (select owner.email || ' · ' || used.name from management_tokens used
      join accounts owner on owner.id = used.account_id where used.id = ${actor}), ${actor})`

interface TokenRow {
  readonly id: string
  readonly account_id: AccountId
  readonly name: string
  readonly hint: string
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

const columns = (sql: Sql) => sql`
  t.id, t.account_id, t.name, t.hint, t.scopes, t.created_at, t.expires_at, t.last_used_at, t.revoked_at`

const toToken = (row: TokenRow): Token => ({
  tokenId: row.id,
  accountId: row.account_id,
  name: row.name,
  hint: row.hint,
  scopes: row.scopes,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  lastUsedAt: row.last_used_at ?? undefined,
  revokedAt: row.revoked_at ?? undefined
})
