/** Passwords of people and links that set new ones, as rows of better-auth's tables: it signs in by the first and takes the second. */
import type { AccountId } from "../domain/ids.ts"
import type { Sql, Transaction } from "./Database.ts"
import { endLinks } from "./end-links.ts"

export interface PersonOfAccount {
  readonly accountId: AccountId
  readonly email: string
}

/** Lets the account have a person, who has no password yet; nothing where it has one. */
export const openPerson = async (
  sql: Sql | Transaction,
  { accountId, email }: PersonOfAccount
): Promise<void> => {
  await sql`insert into people (id, name, email, email_verified)
    values (${accountId}, ${email.split("@")[0]!}, ${email.toLowerCase()}, false) on conflict (id) do nothing`
}

/** Where they are signed in ends, and so do links that were made before. */
export const writePassword = (sql: Sql, person: PersonOfAccount, hash: string): Promise<void> =>
  sql.begin(async (transaction) => {
    const { accountId } = person
    await openPerson(transaction, person)
    await transaction`delete from credentials where person_id = ${accountId} and provider = 'credential'`
    await transaction`insert into credentials (id, subject, provider, person_id, password, updated_at)
      values (${crypto.randomUUID()}, ${accountId}, 'credential', ${accountId}, ${hash}, now())`
    await transaction`delete from sessions where person_id = ${accountId}`
    await endLinks(transaction, accountId)
  })

/** Good once, until it expires. Whoever waits for an operator's link has it. */
export const writeResetLink = async (
  transaction: Transaction,
  personId: AccountId,
  token: string,
  expiresAt: Date
): Promise<void> => {
  await transaction`insert into verifications (id, identifier, value, expires_at)
    values (${crypto.randomUUID()}, ${`reset-password:${token}`}, ${personId}, ${expiresAt})`
  await transaction`delete from password_reset_requests where person_id = ${personId}`
}
