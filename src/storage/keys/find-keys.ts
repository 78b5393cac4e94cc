/** Which keys and accounts secrets belong to, by the SHA-256 of each; unknown ones are absent from the answer. */
import type { AccountId, KeyId } from "../../domain/ids.ts"
import type { Sql } from "../Database.ts"

export interface FoundKey {
  readonly keyId: KeyId
  readonly accountId: AccountId
  /** The number of the secret: each that takes the place of another has the next. */
  readonly secret: number
  readonly secretHash: Uint8Array
}

/** Also by the secret that was replaced last, where it has not ended. */
export const findKeys = async (
  sql: Sql,
  secretHashes: ReadonlyArray<Uint8Array>
): Promise<ReadonlyArray<FoundKey>> => {
  const hashes = sql.typed([...secretHashes], 1001)
  const rows = await sql<
    Array<{ id: KeyId; account_id: AccountId; secret: number; secret_hash: Uint8Array }>
  >`
    select id, account_id, secret_number as secret, secret_hash from keys where secret_hash = any (${hashes}::bytea[])
    union all
    select id, account_id, secret_number - 1, former_secret_hash from keys
    where former_secret_hash = any (${hashes}::bytea[]) and former_secret_until > now()`
  return rows.map((row) => ({
    keyId: row.id,
    accountId: row.account_id,
    secret: row.secret,
    secretHash: row.secret_hash
  }))
}
