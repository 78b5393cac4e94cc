/** Settings that operators change while the service runs. */
import type { Sql } from "./Database.ts"
import { announceEvent } from "./announce-event.ts"
import { recordAction } from "./record-action.ts"

export type SettingName = "maintenance" | "model_overrides"

/** `undefined` when it was never set. */
export const readSetting = async (sql: Sql, name: SettingName): Promise<unknown> => {
  const [row] = await sql<Array<{ value: unknown }>>`select value from settings where name = ${name}`
  return row?.value
}

const maintenance: SettingName = "maintenance"

/** The id of the event that tells of it. */
export const writeMaintenance = (sql: Sql, on: boolean, actor: string): Promise<bigint> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into settings (name, value) values (${maintenance}, ${transaction.json(on)})
      on conflict (name) do update set value = excluded.value, updated_at = now()`
    await recordAction(transaction, {
      actor,
      action: "setting.write",
      subject: maintenance,
      detail: { value: on }
    })
    return await announceEvent(transaction, "maintenance")
  })
