/** Bank transfers in SQL: every one that was ever heard of, and what became of it. */
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { TransferStatus } from "../../domain/transfer-steps.ts"
import type { Sql, Transaction } from "../Database.ts"
import { actorName } from "../people/TokenStore.ts"
import { storable } from "./storable.ts"

export interface NewTransfer {
  readonly provider: string
  readonly providerTransferId: string
  readonly heardBy: "webhook" | "reconciliation" | "simulator"
  readonly direction: "in" | "out"
  readonly bankAccount: string
  readonly amount: MicroVnd
  readonly memo: string
  readonly transferredAt: Date
  readonly sender: { readonly name: string; readonly account: string; readonly bank: string }
  readonly bankReference: string
  readonly shownReference: string
  readonly raw: string
}

export interface Transfer {
  readonly id: string
  readonly provider: string
  readonly providerTransferId: string
  readonly heardBy: NewTransfer["heardBy"]
  readonly direction: "in" | "out"
  readonly amount: MicroVnd
  readonly memo: string
  readonly transferredAtMs: number
  readonly bankAccount: string
  readonly senderName: string
  readonly senderAccount: string
  readonly senderBank: string
  readonly bankReference: string
  readonly shownReference: string
  readonly returnReference: string
  readonly status: TransferStatus
  readonly note: string
  readonly flags: ReadonlyArray<string>
  readonly orderId: string | undefined
  readonly accountId: AccountId | undefined
  readonly assignedBy: string | undefined
  /** How often it was taken back from an account that it had been credited to. */
  readonly takenBack: number
}

/** With the names of what it was credited to. */
export interface ListedTransfer extends Transfer {
  readonly orderCode: string | undefined
  readonly email: string | undefined
}

type TransferName = Pick<NewTransfer, "provider" | "providerTransferId">

/** By which the audit log knows a transfer. */
export const transferName = ({ provider, providerTransferId }: TransferName) =>
  `${provider}:${providerTransferId}`

/** By which the ledger knows its credit: another one after each time that it was taken back. */
export const creditIdOf = ({ takenBack, ...transfer }: TransferName & Pick<Transfer, "takenBack">) =>
  transferName(takenBack === 0 ? transfer : { ...transfer, provider: `${transfer.provider}#${takenBack}` })

/** The new row's id; `undefined` when this transfer was told of before. */
export const insertTransfer = async (
  transaction: Transaction,
  transfer: NewTransfer
): Promise<string | undefined> => {
  const [row] = await transaction<Array<{ id: string }>>`
    insert into bank_transfers (provider, provider_transfer_id, heard_by, direction, bank_account, amount_micro_vnd,
      memo, transferred_at, sender_name, sender_account, sender_bank, bank_reference, shown_reference, raw, status)
    values (${transfer.provider}, ${transfer.providerTransferId}, ${transfer.heardBy}, ${transfer.direction},
      ${storable(transfer.bankAccount)}, ${transfer.amount}, ${storable(transfer.memo)}, ${transfer.transferredAt},
      ${transfer.sender.name}, ${transfer.sender.account}, ${transfer.sender.bank}, ${transfer.bankReference},
      ${transfer.shownReference}, ${storable(transfer.raw)}, 'unmatched')
    on conflict (provider, provider_transfer_id) do nothing
    returning id::text`
  return row?.id
}

/** What is stored of a transfer that was told of before. */
export const amountOfTransfer = async (
  transaction: Transaction,
  { provider, providerTransferId }: Pick<NewTransfer, "provider" | "providerTransferId">
): Promise<MicroVnd | undefined> => {
  const [row] = await transaction<Array<{ amount: MicroVnd }>>`
    select amount_micro_vnd as amount from bank_transfers
    where provider = ${provider} and provider_transfer_id = ${providerTransferId}`
  return row?.amount
}

/**
 * A transfer that another provider, or the same under another id, has told of: its order, and by which the banks know it. One
 * that was taken back has no order any more, or another one.
 */
export const wasToldOtherwise = async (
  transaction: Transaction,
  transfer: NewTransfer,
  orderId: string | undefined
): Promise<boolean> => {
  const { amount, bankReference, provider, providerTransferId, transferredAt } = transfer
  const [row] = await transaction<[{ found: boolean }]>`
    select exists (
      select from bank_transfers where bank_reference = ${bankReference} and bank_reference <> ''
        and amount_micro_vnd = ${amount} and (provider, provider_transfer_id) <> (${provider}, ${providerTransferId})
    ) or exists (
      select from bank_transfers where (order_id = ${orderId ?? null} or taken_back > 0)
        and provider not in (${provider}, 'simulator')
        and amount_micro_vnd = ${amount}
        and transferred_at between ${transferredAt}::timestamptz - interval '2 days'
          and ${transferredAt}::timestamptz + interval '2 days'
    ) as found`
  return row.found
}

/** How far a provider's list has been received; `undefined` before the first time. */
export const readCheckpoint = async (sql: Sql, provider: string): Promise<number | undefined> => {
  const [row] = await sql<Array<{ until: Date }>>`
    select received_until as until from bank_checkpoints where provider = ${provider}`
  return row?.until.getTime()
}

