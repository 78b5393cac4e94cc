/** What people change of themselves: their name, their address, and whether they stay. */
import type { AccountId, KeyId } from "../../domain/ids.ts"
import { isAccountClosed } from "../AccountStore.ts"
import { announceEvent, announceKeys } from "../announce-event.ts"
import type { Sql, Transaction } from "../Database.ts"
import { revokeKeys, revokeTokens } from "./end-access.ts"
import { endLinks, endLinksMadeBy } from "./end-links.ts"
import { isLastOwner } from "./keep-owner.ts"
import { leaveAllAccounts, lockAccount } from "./MemberStore.ts"
import { recordAction } from "../record-action.ts"

export const renamePerson = (sql: Sql, accountId: AccountId, name: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`update people set name = ${name}, updated_at = now() where id = ${accountId}`
    await recordAction(transaction, { actor: accountId, action: "person.rename", subject: accountId })
  })

export interface AddressChange {
  readonly accountId: AccountId
  readonly email: string
  /** Its owner has followed a link that was sent there. */
  readonly isVerified: boolean
  /** Who changes it, where that is not the person. */
  readonly actor?: string
}

/** The account's address changes with the person's. False when another account has it. */
export const changeAddress = async (sql: Sql, change: AddressChange): Promise<boolean> => {
  try {
    return await writeAddress(sql, change)
  } catch (error) {
    // Of two who take one at the same moment the second learns of the first when it is written.
    if ((error as { readonly code?: unknown }).code === uniqueViolation) return false
    throw error
  }
}

const uniqueViolation = "23505"

const writeAddress = (
  sql: Sql,
  { accountId, actor = accountId, email, isVerified }: AddressChange
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const taken = await transaction`
      select from accounts where lower(email) = lower(${email}) and id <> ${accountId}`
    if (taken.length > 0) return false
    const people = await transaction`
      update people set email = ${email.toLowerCase()}, email_verified = ${isVerified}, updated_at = now()
      where id = ${accountId} returning id`
    // Nobody signs in to it yet.
    if (people.length === 0)
      await transaction`update accounts set email = ${email.toLowerCase()} where id = ${accountId}`
    // Whoever reads the mail of the former address does not come in by what was sent there.
    await endLinks(transaction, accountId)
    await recordAction(transaction, {
      actor,
      action: "person.email",
      subject: accountId,
      detail: { email: email.toLowerCase(), verified: isVerified }
    })
    return true
  })

/**
 * Ends every key, token and session of the account, and disables it; its books stay. Answers the event that tells of it;
 * of the owners one always stays.
 */
export const closeAccount = (sql: Sql, accountId: AccountId): Promise<bigint | "last owner"> =>
  sql.begin(async (transaction) => {
    if (await isLastOwner(transaction, accountId)) return "last owner"
    // Whoever makes a key or a token just then has done so before, and it ends with the others, or finds the account closed.
    await lockAccount(transaction, accountId)
    // Asked for twice at once, by the session that the first of them has ended.
    if (await isAccountClosed(transaction, accountId)) return announceEvent(transaction, "account", accountId)
    const keys = await endAllAccess(transaction, accountId, accountId)
    await transaction`update accounts set status = 'disabled', closed_at = now() where id = ${accountId}`
    await transaction`delete from sessions where person_id = ${accountId}`
    // Else whoever had begun it could have the account once it is enabled again.
    await endLinks(transaction, accountId)
    await endLinksMadeBy(transaction, accountId)
    await recordAction(transaction, {
      actor: accountId,
      action: "account.close",
      subject: accountId,
      detail: { keys: keys.length }
    })
    await announceKeys(transaction, keys)
    return await announceEvent(transaction, "account", accountId)
  })

/**
 * Ends keys and tokens of the account, and what its person is for others. Answers the keys, which are to be announced last
 * of all: see `announceEvent`.
 */
export const endAllAccess = async (
  transaction: Transaction,
  accountId: AccountId,
  actor: string
): Promise<ReadonlyArray<KeyId>> => {
  const keys = await revokeKeys(transaction, transaction`account_id = ${accountId}`, actor)
  const tokens = transaction`(account_id = ${accountId} or made_by = ${accountId})`
  await revokeTokens(transaction, tokens, actor)
  await leaveAllAccounts(transaction, accountId)
  return keys
}
