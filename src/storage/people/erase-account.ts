/** What names or reaches the person of an account, taken away once they ask for it; the books stay. */
import { erasedAddress, isErased } from "../../domain/erased-address.ts"
import type { AccountId } from "../../domain/ids.ts"
import { announceEvent, announceKeys } from "../announce-event.ts"
import type { Sql } from "../Database.ts"
import { recordAction } from "../record-action.ts"
import { endAllAccess } from "./change-person.ts"
import { endLinks } from "./end-links.ts"
import { lockAccount, removeAllMembers } from "./MemberStore.ts"

/**
 * Of an account that is disabled or closed: name, address, all ways to sign in, members, billing details, alerts with what
 * was sent of them, webhooks, invitations, and what keys and tokens are called. Calls, the ledger, top-ups, transfers,
 * invoices, the notes of operators and the audit log stay as they are. Answers the event that tells of it.
 */
export const eraseAccount = (
  sql: Sql,
  accountId: AccountId,
  actor: string
): Promise<bigint | "no account" | "active"> =>
  sql.begin(async (transaction) => {
    await lockAccount(transaction, accountId)
    const [account] = await transaction<
      Array<{ email: string; status: string; isClosed: boolean; hasPerson: boolean }>
    >`
      select email, status, closed_at is not null as "isClosed", exists (select from people p where p.id = a.id) as "hasPerson"
      from accounts a where id = ${accountId}`
    if (account === undefined) return "no account"
    if (account.status === "active") return "active"
    if (isErased({ ...account, accountId })) return announceEvent(transaction, "account", accountId)

    const email = erasedAddress(accountId)
    const ofAccount = transaction`account_id = ${accountId}`
    const keys = await endAllAccess(transaction, accountId, actor)
    // Before members are removed, which would have the audit log say whom they had invited.
    await transaction`delete from invitations where ${ofAccount} or accepted_by = ${accountId} or email = lower(${account.email})`
    await removeAllMembers(transaction, accountId, actor)
    await endLinks(transaction, accountId)
    // With sessions, passwords, accounts elsewhere, second factors and passkeys.
    await transaction`delete from people where id = ${accountId}`
    await transaction`delete from alert_deliveries where ${ofAccount} or person_id = ${accountId}`
    // Accounts of others are told by name whose budget is spent.
    await transaction`
      update alerts set detail = jsonb_set(detail, '{member,name}', to_jsonb(${email}::text))
      where subject = ${accountId} and starts_with(kind, 'member_budget.')`
    for (const table of ["alert_events", "alert_states", "alerts", "alert_settings", "webhook_endpoints"])
      await transaction`delete from ${transaction(table)} where ${ofAccount}`
    await transaction`delete from billing_details where ${ofAccount}`
    await transaction`update keys set name = hint, allowed_ips = null where ${ofAccount}`
    await transaction`update management_tokens set name = hint where ${ofAccount}`
    await transaction`
      update accounts set email = ${email}, staff_role = null, closed_at = coalesce(closed_at, now()) where id = ${accountId}`
    await recordAction(transaction, { actor, action: "account.erase", subject: accountId })
    await announceKeys(transaction, keys)
    return await announceEvent(transaction, "account", accountId)
  })