export const writeCheckpoint = async (sql: Sql, provider: string, untilMs: number): Promise<void> => {
  await sql`
    insert into bank_checkpoints (provider, received_until) values (${provider}, ${new Date(untilMs)})
    on conflict (provider) do update set received_until = excluded.received_until`
}

export interface TransferOutcome {
  readonly status: TransferStatus
  readonly note: string
  readonly flags: ReadonlyArray<string>
  readonly orderId: string | undefined
  readonly accountId: AccountId | undefined
  readonly assignedBy: string | undefined
  readonly returnReference?: string
  /** The credit has been taken back with this. */
  readonly isTakenBack?: true
}

export const settleTransfer = async (
  transaction: Transaction,
  id: string,
  outcome: TransferOutcome
): Promise<void> => {
  await transaction`
    update bank_transfers set status = ${outcome.status}, note = ${outcome.note}, flags = ${[...outcome.flags]},
      order_id = ${outcome.orderId ?? null}, account_id = ${outcome.accountId ?? null},
      assigned_by = ${outcome.assignedBy ?? null}, return_reference = ${outcome.returnReference ?? ""},
      taken_back = taken_back + ${outcome.isTakenBack ? 1 : 0}
    where id = ${id}`
}

/** Locks one transfer until the transaction ends. */
export const lockTransfer = async (transaction: Transaction, id: string): Promise<Transfer | undefined> => {
  const [row] = await transaction<Array<RawTransfer>>`
    select ${columns(transaction)}, t.assigned_by from bank_transfers t where t.id = ${id} for update`
  return row && readTransfer(row)
}

export const findTransfer = async (sql: Sql, id: string): Promise<Transfer | undefined> => {
  const [row] = await sql<Array<RawTransfer>>`
    select ${columns(sql)}, t.assigned_by from bank_transfers t where t.id = ${id}`
  return row && readTransfer(row)
}

/** Newest first; `before` is the id of the last one seen. */
export const listTransfers = async (
  sql: Sql,
  filter: {
    readonly id?: string | undefined
    readonly status: TransferStatus | undefined
    readonly before: string | undefined
    readonly limit: number
  }
): Promise<ReadonlyArray<ListedTransfer>> => {
  const rows = await sql<Array<RawTransfer & { order_code: string | null; email: string | null }>>`
    select ${columns(sql)}, o.code as order_code, a.email, ${actorName(sql, sql`t.assigned_by`)} as assigned_by
    from bank_transfers t left join top_up_orders o on o.id = t.order_id left join accounts a on a.id = t.account_id
    where true ${filter.status === undefined ? sql`` : sql`and t.status = ${filter.status}`}
      ${filter.id === undefined ? sql`` : sql`and t.id = ${filter.id}`}
      ${filter.before === undefined ? sql`` : sql`and t.id < ${filter.before}`}
    order by t.id desc limit ${filter.limit}`
  return rows.map((row) =>
    Object.assign(readTransfer(row), {
      orderCode: row.order_code ?? undefined,
      email: row.email ?? undefined
    })
  )
}

export const countUnmatched = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from bank_transfers where status = 'unmatched'`
  return row.count
}

interface RawTransfer {
  readonly id: string
  readonly provider: string
  readonly provider_transfer_id: string
  readonly heard_by: NewTransfer["heardBy"]
  readonly direction: "in" | "out"
  readonly amount: MicroVnd
  readonly memo: string
  readonly transferred_at: Date
  readonly bank_account: string
  readonly sender_name: string
  readonly sender_account: string
  readonly sender_bank: string
  readonly bank_reference: string
  readonly shown_reference: string
  readonly return_reference: string
  readonly status: TransferStatus
  readonly note: string
  readonly flags: Array<string>
  readonly order_id: string | null
  readonly account_id: AccountId | null
  readonly taken_back: number
  readonly assigned_by: string | null
}

const columns = (sql: Sql | Transaction) => sql`
  t.id::text, t.provider, t.provider_transfer_id, t.heard_by, t.direction, t.amount_micro_vnd as amount, t.memo,
  t.transferred_at, t.bank_account, t.sender_name, t.sender_account, t.sender_bank, t.bank_reference, t.shown_reference,
  t.return_reference, t.status, t.note, t.flags, t.order_id, t.account_id, t.taken_back`

const readTransfer = (row: RawTransfer): Transfer => ({
  id: row.id,
  provider: row.provider,
  providerTransferId: row.provider_transfer_id,
  heardBy: row.heard_by,
  direction: row.direction,
  amount: row.amount,
  memo: row.memo,
  transferredAtMs: row.transferred_at.getTime(),
  bankAccount: row.bank_account,
  senderName: row.sender_name,
  senderAccount: row.sender_account,
  senderBank: row.sender_bank,
  bankReference: row.bank_reference,
  shownReference: row.shown_reference,
  returnReference: row.return_reference,
  status: row.status,
  note: row.note,
  flags: row.flags,
  orderId: row.order_id ?? undefined,
  accountId: row.account_id ?? undefined,
  assignedBy: row.assigned_by ?? undefined,
  takenBack: row.taken_back
})
