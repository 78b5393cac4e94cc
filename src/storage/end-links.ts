/** Links that were sent or made before something changed, and must not lead back behind it. */
import type { Sql, Transaction } from "./Database.ts"

/** Those that would set a new password. */
export const endResetLinks = async (sql: Sql | Transaction, personId: string): Promise<void> => {
  await sql`delete from verifications where value = ${personId} and identifier like 'reset-password:%'`
}

/** Those that would make another address the person's. */
export const endAddressLinks = async (sql: Sql | Transaction, personId: string): Promise<void> => {
  await sql`delete from verifications
    where identifier like 'address:%' and starts_with(value, ${`{"accountId":"${personId}",`})`
}
