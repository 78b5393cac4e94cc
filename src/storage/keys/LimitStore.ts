/** How often keys were used in the last minute, on all nodes together. */
import type { KeyId } from "../../domain/ids.ts"
import { arrayText, plainArrayText } from "../array-text.ts"
import type { Sql } from "../Database.ts"

export interface PermitAsk {
  readonly keyId: KeyId
  /** Calls that wait. */
  readonly calls: number
  readonly perMinute: number
}

export interface Permit {
  readonly keyId: KeyId
  /** Calls of those that are within the limit. */
  readonly granted: number
  /** After which another one is, where not all were. */
  readonly retryAfterMs: number
}

export const takePermits = async (
  sql: Sql,
  asks: ReadonlyArray<PermitAsk>
): Promise<ReadonlyArray<Permit>> => {
  const rows = await sql<Array<{ key_id: KeyId; granted: number; retry_after_ms: number }>>`
    select key_id, granted, retry_after_ms from take_permits(${arrayText(asks, (ask) => ask.keyId)}::text[],
      ${plainArrayText(asks, (ask) => ask.calls)}::integer[], ${plainArrayText(asks, (ask) => ask.perMinute)}::integer[])`
  return rows.map((row) => ({
    keyId: row.key_id,
    granted: row.granted,
    retryAfterMs: row.retry_after_ms
  }))
}
