/** What was told, where to, and how that went. */
import type { Language } from "../../domain/language.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"

export type DeliveryStatus = "pending" | "delivered" | "given_up"

/** Everything it takes to make an attempt. */
export interface DueDelivery {
  readonly id: string
  readonly channel: "mail" | "webhook"
  /** As of now; `undefined`: it was for a member who is none any more. */
  readonly address: string | undefined
  readonly endpointId: string | undefined
  readonly accountId: AccountId
  /** Of whoever it goes to. */
  readonly language: Language
  /** The account's own address, where it goes to a member of it whom the alert is about. */
  readonly memberOf: string | undefined
  /** For so long it has been tried, by the database's clock. */
  readonly triedMs: number
  /** Its webhook takes nothing for now. */
  readonly isPaused: boolean
  /** It is a mail, and the account has had as many within the hour as it may. */
  readonly isTooMany: boolean
  readonly alert: Alert
}

/** Nobody has shown that they want those that an account has sent to them. */
const mailsPerHourMax = 30

export interface Alert {
  /** msg_…, the same in every attempt. */
  readonly id: string
  readonly kind: string
  readonly atMs: number
  /** As it goes over the wire. */
  readonly detail: Readonly<Record<string, unknown>>
}

/** `undefined` where nothing is left to do. */
export const findDue = async (sql: Sql, id: string): Promise<DueDelivery | undefined> => {
  const [row] = await sql<
    Array<{
      channel: "mail" | "webhook"
      address: string | null
      endpoint_id: string | null
      account_id: AccountId
      language: Language
      member_of: string | null
      tried_ms: number
      is_paused: boolean
      is_too_many: boolean
      alert_id: string
      kind: string
      at: Date
      detail: Record<string, unknown>
    }>
  >`
    select d.channel, d.endpoint_id, d.account_id, coalesce(m.language, s.language) as language,
      case when d.person_id is not null then s.account_email end as member_of,
      extract(epoch from now() - d.begun_at)::float8 * 1000 as tried_ms,
      coalesce(e.paused, false) as is_paused, d.alert_id, a.kind, a.at, a.detail,
      -- One that takes longer than a day is given up; only what is sent again by hand is older.
      d.channel = 'mail' and ${mailsPerHourMax} <= (
        select count(*) from alert_deliveries sent
        where sent.account_id = d.account_id and sent.created_at > now() - interval '2 days' and sent.channel = 'mail'
          and sent.status = 'delivered' and sent.attempted_at > now() - interval '1 hour') as is_too_many,
      case when d.channel = 'webhook' then e.url
        when d.person_id is null then coalesce(nullif(s.email, ''), s.account_email)
        when role_of(d.person_id, d.account_id) is not null then m.account_email end as address
    from alert_deliveries d join alerts a on a.id = d.alert_id join account_alerts s on s.account_id = d.account_id
    left join account_alerts m on m.account_id = d.person_id left join webhook_endpoints e on e.id = d.endpoint_id
    where d.id = ${id} and d.status = 'pending'`
  if (row === undefined) return undefined
  return {
    id,
    channel: row.channel,
    address: row.address ?? undefined,
    endpointId: row.endpoint_id ?? undefined,
    accountId: row.account_id,
    language: row.language,
    memberOf: row.member_of ?? undefined,
    triedMs: row.tried_ms,
    isPaused: row.is_paused,
    isTooMany: row.is_too_many,
    alert: { id: row.alert_id, kind: row.kind, atMs: row.at.getTime(), detail: row.detail }
  }
}

/** Written after the attempt: where the node ends between them, it is made once more under the same id. */
export const recordAttempt = async (
  sql: Sql,
  { address, id }: Pick<DueDelivery, "address" | "id">,
  outcome: string,
  status: DeliveryStatus
): Promise<void> => {
  await sql`
    update alert_deliveries set attempts = attempts + 1, attempted_at = now(), outcome = ${outcome}, status = ${status},
      address = coalesce(${address ?? null}, address), ended_at = case when ${status}::text <> 'pending' then now() end
    where id = ${id} and status = 'pending'`
}

