/** How far the running nodes have come with what they were told. */
import type { Sql } from "./Database.ts"

/** The live nodes that have not yet acted upon an event. */
export const nodesBehind = async (sql: Sql, eventId: bigint): Promise<ReadonlyArray<number>> => {
  const rows = await sql<Array<{ id: number }>>`
    select nodes.id from nodes join live_nodes() as live (id) on live.id = nodes.id
    where nodes.seen_event_id < ${eventId} order by nodes.id`
  return rows.map((row) => row.id)
}
