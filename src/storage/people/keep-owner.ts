/** The service is never without somebody who may administer it. */
import type { AccountId } from "../../domain/ids.ts"
import type { Transaction } from "../Database.ts"

/**
 * Whether nobody else is an owner who can sign in, so that this account has to stay one. Asked in the transaction that
 * disables or closes the account or takes its role, before it locks any other account: all owners and this account, which may
 * become an owner's meanwhile, are locked in one order, so that of two who do it to each other at once the second is told. A key
 * or a budget of a member who is an owner, too, is written meanwhile: whoever writes it holds the account and waits for nobody here.
 */
export const isLastOwner = async (transaction: Transaction, accountId: AccountId): Promise<boolean> => {
  const locked = await transaction<Array<{ id: string; isOwner: boolean; mayEnter: boolean }>>`
    select id, staff_role is not distinct from 'owner' as "isOwner",
      status = 'active' and exists (select from credentials c where c.person_id = a.id) as "mayEnter"
    from accounts a where staff_role = 'owner' or id = ${accountId} order by id for no key update of a`
  const owners = locked.filter(({ isOwner }) => isOwner)
  return (
    owners.some(({ id }) => id === accountId) &&
    !owners.some(({ id, mayEnter }) => id !== accountId && mayEnter)
  )
}
