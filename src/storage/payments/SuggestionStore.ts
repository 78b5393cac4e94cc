/** Where a transfer's owner is looked for: each look-up is by an index, and bounded. */
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Sql } from "../Database.ts"
import { takingBackOf } from "./TopUpStore.ts"
import { creditIdOf, type Transfer } from "./TransferStore.ts"

const rowsMax = 20
/** A part of three characters is in one of 30,000 codes. */
const codesMax = 5_000

export interface FoundOrder {
  readonly accountId: AccountId
  readonly code: string
}

/** Orders with one of these parts in its place: the first, the second or the third three characters after `ST`. */
export const findOrdersByParts = (
  sql: Sql,
  parts: ReadonlyArray<string>
): Promise<ReadonlyArray<FoundOrder>> => sql<Array<FoundOrder>>`
  select account_id as "accountId", code from top_up_orders
  where substr(code, 3, 3) = any (${[...parts]}) or substr(code, 6, 3) = any (${[...parts]})
    or substr(code, 9, 3) = any (${[...parts]})
  limit ${codesMax}`

/** Pending orders of this amount from the two weeks before. */
export const findOrdersOfAmount = (
  sql: Sql,
  amount: MicroVnd,
  atMs: number
): Promise<ReadonlyArray<FoundOrder>> => sql<Array<FoundOrder>>`
  select account_id as "accountId", code from top_up_orders
  where status = 'pending' and amount_micro_vnd = ${amount}
    and created_at between ${new Date(atMs)}::timestamptz - interval '14 days'
      and ${new Date(atMs)}::timestamptz + interval '1 day'
  order by created_at desc limit ${rowsMax}`

/** Accounts that transfers of this sender were credited to. */
export const findAccountsOfSender = async (
  sql: Sql,
  senderAccount: string
): Promise<ReadonlyArray<AccountId>> => {
  if (senderAccount === "") return []
  const rows = await sql<Array<{ id: AccountId }>>`
    select account_id as id from bank_transfers
    where status = 'credited' and sender_account <> '' and sender_account = ${senderAccount}
    order by bank_transfers.id desc limit ${rowsMax}`
  return [...new Set(rows.map(({ id }) => id))]
}

/** Accounts that the transfer was credited to by mistake. */
export const findAccountsTakenBackFrom = async (
  sql: Sql,
  transfer: Transfer
): Promise<ReadonlySet<string>> => {
  const creditIds = Array.from({ length: transfer.takenBack }, (_, takenBack) =>
    takingBackOf(creditIdOf({ ...transfer, takenBack }))
  )
  if (creditIds.length === 0) return new Set()
  const rows = await sql<Array<{ id: AccountId }>>`
    select account_id as id from ledger_entries where source = 'top_up' and source_id = any (${creditIds})`
  return new Set(rows.map(({ id }) => id))
}

/** Accounts whose owner has one of these plain names. */
export const findAccountsOfName = (sql: Sql, names: ReadonlyArray<string>) =>
  idsOf(sql<Array<{ id: AccountId }>>`
  select id from people where plain_text(name) = any (${[...names]}) limit ${rowsMax}`)

/** Accounts billed to a company of one of these plain names. */
export const findAccountsOfCompany = (sql: Sql, names: ReadonlyArray<string>) =>
  idsOf(sql<Array<{ id: AccountId }>>`
  select account_id as id from billing_details
  where company <> '' and company_core(plain_text(company)) = any (${[...names]}) limit ${rowsMax}`)

/** Accounts whose address begins with one of these words. */
export const findAccountsOfMail = (sql: Sql, words: ReadonlyArray<string>) =>
  idsOf(sql<Array<{ id: AccountId }>>`
  select id from accounts
  where replace(plain_text(split_part(email, '@', 1)), ' ', '') = any (${[...words]}) limit ${rowsMax}`)

const idsOf = async (rows: Promise<ReadonlyArray<{ readonly id: AccountId }>>) =>
  (await rows).map(({ id }) => id)

export interface SuggestedAccount {
  readonly id: AccountId
  readonly email: string
  readonly name: string
  readonly company: string
  /** By its founder. */
  readonly isClosed: boolean
}

export const readSuggested = (
  sql: Sql,
  ids: ReadonlyArray<string>
): Promise<ReadonlyArray<SuggestedAccount>> => sql<Array<SuggestedAccount>>`
  select a.id, a.email, coalesce(p.name, '') as name, coalesce(b.company, '') as company,
    a.closed_at is not null as "isClosed"
  from accounts a left join people p on p.id = a.id left join billing_details b on b.account_id = a.id
  where a.id = any (${[...ids]})`
