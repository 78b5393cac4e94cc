/** Links that were sent or made, and sign-ins that were begun, before something changed, and must not lead back behind it. */
import type { Sql, Transaction } from "../Database.ts"

/** All of this person's. */
export const endLinks = async (sql: Sql | Transaction, personId: string): Promise<void> => {
  await sql`select end_links(${personId})`
}

/** Those by which somebody who is none of the staff any more, or may help no longer, would come into customers' accounts. */
export const endLinksMadeBy = async (transaction: Transaction, operator: string): Promise<void> => {
  await transaction`delete from verifications where identifier like 'reset-password:%' and value in (
    select subject from audit_log where actor = ${operator} and action = 'person.reset_link' and at > now() - interval '2 hours')`
}
