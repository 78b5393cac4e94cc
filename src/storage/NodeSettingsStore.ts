/** What nodes tell each other of their settings, as hashes by part (0081-settings-compared.sql). */
import type { SettingsParts } from "../config/settings-parts.ts"
import type { Sql, Transaction } from "./Database.ts"

/** The parts that differ between nodes that live, by name. */
export const readSettingsApart = async (sql: Sql): Promise<ReadonlyArray<string>> => {
  const rows = await sql<Array<{ part: string }>>`
    select part.key as part
    from node_settings s join live_nodes() as live (id) on live.id = s.node_id, jsonb_each_text(s.parts) as part
    group by part.key having count(distinct part.value) > 1 order by part.key`
  return rows.map(({ part }) => part)
}

/** Whether a node that lives has one of these parts otherwise; what it does not tell counts for nothing. */
export const isSetOtherwise = async (sql: Sql | Transaction, parts: SettingsParts): Promise<boolean> => {
  const [row] = await sql<[{ is_set: boolean }]>`
    select exists (
      select from node_settings s join live_nodes() as live (id) on live.id = s.node_id,
        jsonb_each_text(${JSON.stringify(parts)}::text::jsonb) as own
      where s.parts->>own.key <> own.value
    ) as is_set`
  return row.is_set
}

export const writeNodeSettings = async (sql: Sql, nodeId: number, parts: SettingsParts): Promise<void> => {
  await sql`
    insert into node_settings (node_id, parts) select id, ${sql.json(parts)} from nodes where id = ${nodeId}
    on conflict (node_id) do update set parts = excluded.parts where node_settings.parts <> excluded.parts`
}
