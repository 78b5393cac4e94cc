/** Electronic invoices of top-ups. Money crosses as text: some of this runs where 64 bits are JavaScript's numbers. */
import type { AccountId } from "../../domain/ids.ts"
import type { Sql, Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"
import { storable } from "./storable.ts"
import { takenBackAt } from "./TopUpStore.ts"

export type InvoiceStatus = "waiting" | "issued" | "failed"

export interface InvoiceRow {
  readonly id: string
  readonly accountId: AccountId
  readonly entryId: string
  /** µVND. */
  readonly amount: bigint
  readonly company: string
  readonly taxCode: string
  readonly address: string
  readonly email: string
  readonly status: InvoiceStatus
  readonly sentAtMs: number | undefined
  readonly tracking: string | undefined
  readonly number: string
  readonly url: string
  readonly problem: string
  /** How often it was sent. */
  readonly attempts: number
  /** For so long it has been asked for, by the database's clock. */
  readonly triedMs: number
  readonly createdAtMs: number
}

/**
 * Invoices of these top-ups, where the account has said to whom they are made out and there is none yet; their ids.
 * `owner` limits it to one account's.
 */
export const addInvoices = async (
  transaction: Transaction,
  provider: string,
  entryIds: ReadonlyArray<string>,
  owner?: AccountId
): Promise<ReadonlyArray<string>> => {
  const rows = await transaction<Array<{ id: string }>>`
    insert into invoices (account_id, entry_id, provider, amount_micro_vnd, company, tax_code, address, email)
    select e.account_id, e.id, ${provider}, e.amount_micro_vnd, b.company, b.tax_code, b.address, b.email
    from ledger_entries e join billing_details b using (account_id)
    where e.id = any (${[...entryIds]}::text[]::int8[]) and e.source = 'top_up' and e.amount_micro_vnd > 0 and b.company <> ''
      and ${takenBackAt(transaction)} is null
      ${owner === undefined ? transaction`` : transaction`and e.account_id = ${owner}`}
    on conflict (account_id, entry_id) do nothing returning id`
  return rows.map(({ id }) => id)
}

/** Says twice what it looks for: the index has those that are not issued. */
export const listWaitingInvoices = async (transaction: Transaction): Promise<ReadonlyArray<string>> => {
  const rows = await transaction<Array<{ id: string }>>`
    select id from invoices where status <> 'issued' and status = 'waiting'`
  return rows.map(({ id }) => id)
}

export const findInvoice = async (sql: Sql, id: string): Promise<InvoiceRow | undefined> => {
  const [row] = await sql<Array<RawInvoice>>`select ${columns(sql)} from invoices i where id = ${id}`
  return row && readRow(row)
}

export const findInvoiceOf = async (
  sql: Sql | Transaction,
  accountId: AccountId,
  entryId: string
): Promise<InvoiceRow | undefined> => {
  const [row] = await sql<Array<RawInvoice>>`
    select ${columns(sql)} from invoices i where account_id = ${accountId} and entry_id = ${entryId}::text::int8`
  return row && readRow(row)
}

/** Those that are not issued, the oldest first. */
export const listOpenInvoices = async (sql: Sql, limit: number): Promise<ReadonlyArray<InvoiceRow>> => {
  const rows = await sql<Array<RawInvoice>>`
    select ${columns(sql)} from invoices i where status <> 'issued'
    order by status = 'waiting', created_at limit ${limit}`
  return rows.map(readRow)
}

export const countOpenInvoices = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int4 as count from invoices where status <> 'issued'`
  return row.count
}

/**
 * To be committed before it is sent: from then on it may be there. Made out to whom the account's billing details name by now;
 * `undefined`: to nobody, the top-up was taken back, or it has been sent meanwhile. It may have waited for long until anybody issued any.
 * Whoever was erased has no details: it is made out as it was to be.
 */
export const markSent = async (sql: Sql, id: string): Promise<InvoiceRow | undefined> => {
  const [row] = await sql<Array<RawInvoice>>`
    update invoices i set sent_at = now(), tracking_code = null, attempts = attempts + 1,
      begun_at = case when attempts = 0 then now() else begun_at end, company = coalesce(b.company, i.company),
      tax_code = coalesce(b.tax_code, i.tax_code), address = coalesce(b.address, i.address), email = coalesce(b.email, i.email)
    from ledger_entries e left join billing_details b using (account_id)
    where i.id = ${id} and i.status = 'waiting' and i.sent_at is null and b.company is distinct from ''
      and e.account_id = i.account_id and e.id = i.entry_id and ${takenBackAt(sql)} is null
    returning ${columns(sql)}`
  return row && readRow(row)
}

/** Of a top-up that is taken back: unless it has been sent it is asked for no more. True where it may be there all the same. */
export const dropInvoice = async (transaction: Transaction, creditId: string): Promise<boolean> => {
  const [row] = await transaction<[{ stands: boolean }]>`
    with asked as (
      select i.id, i.sent_at, i.attempts from ledger_entries e join invoices i on i.account_id = e.account_id and i.entry_id = e.id
      where e.source = 'top_up' and e.source_id = ${creditId}
      for update of i
    ), dropped as (
      delete from invoices i using asked a where i.id = a.id and a.sent_at is null
    )
    select coalesce(bool_or(attempts > 0), false) as stands from asked`
  return row.stands
}

/** One that has not been sent, or was found not to be there, of a top-up that was taken back: there will be none. */
export const dropTakenBack = async (sql: Sql, id: string): Promise<void> => {
  await sql`
    delete from invoices i using ledger_entries e
    where i.id = ${id} and i.status = 'waiting' and i.sent_at is null and e.account_id = i.account_id and e.id = i.entry_id
      and ${takenBackAt(sql)} is not null`
}

export interface InvoiceChange {
  readonly status?: InvoiceStatus
  /** It was certainly not taken. */
  readonly isUnsent?: boolean
  /** Of one that has been taken, which has a day from then on. */
  readonly tracking?: string
  readonly number?: string
  readonly url?: string
  readonly problem: string
}

export const changeInvoice = async (sql: Sql, id: string, change: InvoiceChange): Promise<void> => {
  const { isUnsent = false, number = "", problem, status = "waiting", url = "" } = change
  const tracking = change.tracking === undefined ? null : storable(change.tracking)
  await sql`
    update invoices set status = ${status}, sent_at = case when ${isUnsent}::boolean then null else sent_at end,
      begun_at = case when ${tracking} <> coalesce(tracking_code, '') then now() else begun_at end,
      tracking_code = coalesce(${tracking}, tracking_code), number = ${storable(number)}, url = ${storable(url)},
      problem = ${storable(problem)},
      ended_at = case when ${status}::text <> 'waiting' then now() end
    where id = ${id} and status = 'waiting'`
}

/** An operator has it tried again: looked for where it may be there, else asked for anew; not where it has not failed. */
export const retryInvoice = async (
  transaction: Transaction,
  id: string,
  actor: string
): Promise<"retried" | "not failed" | "no invoice"> => {
  const rows = await transaction`
    update invoices set status = 'waiting', problem = '', begun_at = now(), ended_at = null
    where id = ${id} and status = 'failed' returning id`
  if (rows.length === 0) {
    const known = await transaction`select from invoices where id = ${id}`
    return known.length === 0 ? "no invoice" : "not failed"
  }
  await recordAction(transaction, { actor, action: "invoice.retry", subject: id })
  return "retried"
}

interface RawInvoice {
  readonly id: string
  readonly account_id: AccountId
  readonly entry_id: string
  readonly amount: string
  readonly company: string
  readonly tax_code: string
  readonly address: string
  readonly email: string
  readonly status: InvoiceStatus
  readonly sent_at: Date | null
  readonly tracking_code: string | null
  readonly number: string
  readonly url: string
  readonly problem: string
  readonly attempts: number
  readonly tried_ms: number
  readonly created_at: Date
}

const columns = (sql: Sql | Transaction) => sql`
  i.id, i.account_id, i.entry_id::text as entry_id, i.amount_micro_vnd::text as amount, i.company, i.tax_code, i.address, i.email,
  i.status, i.sent_at, i.tracking_code, i.number, i.url, i.problem, i.attempts,
  extract(epoch from now() - i.begun_at)::float8 * 1000 as tried_ms, i.created_at`

const readRow = (row: RawInvoice): InvoiceRow => ({
  id: row.id,
  accountId: row.account_id,
  entryId: row.entry_id,
  amount: BigInt(row.amount),
  company: row.company,
  taxCode: row.tax_code,
  address: row.address,
  email: row.email,
  status: row.status,
  sentAtMs: row.sent_at?.getTime(),
  tracking: row.tracking_code ?? undefined,
  number: row.number,
  url: row.url,
  problem: row.problem,
  attempts: row.attempts,
  triedMs: row.tried_ms,
  createdAtMs: row.created_at.getTime()
})
