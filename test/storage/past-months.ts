/** A call log that has been kept for some months, as if a server had run in each of them. */
import type { CallRecord } from "../../src/domain/call.ts"
import { type AccountId, KeyId, makeCallId } from "../../src/domain/ids.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { callOf } from "../accounts/write-calls.ts"

/** Makes the partitions anew, from so many months ago on; there are no calls yet. Answers the months' names, oldest first. */
export const makePastMonths = async (sql: Sql, monthsAgo: number): Promise<ReadonlyArray<string>> => {
  const made = await sql<Array<{ name: string }>>`select name from call_months`
  for (const { name } of made) await sql.unsafe(`drop table calls_${name}`)
  await sql`delete from call_months`
  for (let ago = monthsAgo; ago >= 0; ago--) {
    await sql`select ensure_call_partitions((current_date - ${`${ago} months`}::text::interval)::date)`
  }
  const months = await sql<Array<{ name: string }>>`select name from call_months order by starts_at`
  return months.map(({ name }) => name)
}

/** Noon of the 15th in Viet Nam, so many months ago. */
export const middleOf = (monthsAgo: number): number => {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 15, 5)
}

const tenDaysMs = 864_000_000

/** A charged call of that month; `index` tells calls apart and spreads them over hours and keys. */
export const pastCall = (
  accountId: AccountId,
  monthsAgo: number,
  index: number,
  more: Partial<CallRecord> = {}
): CallRecord => {
  const atMs = middleOf(monthsAgo) + ((index * 1_300_000) % tenDaysMs)
  return callOf(accountId, 0, {
    callId: makeCallId(atMs),
    atMs,
    keyId: KeyId.make(`key_${index % 3}`),
    ...more
  })
}
