/** What nodes tell each other of their settings, as hashes by part (0081-settings-compared.sql). */
import type { Sql } from "./Database.ts"

/** The parts that differ between nodes that live, by name. */
export const readSettingsApart = async (sql: Sql): Promise<ReadonlyArray<string>> => {
  const rows = await sql<Array<{ part: string }>>`
    select part.key as part
    from node_settings s join live_nodes() as live (id) on live.id = s.node_id, jsonb_each_text(s.parts) as part
    group by part.key having count(distinct part.value) > 1 order by part.key`
  return rows.map(({ part }) => part)
}

export const writeNodeSettings = async (
  sql: Sql,
  nodeId: number,
  parts: Readonly<Record<string, string>>
): Promise<void> => {
  await sql`
    insert into node_settings (node_id, parts) select id, ${sql.json(parts)} from nodes where id = ${nodeId}
    on conflict (node_id) do update set parts = excluded.parts where node_settings.parts <> excluded.parts`
}
