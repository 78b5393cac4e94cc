/** Keys and tokens end for good, each with a line in the audit log. `which` is a condition of the table they stand in. */
import type postgres from "postgres"
import { announceEvent } from "./announce-event.ts"
import type { Transaction } from "./Database.ts"
import { recordAction } from "./record-action.ts"

/** With their sealed secrets. Answers the event of each that this has ended. */
export const revokeKeys = async (
  transaction: Transaction,
  which: postgres.Fragment,
  actor: string
): Promise<ReadonlyArray<bigint>> => {
  const revoked = await transaction<Array<{ id: string }>>`
    update keys set status = 'revoked', slot = null, sealed_secret = null, seal_key_id = null, revoked_at = now(),
      former_secret_hash = null, former_secret_until = null
    where status = 'active' and ${which} returning id`
  const events: Array<bigint> = []
  for (const { id } of revoked) {
    await recordAction(transaction, { actor, action: "key.revoke", subject: id })
    events.push(await announceEvent(transaction, "key", id))
  }
  return events
}

export const revokeTokens = async (
  transaction: Transaction,
  which: postgres.Fragment,
  actor: string
): Promise<void> => {
  const revoked = await transaction<Array<{ id: string }>>`
    update management_tokens set revoked_at = now() where revoked_at is null and ${which} returning id`
  for (const { id } of revoked)
    await recordAction(transaction, { actor, action: "token.revoke", subject: id })
}
