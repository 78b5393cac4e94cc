/** Orders that a provider was asked to take the payment of, each under a number of ours. */
import type { Sql, Transaction } from "../Database.ts"
import { lockOrders, type OrderRow } from "./TopUpStore.ts"

/** How a customer pays a request, as its provider said. */
export interface PayInstructions {
  readonly bankBin: string
  readonly account: string
  readonly accountName: string
  readonly memo: string
  /** The text of a VietQR code. */
  readonly qr: string
}

export interface RequestRef {
  readonly provider: string
  readonly number: bigint
}

/** Whom the settings name to take payments. */
export interface Payee {
  readonly provider: string
  /** Ours with that provider. */
  readonly account: string
}

/** Before the provider is asked. */
export const insertRequest = async (
  sql: Sql,
  { account, number, provider }: RequestRef & Payee,
  orderId: string
): Promise<void> => {
  await sql`
    insert into payment_requests (provider, number, order_id, account)
    values (${provider}, ${number}, ${orderId}, ${account})`
}

const askedOf = (sql: Sql, { account, provider }: Payee) =>
  sql`provider = ${provider} and coalesce(account, ${account}) = ${account}`

export const answerRequest = async (
  sql: Sql,
  { number, provider }: RequestRef,
  told: PayInstructions
): Promise<void> => {
  await sql`
    update payment_requests set bank_bin = ${told.bankBin}, bank_account = ${told.account},
      account_name = ${told.accountName}, memo = ${told.memo}, qr = ${told.qr}
    where provider = ${provider} and number = ${number}`
}

/** Of an order whose payment was taken back: who has paid a request can not pay it again. It is asked after as before. */
export const forgetInstructions = async (transaction: Transaction, orderId: string): Promise<void> => {
  await transaction`update payment_requests set qr = '' where order_id = ${orderId} and qr <> ''`
}

/** How each of these orders is paid, by its id, where the payee was asked within these days and still expects it. */
export const readInstructions = async (
  sql: Sql,
  payee: Payee,
  orderIds: ReadonlyArray<string>,
  days: number
): Promise<ReadonlyMap<string, PayInstructions>> => {
  const rows = await sql<Array<PayInstructions & { readonly orderId: string }>>`
    select distinct on (order_id) order_id as "orderId", bank_bin as "bankBin", bank_account as account,
      account_name as "accountName", memo, qr
    from payment_requests
    where order_id = any (${[...orderIds]}) and ${askedOf(sql, payee)} and qr <> '' and closed_at is null
      and asked_at > now() - ${days} * interval '1 day'
    order by order_id, asked_at desc`
  return new Map(rows.map(({ orderId, ...told }) => [orderId, told]))
}

/** Locks the order of this request until the transaction ends. */
export const lockOrderOfRequest = async (
  transaction: Transaction,
  { number, provider }: RequestRef
): Promise<OrderRow | undefined> => {
  const rows = await transaction<Array<{ code: string }>>`
    select o.code from payment_requests r join top_up_orders o on o.id = r.order_id
    where r.provider = ${provider} and r.number = ${number}`
  const [order] = await lockOrders(
    transaction,
    rows.map(({ code }) => code)
  )
  return order
}

export interface OpenRequest {
  readonly number: bigint
  /** The provider said that it has it. */
  readonly isAnswered: boolean
  readonly askedAtMs: number
}

/** Half of them the newest, which are mostly paid next, and half those that have not been asked after for the longest time. */
export const listOpenRequests = async (
  sql: Sql,
  payee: Payee,
  since: Date,
  limit: number
): Promise<ReadonlyArray<OpenRequest>> => {
  const half = Math.ceil(limit / 2)
  const rows = await sql<Array<{ number: bigint; answered: boolean; asked_at: Date }>>`
    with open as (
      select number, qr is not null as answered, asked_at, asked_after_at from payment_requests
      where ${askedOf(sql, payee)} and closed_at is null and asked_at > ${since}
    ), newest as (
      select * from open order by asked_at desc limit ${half}
    )
    select * from newest union all
    (select * from open where number not in (select number from newest)
      order by asked_after_at nulls first, asked_at desc limit ${limit - half})`
  return rows.map((row) => ({
    number: row.number,
    isAnswered: row.answered,
    askedAtMs: row.asked_at.getTime()
  }))
}

/** The provider is asked what came of it. */
export const noteAskedAfter = async (sql: Sql, { number, provider }: RequestRef): Promise<void> => {
  await sql`
    update payment_requests set asked_after_at = now() where provider = ${provider} and number = ${number}`
}

export const closeRequest = async (sql: Sql, { number, provider }: RequestRef): Promise<void> => {
  await sql`
    update payment_requests set closed_at = now()
    where provider = ${provider} and number = ${number} and closed_at is null`
}
