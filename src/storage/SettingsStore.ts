/** Settings that operators change while the service runs. */
import type { Sql } from "./Database.ts"
import { announceEvent, type EventKind } from "./announce-event.ts"
import { recordAction } from "./record-action.ts"

export type SettingValue = string | number | boolean | null

/** `undefined` when it was never set. */
export const readSetting = async (sql: Sql, name: string): Promise<unknown> => {
  const [row] = await sql<Array<{ value: unknown }>>`select value from settings where name = ${name}`
  return row?.value
}

export interface SettingChange {
  readonly name: string
  readonly value: SettingValue
  /** What running nodes are told. */
  readonly event: EventKind
  readonly actor: string
}

/** The event that tells of it. */
export const writeSetting = (sql: Sql, { actor, event, name, value }: SettingChange): Promise<bigint> =>
  sql.begin(async (transaction) => {
    await transaction`
      insert into settings (name, value) values (${name}, ${transaction.json(value)})
      on conflict (name) do update set value = excluded.value, updated_at = now()`
    await recordAction(transaction, { actor, action: "setting.write", subject: name, detail: { value } })
    return await announceEvent(transaction, event)
  })
