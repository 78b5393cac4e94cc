/** Second factors of people, and which sessions were confirmed by one. better-auth keeps the secrets themselves. */
import type { AccountId } from "../domain/ids.ts"
import type { Sql } from "./Database.ts"
import { recordAction } from "./record-action.ts"

/** Whoever has this session has just shown a second factor. */
export const confirmSession = async (sql: Sql, sessionId: string): Promise<void> => {
  await sql`update sessions set confirmed_at = now() where id = ${sessionId}`
}

/** What was done of it is done by better-auth. */
export const recordTotp = (sql: Sql, accountId: AccountId, action: "on" | "codes"): Promise<void> =>
  sql.begin((transaction) =>
    recordAction(transaction, {
      actor: accountId,
      action: action === "on" ? "person.totp_on" : "person.recovery_codes",
      subject: accountId
    })
  )

/** The recovery codes go with it. */
export const removeTotp = (sql: Sql, accountId: AccountId): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`delete from two_factors where person_id = ${accountId}`
    await transaction`update people set two_factor_enabled = false where id = ${accountId}`
    await recordAction(transaction, { actor: accountId, action: "person.totp_off", subject: accountId })
  })

/** For whoever has lost all of them: the password alone counts again, and where they are signed in ends. */
export const resetSecondFactors = (sql: Sql, accountId: AccountId, actor: string): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`delete from two_factors where person_id = ${accountId}`
    await transaction`delete from passkeys where person_id = ${accountId}`
    await transaction`update people set two_factor_enabled = false where id = ${accountId}`
    await transaction`delete from sessions where person_id = ${accountId}`
    await recordAction(transaction, { actor, action: "person.reset_factors", subject: accountId })
  })
