/** Changes of a key that goes on: what is set on it, and its secret. */
import type { AccountId, KeyId } from "../domain/ids.ts"
import { announceEvent } from "./announce-event.ts"
import type { Sql } from "./Database.ts"
import { columnsOf, detailOf, type KeySettings, secretColumns, type StoredSecret } from "./key-columns.ts"
import { recordAction } from "./record-action.ts"

/** Answers the event that tells of it; `undefined`: there is no such key, or it is revoked. */
export const updateKey = (
  sql: Sql,
  keyId: KeyId,
  settings: Partial<KeySettings>,
  actor: string
): Promise<bigint | undefined> =>
  sql.begin(async (transaction) => {
    const updated = await transaction`
      update keys set ${transaction(columnsOf(settings))} where id = ${keyId} and status = 'active' returning id`
    if (updated.length === 0) return undefined
    await recordAction(transaction, {
      actor,
      action: "key.update",
      subject: keyId,
      detail: detailOf(settings)
    })
    return await announceEvent(transaction, "key", keyId)
  })

export interface Rotation {
  readonly keyId: KeyId
  readonly accountId: AccountId
  readonly secret: StoredSecret
  /** How long the present secret lives on; one that was replaced before ends now. */
  readonly overlapSeconds: number
  readonly actor: string
}

/** Answers the event that tells of it; `undefined`: there is no such key, or it is revoked. */
export const rotateSecret = (sql: Sql, rotation: Rotation): Promise<bigint | undefined> =>
  sql.begin(async (transaction) => {
    const { actor, keyId, overlapSeconds, secret } = rotation
    const lives = overlapSeconds > 0
    const updated = await transaction`
      update keys set ${transaction(secretColumns(secret))}, secret_number = secret_number + 1,
        former_secret_hash = case when ${lives} then secret_hash end,
        former_secret_until = case when ${lives} then now() + ${`${overlapSeconds} seconds`}::text::interval end
      where id = ${keyId} and status = 'active' returning id`
    if (updated.length === 0) return undefined
    const detail = { overlap_seconds: overlapSeconds }
    await recordAction(transaction, { actor, action: "key.rotate", subject: keyId, detail })
    return await announceEvent(transaction, "key", keyId)
  })
