/**
 * Makes the partitions of the call log for this month and the next two, where they are not there yet. It takes a lock for which
 * whatever reads all calls is waited for, a backup for hours, and holds of budgets wait behind it meanwhile: so it waits for a
 * moment only, and throws.
 */
import type { Sql } from "../Database.ts"

export const makePartitions = async (sql: Sql): Promise<void> => {
  await sql.begin(async (transaction) => {
    await transaction`set local lock_timeout = '300ms'`
    await transaction`select ensure_call_partitions(current_date)`
  })
}
