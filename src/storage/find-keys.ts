/** Which keys and accounts secrets belong to, by the SHA-256 of each; unknown ones are absent from the answer. */
import type { AccountId, KeyId } from "../domain/ids.ts"
import type { Sql } from "./Database.ts"

export interface FoundKey {
  readonly keyId: KeyId
  readonly accountId: AccountId
  readonly secretHash: Uint8Array
}

export const findKeys = async (
  sql: Sql,
  secretHashes: ReadonlyArray<Uint8Array>
): Promise<ReadonlyArray<FoundKey>> => {
  const rows = await sql<Array<{ id: KeyId; account_id: AccountId; secret_hash: Uint8Array }>>`
    select id, account_id, secret_hash from keys where secret_hash = any (${sql.typed([...secretHashes], 1001)}::bytea[])`
  return rows.map((row) => ({ keyId: row.id, accountId: row.account_id, secretHash: row.secret_hash }))
}
