/** Holds a wallet's row for a while, so that whoever claims it has to wait. */
import type { Customer } from "./call-record.ts"
import { openSql } from "../storage/with-sql.ts"

export const lockWallet = async (url: string, { accountId }: Customer) => {
  const sql = openSql(url, 2)
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const ended = sql.begin(async (transaction) => {
    await transaction`select from wallets where account_id = ${accountId} for update`
    locked.resolve()
    await held.promise
  })
  await locked.promise
  return {
    /** Waits until somebody does. */
    whileOthersWait: async () => {
      for (let waiting = 0; waiting === 0;) {
        const rows = await sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and query like '%claim_wallets%' and datname = current_database()`
        waiting = rows.length
      }
    },
    release: async () => {
      held.resolve()
      await ended
      await sql.end()
    }
  }
}
