/** Accounts at rest. */
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { Sql } from "./Database.ts"
import { announceEvent } from "./announce-event.ts"
import { recordAction } from "./record-action.ts"

export interface Account {
  readonly accountId: AccountId
  readonly email: string
  readonly status: "active" | "disabled"
  readonly isOperator: boolean
  readonly createdAt: Date
}

export interface NewAccount {
  readonly accountId: AccountId
  readonly email: string
  readonly isOperator: boolean
  /** Given at once, as the wallet's first entry; 0 for none. */
  readonly credit: MicroVnd
  readonly actor: string
}

/** Creates the account with its wallet; `false` when the email belongs to another account. */
export const insertAccount = (sql: Sql, account: NewAccount): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const inserted = await transaction`
      insert into accounts (id, email, is_operator) values (${account.accountId}, ${account.email}, ${account.isOperator})
      on conflict (lower(email)) do nothing returning id`
    if (inserted.length === 0) return false
    await transaction`insert into wallets (account_id, booked_micro_vnd)
      values (${account.accountId}, ${account.credit})`
    if (account.credit !== 0n) {
      await transaction`
        insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason, actor)
        values (${account.accountId}, 'credit', ${`opening_${account.accountId}`}, ${account.credit},
          'opening credit', ${account.actor})`
    }
    await recordAction(transaction, {
      actor: account.actor,
      action: "account.create",
      subject: account.accountId,
      detail: { email: account.email, operator: account.isOperator, credit_micro_vnd: String(account.credit) }
    })
    return true
  })

/** By id or, in any case of letters, by email. */
export const findAccount = async (sql: Sql, emailOrId: string): Promise<Account | undefined> => {
  const [row] = await sql<Array<AccountRow>>`
    select id, email, status, is_operator, created_at from accounts
    where id = ${emailOrId} or lower(email) = lower(${emailOrId})`
  return row === undefined ? undefined : toAccount(row)
}

/** The event that tells of it; `undefined` when there is no such account. */
export const setAccountStatus = (
  sql: Sql,
  accountId: AccountId,
  status: Account["status"],
  actor: string
): Promise<bigint | undefined> =>
  sql.begin(async (transaction) => {
    const updated =
      await transaction`update accounts set status = ${status} where id = ${accountId} returning id`
    if (updated.length === 0) return undefined
    await recordAction(transaction, {
      actor,
      action: status === "active" ? "account.enable" : "account.disable",
      subject: accountId
    })
    return await announceEvent(transaction, "account", accountId)
  })

interface AccountRow {
  readonly id: AccountId
  readonly email: string
  readonly status: Account["status"]
  readonly is_operator: boolean
  readonly created_at: Date
}

const toAccount = (row: AccountRow): Account => ({
  accountId: row.id,
  email: row.email,
  status: row.status,
  isOperator: row.is_operator,
  createdAt: row.created_at
})
