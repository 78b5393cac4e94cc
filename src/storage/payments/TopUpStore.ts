/** Top-up orders in SQL, and what pays them. Each function takes the connection or transaction it runs on. */
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { TopUpOrder } from "../../domain/top-up.ts"
import type { Sql, Transaction } from "../Database.ts"
import { announceEvent } from "../announce-event.ts"

/** Told with the order's id when it is paid. */
export const topUpChannel = "tollgate_top_up"

export interface OrderRow extends TopUpOrder {
  readonly credited: MicroVnd
  readonly createdAtMs: number
  readonly paidAtMs: number | undefined
}

/** The account's pending order of this amount, or a new one. `code` and `id` are used only for a new one. */
export const openOrder = async (
  sql: Sql,
  order: {
    readonly id: string
    readonly code: string
    readonly accountId: AccountId
    readonly amount: MicroVnd
  },
  displayMs: number
): Promise<OrderRow> => {
  const [row] = await sql<[RawOrder]>`
    insert into top_up_orders (id, account_id, code, amount_micro_vnd, expires_at)
    values (${order.id}, ${order.accountId}, ${order.code}, ${order.amount},
      now() + ${displayMs} * interval '1 millisecond')
    on conflict (account_id, amount_micro_vnd) where status = 'pending'
      do update set expires_at = excluded.expires_at
    returning ${orderColumns(sql)}`
  return readOrder(row)
}

export const findOrder = async (
  sql: Sql,
  accountId: AccountId,
  id: string
): Promise<OrderRow | undefined> => {
  const [row] = await sql<Array<RawOrder>>`
    select ${orderColumns(sql)} from top_up_orders where id = ${id} and account_id = ${accountId}`
  return row && readOrder(row)
}

export const listOrders = async (
  sql: Sql,
  accountId: AccountId,
  limit: number
): Promise<ReadonlyArray<OrderRow>> => {
  const rows = await sql<Array<RawOrder>>`
    select ${orderColumns(sql)} from top_up_orders where account_id = ${accountId}
    order by created_at desc, id desc limit ${limit}`
  return rows.map(readOrder)
}

/** Locks the orders of these codes until the transaction ends, always in the same order. */
export const lockOrders = async (
  transaction: Transaction,
  codes: ReadonlyArray<string>
): Promise<ReadonlyArray<OrderRow>> => {
  if (codes.length === 0) return []
  const rows = await transaction<Array<RawOrder>>`
    select ${orderColumns(transaction)} from top_up_orders where code = any (${[...codes]}) order by id for update`
  return rows.map(readOrder)
}

export const markOrderPaid = async (
  transaction: Transaction,
  orderId: string,
  amount: MicroVnd
): Promise<void> => {
  await transaction`
    update top_up_orders set status = 'paid', paid_at = coalesce(paid_at, now()),
      credited_micro_vnd = credited_micro_vnd + ${amount}
    where id = ${orderId}`
  await transaction`select pg_notify(${topUpChannel}, ${orderId})`
}

/** Locks the order until the transaction ends. */
export const lockOrder = async (transaction: Transaction, orderId: string): Promise<void> => {
  await transaction`select from top_up_orders where id = ${orderId} for update`
}

/** Keeps an account's orders of an amount from waiting beside each other. */
export const pendingOrders = "top_up_orders_pending"

/**
 * It waits again where nothing else has paid it and no other of its amount waits. The caller has locked it. Violates
 * `pendingOrders` where another one is made at the same time.
 */
export const markOrderUnpaid = async (
  transaction: Transaction,
  orderId: string,
  amount: MicroVnd
): Promise<void> => {
  await transaction`
    with left_of as (
      select id, credited_micro_vnd - ${amount} as credited, credited_micro_vnd = ${amount} and not exists (
        select from top_up_orders p
        where p.account_id = o.account_id and p.amount_micro_vnd = o.amount_micro_vnd and p.status = 'pending'
      ) as waits
      from top_up_orders o where id = ${orderId}
    )
    update top_up_orders o set credited_micro_vnd = l.credited, status = case when l.waits then 'pending' else o.status end,
      paid_at = case when l.waits then null else o.paid_at end
    from left_of l where o.id = l.id`
}

/**
 * Puts what a transfer brought into the wallet, or takes it out again where the amount is negative. `creditId` names it in the
 * ledger, where it can stand only once. Call it after everything else in the transaction. The event that tells the nodes of it.
 */
export const creditTransfer = async (
  transaction: Transaction,
  credit: {
    readonly accountId: AccountId
    readonly creditId: string
    readonly amount: MicroVnd
    readonly reason: string
    readonly actor: string
  }
): Promise<bigint> => {
  await transaction`
    with entry as (
      insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason, actor)
      values (${credit.accountId}, 'top_up', ${credit.creditId}, ${credit.amount}, ${credit.reason},
        ${credit.actor})
      returning account_id, amount_micro_vnd
    )
    update wallets set booked_micro_vnd = booked_micro_vnd + entry.amount_micro_vnd, updated_at = now()
    from entry where wallets.account_id = entry.account_id`
  return announceEvent(transaction, "wallet", credit.accountId)
}

/** By which the ledger knows that a credit was taken back. */
export const takingBackOf = (creditId: string): string => `back:${creditId}`

/** Whether it was taken back from this account. */
export const hasTakenBack = async (
  transaction: Transaction,
  accountId: AccountId,
  creditId: string
): Promise<boolean> => {
  const rows = await transaction`
    select from ledger_entries
    where source = 'top_up' and source_id = ${takingBackOf(creditId)} and account_id = ${accountId}`
  return rows.length > 0
}

/** When that was done to the top-up `e`, if it was. */
export const takenBackAt = (sql: Sql | Transaction) => sql`
  (select k.at from ledger_entries k where k.source = 'top_up' and k.source_id = ${takingBackOf("")} || e.source_id)`

interface RawOrder {
  readonly id: string
  readonly account_id: AccountId
  readonly code: string
  readonly amount: MicroVnd
  readonly credited: MicroVnd
  readonly status: "pending" | "paid"
  readonly created_at: Date
  readonly expires_at: Date
  readonly paid_at: Date | null
}

const orderColumns = (sql: Sql | Transaction) => sql`
  id, account_id, code, amount_micro_vnd as amount, credited_micro_vnd as credited, status,
  created_at, expires_at, paid_at`

const readOrder = (row: RawOrder): OrderRow => ({
  id: row.id,
  accountId: row.account_id,
  code: row.code,
  amount: row.amount,
  credited: row.credited,
  status: row.status,
  createdAtMs: row.created_at.getTime(),
  expiresAtMs: row.expires_at.getTime(),
  paidAtMs: row.paid_at?.getTime()
})
