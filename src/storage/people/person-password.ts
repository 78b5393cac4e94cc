/** Passwords of people and links that set new ones, as rows of better-auth's tables: it signs in by the first and takes the second. */
import type { AccountId } from "../../domain/ids.ts"
import { advisoryLocks } from "../advisory-locks.ts"
import type { Sql, Transaction } from "../Database.ts"
import { endLinks } from "./end-links.ts"
import { lockAccount } from "./MemberStore.ts"
import { recordAction } from "../record-action.ts"
import { takeOverAccount } from "./take-over-account.ts"

/** Lets the account have a person, who has no password yet; nothing where it has one. The address may have been taken from it since it was found. */
export const openPerson = async (transaction: Transaction, accountId: AccountId): Promise<void> => {
  await transaction`insert into people (id, name, email, email_verified)
    select id, split_part(email, '@', 1), lower(email), false from accounts where id = ${accountId}
    for no key update on conflict (id) do nothing`
}

export const writePassword = (sql: Sql, accountId: AccountId, hash: string, actor: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await lockAccount(transaction, accountId)
    await openPerson(transaction, accountId)
    await replacePassword(transaction, accountId, hash, actor)
  })

/** One change of a person's password or second factor after another, on whichever nodes. The lock is no row's: what changes it has a transaction of its own. */
export const changeInTurn = <A>(sql: Sql, personId: AccountId, change: () => Promise<A>) =>
  sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(${advisoryLocks.passwords}, hashtext(${personId}))`
    return { changed: await change() }
  })

/** Where they are signed in ends, and so do links that were made before. */
const replacePassword = async (
  transaction: Transaction,
  personId: AccountId,
  hash: string,
  actor: string
): Promise<void> => {
  await transaction`delete from credentials where person_id = ${personId} and provider = 'credential'`
  await transaction`insert into credentials (id, subject, provider, person_id, password, updated_at)
    values (${crypto.randomUUID()}, ${personId}, 'credential', ${personId}, ${hash}, now())`
  await transaction`delete from sessions where person_id = ${personId}`
  await endLinks(transaction, personId)
  await recordAction(transaction, { actor, action: "person.password", subject: personId })
}

/** Good once, until it expires; by the hash of what stands in it. Whoever waits for an operator's link has it. */
export const writeResetLink = async (
  transaction: Transaction,
  personId: AccountId,
  identifier: string,
  expiresAt: Date
): Promise<void> => {
  await transaction`insert into verifications (id, identifier, value, expires_at)
    values (${crypto.randomUUID()}, ${identifier}, ${personId}, ${expiresAt})`
  await transaction`delete from password_reset_requests where person_id = ${personId}`
}

/** Whose link this is, as long as it is good. */
export const findResetLink = async (sql: Sql, identifier: string): Promise<AccountId | undefined> => {
  const [row] = await sql<Array<{ personId: AccountId }>>`
    select value as "personId" from verifications
    where identifier = ${identifier} and expires_at > now()`
  return row?.personId
}

export interface ResetByLink {
  readonly identifier: string
  readonly personId: AccountId
  readonly hash: string
  /** The link was mailed: whoever has it has the address. */
  readonly showsAddress: boolean
}

/** The link, and all that ends with the former password, end as the new one begins, or not at all. False: it was used meanwhile. */
export const useResetLink = (
  sql: Sql,
  { hash, identifier, personId, showsAddress }: ResetByLink
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    // First, as where the account is closed.
    await lockAccount(transaction, personId)
    const used = await transaction`
      delete from verifications where identifier = ${identifier} and expires_at > now() returning id`
    if (used.length === 0) return false
    await replacePassword(transaction, personId, hash, personId)
    if (showsAddress) await takeOverAccount(transaction, personId)
    return true
  })
