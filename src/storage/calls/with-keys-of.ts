/** A condition on tables that name keys: those of one person alone, where one is given. */
import type { AccountId, KeyId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"

export interface KeysOf {
  readonly accountId: AccountId
  /** Whose keys; `undefined`: all of the account. */
  readonly madeBy?: AccountId | undefined
}

export const withKeysOf = (sql: Sql | Transaction, { accountId, madeBy }: KeysOf) =>
  madeBy === undefined
    ? sql``
    : sql`and key_id in (select id from keys where account_id = ${accountId} and made_by = ${madeBy})`

/** Whose keys one sees with this key, as its maker does; `undefined`: all of the account. */
export const findMakerSeen = async (sql: Sql, keyId: KeyId): Promise<AccountId | undefined> => {
  const [row] = await sql<Array<{ made_by: AccountId }>>`
    select made_by from keys where id = ${keyId} and made_by is not null
      and coalesce(role_of(made_by, account_id) not in ('owner', 'admin'), true)`
  return row?.made_by
}
