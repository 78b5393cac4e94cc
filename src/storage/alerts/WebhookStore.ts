/** Where an account's programs hear of what there is to tell. Secrets are stored sealed. */
import type postgres from "postgres"
import type { AlertKind } from "../../domain/alert-kinds.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"
import { type Asker, stillAsks } from "../still-asks.ts"

/** As many an account may have. */
export const webhooksMax = 5

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly kinds: ReadonlyArray<AlertKind>
  readonly paused: boolean
  readonly createdAtMs: number
  /** Until when the secret before the present one signs too. */
  readonly formerUntilMs: number | undefined
}

export interface SealedSecret {
  readonly sealed: Uint8Array
  readonly sealKeyId: string
}

export const listWebhooks = async (sql: Sql, accountId: AccountId): Promise<ReadonlyArray<Webhook>> => {
  const rows = await sql<
    Array<{
      id: string
      url: string
      kinds: Array<AlertKind>
      paused: boolean
      created_at: Date
      former_until: Date | null
    }>
  >`
    select id, url, kinds, paused, created_at, case when former_until > now() then former_until end as former_until
    from webhook_endpoints where account_id = ${accountId} order by created_at, id`
  return rows.map((row) => ({
    id: row.id,
    url: row.url,
    kinds: row.kinds,
    paused: row.paused,
    createdAtMs: row.created_at.getTime(),
    formerUntilMs: row.former_until?.getTime()
  }))
}

export interface NewWebhook extends Asker {
  readonly id: string
  readonly accountId: AccountId
  readonly url: string
  readonly kinds: ReadonlyArray<AlertKind>
  readonly secret: SealedSecret
}

/** Not where the account has as many as it may. */
export const insertWebhook = (sql: Sql, webhook: NewWebhook): Promise<"created" | "too many" | "shut out"> =>
  sql.begin(async (transaction) => {
    const { accountId, actor, id, kinds, secret, url } = webhook
    await transaction`select from accounts where id = ${accountId} for no key update`
    if (!(await stillAsks(transaction, webhook))) return "shut out"
    const added = await transaction`
      insert into webhook_endpoints (id, account_id, url, kinds, sealed_secret, seal_key_id)
      select ${id}, ${accountId}, ${url}, ${[...kinds]}::text[], ${secret.sealed}, ${secret.sealKeyId}
      where (select count(*) from webhook_endpoints where account_id = ${accountId}) < ${webhooksMax}
      returning id`
    if (added.length === 0) return "too many"
    const detail = { account_id: accountId, url, kinds: kinds.join(", ") }
    await recordAction(transaction, { actor, action: "webhook.create", subject: id, detail })
    return "created"
  })

export interface WebhookChange {
  readonly url?: string | undefined
  readonly kinds?: ReadonlyArray<AlertKind> | undefined
  readonly paused?: boolean | undefined
}

/** False: the account has no such webhook. */
export const updateWebhook = (
  sql: Sql,
  accountId: AccountId,
  id: string,
  { kinds, paused, url }: WebhookChange,
  actor: string
): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const changed = await transaction`
      update webhook_endpoints set url = coalesce(${url ?? null}, url),
        kinds = coalesce(${kinds === undefined ? null : [...kinds]}::text[], kinds),
        paused = coalesce(${paused ?? null}::boolean, paused)
      where id = ${id} and account_id = ${accountId} returning id`
    if (changed.length === 0) return false
    const detail = {
      ...(url !== undefined && { url }),
      ...(kinds !== undefined && { kinds: kinds.join(", ") }),
      ...(paused !== undefined && { paused })
    }
    await recordAction(transaction, { actor, action: "webhook.update", subject: id, detail })
    return true
  })

export interface WebhookRotation {
  readonly accountId: AccountId
  readonly id: string
  readonly secret: SealedSecret
  readonly overlapSeconds: number
  /** As whoever asks has seen it; `undefined`: they do not say. */
  readonly formerUntilMs: number | null | undefined
  readonly actor: string
}

/** The present secret signs on beside the new one for so long. `replaced`: it is not the one that was seen any more. */
export const rotateWebhookSecret = (
  sql: Sql,
  { accountId, actor, formerUntilMs, id, overlapSeconds, secret: { sealed, sealKeyId } }: WebhookRotation
): Promise<"rotated" | "replaced" | "no webhook"> =>
  sql.begin(async (transaction) => {
    const lives = overlapSeconds > 0
    const [webhook] = await transaction<Array<{ until: Date | null; signs: boolean | null }>>`
      select former_until as until, former_until > now() as signs from webhook_endpoints
      where id = ${id} and account_id = ${accountId} for no key update`
    if (webhook === undefined) return "no webhook"
    // What has ended since it was seen is what was seen.
    const isSeen =
      formerUntilMs === null ? webhook.signs !== true : webhook.until?.getTime() === formerUntilMs
    if (formerUntilMs !== undefined && !isSeen) return "replaced"
    await transaction`
      update webhook_endpoints set sealed_secret = ${sealed}, seal_key_id = ${sealKeyId},
        former_sealed_secret = case when ${lives}::boolean then sealed_secret end,
        former_seal_key_id = case when ${lives}::boolean then seal_key_id end,
        former_until = case when ${lives}::boolean then now() + ${`${overlapSeconds} seconds`}::text::interval end
      where id = ${id}`
    const detail = { overlap_seconds: overlapSeconds }
    await recordAction(transaction, { actor, action: "webhook.rotate", subject: id, detail })
    return "rotated"
  })

/** False: the account has no such webhook. */
export const deleteWebhook = (sql: Sql, accountId: AccountId, id: string, actor: string): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const deleted = await deleteWebhooks(transaction, accountId, transaction`id = ${id}`, actor)
    return deleted > 0
  })

/**
 * Those of the account for which `which`, a condition of `webhook_endpoints`, is true, and what was still to be delivered
 * there is given up. Answers how many there were.
 */
export const deleteWebhooks = async (
  transaction: Transaction,
  accountId: AccountId,
  which: postgres.Fragment,
  actor: string
): Promise<number> => {
  await transaction`
    update alert_deliveries set status = 'given_up', outcome = 'deleted', ended_at = now()
    where status = 'pending'
      and endpoint_id in (select id from webhook_endpoints where account_id = ${accountId} and ${which})`
  const deleted = await transaction<Array<{ id: string; url: string }>>`
    delete from webhook_endpoints where account_id = ${accountId} and ${which} returning id, url`
  for (const { id, url } of deleted) {
    // Of the account: what was done to something that is gone must still be found.
    const detail = { webhook_id: id, url }
    await recordAction(transaction, { actor, action: "webhook.delete", subject: accountId, detail })
  }
  return deleted.length
}

/** Sealed secrets that sign at this moment, the present one first. */
export const readSecrets = async (sql: Sql, id: string): Promise<ReadonlyArray<SealedSecret>> => {
  const rows = await sql<Array<{ sealed: Uint8Array; seal_key_id: string }>>`
    select sealed_secret as sealed, seal_key_id from webhook_endpoints where id = ${id}
    union all
    select former_sealed_secret, former_seal_key_id from webhook_endpoints where id = ${id} and former_until > now()`
  return rows.map((row) => ({ sealed: row.sealed, sealKeyId: row.seal_key_id }))
}
