/** A request that was let in may have waited for the account's lock while whoever asked was signed out or their token revoked. */
import type { AccountId } from "../domain/ids.ts"
import type { Transaction } from "./Database.ts"

export interface Asker {
  /** As the audit log names who acts: a token by its id. */
  readonly actor: string
  /** That it was asked for from, where it was from one. */
  readonly sessionId?: string | undefined
}

/** What a person sets on the account: false where they were shut out since they asked. Holds the account until the transaction ends. */
export const mayStillSet = async (
  transaction: Transaction,
  accountId: AccountId,
  asker: Asker
): Promise<boolean> => {
  await transaction`select from accounts where id = ${accountId} for no key update`
  return stillAsks(transaction, asker)
}

/** Asked under the lock, so that what ends an account's sessions under it ends those requests, too. */
export const stillAsks = async (
  transaction: Transaction,
  { actor, sessionId = "" }: Asker
): Promise<boolean> => {
  const [{ still }] = await transaction<[{ still: boolean }]>`
    select (${sessionId} = '' or exists (select from sessions where id = ${sessionId}))
      and not exists (select from management_tokens where id = ${actor} and revoked_at is not null) as still`
  return still
}
