/**
 * Jobs go by the database's clock. Where that was ahead and is set back, what was written down meanwhile is ahead of now for as long as
 * that was: nothing would be begun each minute, tried again or taken back from a node that is gone until then.
 */
import type { Sql } from "../Database.ts"

/** As if it had been written now. Harmless to repeat, on any node. */
export const setJobsBack = async (sql: Sql): Promise<void> => {
  await sql`
    update jobs.version set cron_on = least(cron_on, now()), bam_on = least(bam_on, now()), flow_on = least(flow_on, now()),
      reindex_on = least(reindex_on, now()), monitor_backoff_on = null
    where greatest(cron_on, bam_on, flow_on, reindex_on) > now() + interval '1 minute'`
  await sql`
    update jobs.queue set monitor_on = least(monitor_on, now()), maintain_on = least(maintain_on, now()),
      monitor_claim_on = least(monitor_claim_on, now()), retained_on = least(retained_on, now()), delta_on = least(delta_on, now())
    where greatest(monitor_on, maintain_on, monitor_claim_on, retained_on, delta_on) > now() + interval '1 minute'`
  await sql`
    update jobs.job set start_after = least(start_after, now()),
      started_on = case when started_on > now() then now() else started_on end,
      heartbeat_on = case when heartbeat_on > now() then now() else heartbeat_on end
    where state < 'completed' and (greatest(started_on, heartbeat_on) > now() + interval '1 minute'
      or start_after > now() + (coalesce(retry_delay_max, 0) + 60) * interval '1 second')`
  // One of each minute: those that were done in minutes to come would be missed in these.
  await sql`
    update jobs.job set singleton_on = null where singleton_on > (now() + interval '1 minute') at time zone 'UTC'`
}
