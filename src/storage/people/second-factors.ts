/** Second factors of people, and which sessions were confirmed by one. better-auth keeps the secrets themselves. */
import type { AccountId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"

/** Whoever has this session has just shown a second factor. */
export const confirmSession = async (sql: Sql | Transaction, sessionId: string): Promise<void> => {
  await sql`update sessions set confirmed_at = now() where id = ${sessionId}`
}

/**
 * Whoever has this session has begun it by this passkey. False where that was removed meanwhile, as with all second factors
 * of a person who has lost them: the session ends, too.
 */
export const confirmByPasskey = (sql: Sql, sessionId: string, credentialId: string): Promise<boolean> =>
  sql.begin(async (transaction) => {
    // Whoever removes it just then is waited for, or ends the session after this.
    const [passkey] = await transaction`
      select from passkeys where credential_id = ${credentialId} for key share`
    if (passkey === undefined) await transaction`delete from sessions where id = ${sessionId}`
    else await confirmSession(transaction, sessionId)
    return passkey !== undefined
  })

/** False where a code of this step or a later one was shown before; of two at once one is the first. */
export const useTotpStep = async (sql: Sql, personId: string, step: number): Promise<boolean> => {
  const used = await sql`
    update two_factors set last_step = ${step} where person_id = ${personId} and last_step < ${step} returning id`
  return used.length > 0
}

export interface NewTotp {
  readonly personId: AccountId
  /** Where the code was shown: it is confirmed by it. */
  readonly sessionId: string
  /** As it is stored: another one may have been made meanwhile. */
  readonly secret: string
  readonly step: number
}

/**
 * From now on codes of this secret are asked for. False where they are already, or there is another one. All of it at once:
 * asked for before it counts as verified, no code would let the person in.
 */
export const startTotp = (sql: Sql, { personId, secret, sessionId, step }: NewTotp): Promise<boolean> =>
  sql.begin(async (transaction) => {
    await transaction`select from people where id = ${personId} for no key update`
    const started = await transaction`
      update two_factors set verified = true, last_step = ${step}
      where person_id = ${personId} and secret = ${secret} and not verified returning id`
    if (started.length === 0) return false
    await transaction`update people set two_factor_enabled = true where id = ${personId}`
    await confirmSession(transaction, sessionId)
    await recordAction(transaction, { actor: personId, action: "person.totp_on", subject: personId })
    return true
  })

/** They are made by better-auth. */
export const recordRecoveryCodes = (sql: Sql, accountId: AccountId): Promise<void> =>
  sql.begin((transaction) =>
    recordAction(transaction, { actor: accountId, action: "person.recovery_codes", subject: accountId })
  )

/** The recovery codes go with it. The person's row comes first, as where codes begin to be asked for. */
export const removeTotp = (sql: Sql, accountId: AccountId): Promise<void> =>
  sql.begin(async (transaction) => {
    await transaction`update people set two_factor_enabled = false where id = ${accountId}`
    await transaction`delete from two_factors where person_id = ${accountId}`
    await recordAction(transaction, { actor: accountId, action: "person.totp_off", subject: accountId })
  })

export interface PasskeyRow {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
}

export const listPasskeys = async (sql: Sql, personId: AccountId): Promise<ReadonlyArray<PasskeyRow>> => {
  const rows = await sql<Array<{ id: string; name: string | null; created_at: Date }>>`
    select id, name, created_at from passkeys where person_id = ${personId} order by created_at limit 50`
  return rows.map((row) => ({ id: row.id, name: row.name ?? "", createdAtMs: row.created_at.getTime() }))
}

/** The last way in stays, as where an account elsewhere is removed: a password, such an account or another passkey must be left. */
export const removePasskey = (
  sql: Sql,
  personId: AccountId,
  id: string
): Promise<"removed" | "unknown" | "last"> =>
  sql.begin(async (transaction) => {
    // Of two that go at once the second is asked once the first is gone.
    await transaction`select from people where id = ${personId} for no key update`
    const [left] = await transaction<[{ others: boolean }]>`select
      exists (select from credentials where person_id = ${personId})
        or exists (select from passkeys where person_id = ${personId} and id <> ${id}) as others`
    const [removed] = await transaction<Array<{ name: string | null }>>`
      delete from passkeys where id = ${id} and person_id = ${personId} and ${left.others} returning name`
    if (removed === undefined) return left.others ? "unknown" : "last"
    await recordAction(transaction, {
      actor: personId,
      action: "person.passkey_remove",
      subject: personId,
      detail: { name: removed.name }
    })
    return "removed"
  })

/** For whoever has lost all of them: the password alone counts again, and where they are signed in ends. */
export const resetSecondFactors = (sql: Sql, accountId: AccountId, actor: string): Promise<void> =>
  sql.begin((transaction) => removeSecondFactors(transaction, accountId, actor))

export const removeSecondFactors = async (
  transaction: Transaction,
  accountId: AccountId,
  actor: string
): Promise<void> => {
  await transaction`update people set two_factor_enabled = false where id = ${accountId}`
  await transaction`delete from two_factors where person_id = ${accountId}`
  await transaction`delete from passkeys where person_id = ${accountId}`
  await transaction`delete from sessions where person_id = ${accountId}`
  await recordAction(transaction, { actor, action: "person.reset_factors", subject: accountId })
}
