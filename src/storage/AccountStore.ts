/** Accounts at rest. */
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { operatorScopes } from "../domain/management-scopes.ts"
import { mayDo, type StaffRole } from "../domain/staff-roles.ts"
import type { Sql, Transaction } from "./Database.ts"
import { announceEvent } from "./announce-event.ts"
import { arrayText } from "./array-text.ts"
import { revokeTokens } from "./people/end-access.ts"
import { endLinks, endLinksMadeBy } from "./people/end-links.ts"
import { isLastOwner } from "./people/keep-owner.ts"
import { recordAction } from "./record-action.ts"
import { withKeysOf } from "./calls/with-keys-of.ts"

export interface Account {
  readonly accountId: AccountId
  readonly email: string
}

export type AccountStatus = "active" | "disabled"

export interface NewAccount {
  readonly accountId: AccountId
  readonly email: string
  /** `undefined` for customers. */
  readonly role: StaffRole | undefined
  /** Given at once, as the wallet's first entry; 0 for none. */
  readonly credit: MicroVnd
  readonly actor: string
}

/** Creates the account with its wallet; `false` when the email belongs to another account. */
export const insertAccount = (sql: Sql, account: NewAccount): Promise<boolean> =>
  sql.begin(async (transaction) => {
    const inserted = await transaction`
      insert into accounts (id, email, staff_role)
      values (${account.accountId}, ${account.email}, ${account.role ?? null})
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
      detail: { email: account.email, role: account.role ?? null, credit_micro_vnd: String(account.credit) }
    })
    return true
  })

/** By id or, in any case of letters, by email. */
export const findAccount = async (sql: Sql, emailOrId: string): Promise<Account | undefined> => {
  const [account] = await sql<Array<Account>>`
    select id as "accountId", email from accounts where id = ${emailOrId} or lower(email) = lower(${emailOrId})`
  return account
}

/** Whether its founder has closed it. Until the transaction ends nobody closes it, or opens it again. */
export const isAccountClosed = async (transaction: Transaction, accountId: AccountId): Promise<boolean> => {
  const [row] = await transaction<Array<{ closed: boolean }>>`
    select closed_at is not null as closed from accounts where id = ${accountId} for share`
  return row?.closed === true
}

/** The event that tells of it, also where it is so already. The last owner who can sign in is not disabled. */
export const setAccountStatus = (
  sql: Sql,
  accountId: AccountId,
  status: AccountStatus,
  actor: string
): Promise<bigint | "no account" | "last owner"> =>
  sql.begin(async (transaction) => {
    if (status === "disabled" && (await isLastOwner(transaction, accountId))) return "last owner"
    const [account] = await transaction<Array<{ status: AccountStatus }>>`
      select status from accounts where id = ${accountId} for no key update`
    if (account === undefined) return "no account"
    await transaction`
      update accounts set status = ${status}, closed_at = case when ${status} = 'disabled' then closed_at end
      where id = ${accountId}`
    if (status === "disabled") {
      // Whoever had begun a change of its address could else have it once it is enabled again.
      await endLinks(transaction, accountId)
      await endLinksMadeBy(transaction, accountId)
    }
    if (account.status !== status)
      await recordAction(transaction, {
        actor,
        action: status === "active" ? "account.enable" : "account.disable",
        subject: accountId
      })
    return await announceEvent(transaction, "account", accountId)
  })

/** Gives a role or, with `undefined`, takes it; the last owner who can sign in stays. */
export const setStaffRole = (
  sql: Sql,
  accountId: AccountId,
  role: StaffRole | undefined,
  actor: string
): Promise<"set" | "no account" | "last owner"> =>
  sql.begin(async (transaction) => {
    const isLast = await isLastOwner(transaction, accountId)
    const [account] = await transaction<Array<{ readonly staff_role: StaffRole | null }>>`
      select staff_role from accounts where id = ${accountId} for update`
    if (account === undefined) return "no account"
    const former = account.staff_role ?? undefined
    if (former === role) return "set"
    if (isLast) return "last owner"
    await transaction`update accounts set staff_role = ${role ?? null} where id = ${accountId}`
    // Whoever made a link into the customer's account must not come by it into that of one of the staff.
    if (former === undefined) await endLinks(transaction, accountId)
    if (!mayDo(role, "help")) await endLinksMadeBy(transaction, accountId)
    // Else they would be good again once whoever made them is given a role again.
    if (role === undefined) {
      const scopes = arrayText(operatorScopes, (scope) => scope)
      await revokeTokens(
        transaction,
        transaction`account_id = ${accountId} and scopes && ${scopes}::text[]`,
        actor
      )
    }
    await recordAction(transaction, {
      actor,
      action: "account.role",
      subject: accountId,
      detail: { role: role ?? null, former_role: former ?? null }
    })
    return "set"
  })

/** How far an account has come, or with the keys of one person: its active keys, and whether anything was ever called. */
export const readProgress = async (
  sql: Sql,
  accountId: AccountId,
  madeBy?: AccountId
): Promise<{ readonly activeKeys: number; readonly hasCalls: boolean }> => {
  const [row] = await sql<[{ active_keys: number; has_calls: boolean }]>`
    select (select count(*)::int from keys where account_id = ${accountId} and status = 'active'
        ${madeBy === undefined ? sql`` : sql`and made_by = ${madeBy}`}) as active_keys,
      exists (select from usage_hours where account_id = ${accountId} ${withKeysOf(sql, { accountId, madeBy })}) as has_calls`
  return { activeKeys: row.active_keys, hasCalls: row.has_calls }
}
