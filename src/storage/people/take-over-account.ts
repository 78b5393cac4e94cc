/** Somebody shows that a mail address is theirs, under which somebody else may have set up the account before them. */
import type { AccountId } from "../../domain/ids.ts"
import { announceKeys } from "../announce-event.ts"
import type { Transaction } from "../Database.ts"
import { revokeKeys, revokeTokens } from "./end-access.ts"
import { removeAllMembers } from "./MemberStore.ts"
import { removeSecondFactors } from "./second-factors.ts"
import { deleteWebhooks } from "../alerts/WebhookStore.ts"

/**
 * Ends all by which somebody else could come in, or spend what the owner pays in: of an account whose address nobody has
 * verified and into which nothing was ever paid. Whoever has paid may have forgotten the password of an account that others
 * work by. What the command line has made for it stays, and so does all of an account of the staff.
 */
export const takeOverAccount = async (transaction: Transaction, accountId: AccountId): Promise<void> => {
  // Whoever makes a key or a token just then has done so before, and it ends with the others, or finds that they are signed out.
  const [isAnybodys] = await transaction`
    select from accounts a join people p on p.id = a.id
    where a.id = ${accountId} and not p.email_verified and a.staff_role is null
      and not exists (select from ledger_entries e where e.account_id = a.id)
    for update of a`
  if (isAnybodys === undefined) return
  await removeSecondFactors(transaction, accountId, accountId)
  await transaction`delete from credentials where person_id = ${accountId} and provider <> 'credential'`
  const made = transaction`account_id = ${accountId} and made_by is not null`
  const ended = await revokeKeys(transaction, made, accountId)
  await revokeTokens(transaction, made, accountId)
  await removeAllMembers(transaction, accountId, accountId)
  await deleteWebhooks(transaction, accountId, transaction`true`, accountId)
  await transaction`delete from alert_settings where account_id = ${accountId}`
  // Else the owner's first top-up would be invoiced to somebody else's company.
  await transaction`delete from billing_details where account_id = ${accountId}`
  await announceKeys(transaction, ended)
}
