/**
 * Keys and tokens end for good, each with a line in the audit log. `which` is a condition of the table they stand in. They
 * are locked by their ids, as calls lock keys (`hold_budgets`): of two that end the same ones none waits for the other's.
 */
import type postgres from "postgres"
import type { KeyId } from "../../domain/ids.ts"
import type { Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"

/** With their sealed secrets. Answers those that this has ended, which are to be announced last of all: see `announceEvent`. */
export const revokeKeys = async (
  transaction: Transaction,
  which: postgres.Fragment,
  actor: string
): Promise<ReadonlyArray<KeyId>> => {
  const active = await transaction<Array<{ id: KeyId }>>`
    select id from keys where status = 'active' and ${which} order by id for update`
  const ids = active.map(({ id }) => id)
  await transaction`
    update keys set status = 'revoked', slot = null, sealed_secret = null, seal_key_id = null, revoked_at = now(),
      former_secret_hash = null, former_secret_until = null
    where id = any (${ids}::text[])`
  for (const id of ids) await recordAction(transaction, { actor, action: "key.revoke", subject: id })
  return ids
}

export const revokeTokens = async (
  transaction: Transaction,
  which: postgres.Fragment,
  actor: string
): Promise<void> => {
  const live = await transaction<Array<{ id: string }>>`
    select id from management_tokens where revoked_at is null and ${which} order by id for update`
  const ids = live.map(({ id }) => id)
  await transaction`update management_tokens set revoked_at = now() where id = any (${ids}::text[])`
  for (const id of ids) await recordAction(transaction, { actor, action: "token.revoke", subject: id })
}
