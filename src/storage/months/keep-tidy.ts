/** What the tables need while months go by under a running server. */
import { Effect, Schedule } from "effect"
import { Database, longWorkMs, type Sql } from "../Database.ts"
import { isBusy } from "../is-busy.ts"
import { makePartitions } from "./make-partitions.ts"

/** Runs until it is interrupted. Several nodes may do it at once. */
export const keepTidy = Effect.gen(function* () {
  const database = yield* Database
  return yield* database.run("keep the tables tidy", tidy, longWorkMs).pipe(
    Effect.retry({ while: isBusy, schedule: Schedule.spaced("1 minute") }),
    Effect.catchTag("DatabaseError", (error) => Effect.logError(error.message)),
    Effect.repeat(Schedule.spaced("6 hours")),
    // Also where no process lives for as long as that.
    Effect.delay("2 minutes")
  )
})

/** How many wallets are booked in one statement. */
const tidiedAtOnce = 1_000

/**
 * The next months of the call log must be there before their first call; events of days past concern nobody, and what
 * has expired lets nobody in: most sessions end by never being used again. All of it as of `tidy_now`, which a clock that leaps takes along
 * by days only.
 */
export const tidy = async (sql: Sql): Promise<void> => {
  await sql`select move_tidy_clock()`
  // Never the latest: where a clock was ahead for a while, older ones may have the later times, and nodes would take what they have heard
  // for lost with a database that was put back.
  await sql`delete from node_events
    where at < tidy_now() - interval '2 days' and id < (select max(id) from node_events)`
  await sql`delete from route_health where at < tidy_now() - interval '48 hours'`
  await sql`delete from node_answers where event_id not in (select id from node_events)`
  // A few at a time, so that nobody waits for their locks for long.
  let booked: number
  do {
    const [row] = await sql<[{ wallets: number }]>`select tidy_gone(${tidiedAtOnce}) as wallets`
    booked = row.wallets
  } while (booked === tidiedAtOnce)
  // What calls held of budgets of keys that have had no call since; no call lasts for a day.
  await sql`delete from key_holds where call_id in (
    select h.call_id from key_holds h join keys k on k.id = h.key_id where h.at < tidy_now() - interval '1 day'
      or exists (select from calls c where c.account_id = k.account_id and c.at = h.at and c.id = h.call_id offset 0)
    for update of h skip locked)`
  await sql`delete from sessions where expires_at < tidy_now()`
  // A delivery whose job was lost with the queue's own retention; its last attempt was more than a day ago.
  await sql`update alert_deliveries set status = 'given_up', ended_at = now()
    where status = 'pending' and begun_at < tidy_now() - interval '2 days'`
  await sql`delete from alerts where at < tidy_now() - interval '90 days'`
  await sql`delete from alert_states s using keys k where s.subject = k.id and k.status <> 'active'`
  await sql`delete from verifications where expires_at < tidy_now()`
  // Last: the rest need not wait until a backup has read all calls.
  await makePartitions(sql)
}