export interface DeliveryRow {
  readonly id: string
  readonly alertId: string
  readonly kind: string
  readonly channel: "mail" | "webhook"
  readonly address: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly outcome: string
  readonly createdAtMs: number
  readonly attemptedAtMs: number | undefined
  /** When it is tried again. */
  readonly nextAtMs: number | undefined
}

export interface DeliveryCursor {
  readonly at: string
  readonly id: string
}

/** The queues of their jobs, each of which has its delivery's id as key. */
export const deliveryQueues = { mail: "send-mail", webhook: "send-webhook" } as const

/** Newest first. */
export const listDeliveries = async (
  sql: Sql,
  accountId: AccountId,
  { after, limit }: { readonly after: DeliveryCursor | undefined; readonly limit: number }
): Promise<{ readonly rows: ReadonlyArray<DeliveryRow>; readonly next: DeliveryCursor | undefined }> => {
  const rows = await sql<Array<RawRow>>`
    select d.id, d.alert_id, a.kind, d.channel, d.address, d.status, d.attempts, d.outcome, d.created_at, d.attempted_at,
      d.created_at::text as cursor, j.start_after as next_at
    from alert_deliveries d join alerts a on a.id = d.alert_id
    left join lateral (
      select start_after from jobs.job j
      where d.status = 'pending' and j.name = any (${Object.values(deliveryQueues)}::text[]) and coalesce(j.singleton_key, '') = d.id::text
        and j.state < 'active' and j.policy = 'exclusive' limit 1
    ) j on true
    where d.account_id = ${accountId}
      ${after === undefined ? sql`` : sql`and (d.created_at, d.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`}
    order by d.created_at desc, d.id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map(readRow),
    next: rows.length > limit && last !== undefined ? { at: last.cursor, id: last.id } : undefined
  }
}

interface RawRow {
  readonly id: string
  readonly alert_id: string
  readonly kind: string
  readonly channel: "mail" | "webhook"
  readonly address: string
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly outcome: string
  readonly created_at: Date
  readonly attempted_at: Date | null
  readonly cursor: string
  readonly next_at: Date | null
}

const readRow = (row: RawRow): DeliveryRow => ({
  id: row.id,
  alertId: row.alert_id,
  kind: row.kind,
  channel: row.channel,
  address: row.address,
  status: row.status,
  attempts: row.attempts,
  outcome: row.outcome,
  createdAtMs: row.created_at.getTime(),
  attemptedAtMs: row.attempted_at?.getTime(),
  nextAtMs: row.next_at?.getTime()
})

/** Has it delivered once more, for as long as a new one; which channel's job that is. `undefined`: there is no such one, or its webhook is gone. */
export const beginAgain = async (
  transaction: Transaction,
  accountId: AccountId,
  id: string
): Promise<"mail" | "webhook" | undefined> => {
  const [row] = await transaction<Array<{ channel: "mail" | "webhook" }>>`
    update alert_deliveries set status = 'pending', begun_at = now(), ended_at = null
    where id = ${id} and account_id = ${accountId} and (channel = 'mail' or endpoint_id is not null)
    returning channel`
  return row?.channel
}

/** An alert that there is none, for one webhook alone; its delivery. `undefined`: the account has no such webhook. */
export const addTest = async (
  transaction: Transaction,
  accountId: AccountId,
  endpointId: string,
  kind: string
): Promise<string | undefined> => {
  const [row] = await transaction<Array<{ id: string }>>`
    with endpoint as (
      -- Nobody deletes it before this is written; of one that is being deleted there is none.
      select id, url from webhook_endpoints where id = ${endpointId} and account_id = ${accountId} for key share
    ), alert as (
      insert into alerts (id, account_id, kind, detail)
      select 'msg_' || replace(gen_random_uuid()::text, '-', ''), ${accountId}, ${kind}, '{}' from endpoint
      returning id
    )
    insert into alert_deliveries (alert_id, account_id, channel, endpoint_id, address)
    select alert.id, ${accountId}, 'webhook', endpoint.id, endpoint.url from alert, endpoint returning id`
  return row?.id
}
