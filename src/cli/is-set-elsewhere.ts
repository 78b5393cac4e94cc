/** Whether a node that lives has one of these settings otherwise; false, too, where that can not be looked up. */
import { Effect } from "effect"
import type { SettingsParts } from "../config/settings-parts.ts"
import { Database } from "../storage/Database.ts"
import { isSetOtherwise } from "../storage/NodeSettingsStore.ts"

export const isSetElsewhere = Effect.fnUntraced(function* (parts: SettingsParts) {
  const database = yield* Database
  return yield* database
    .run("compare settings", (sql) => isSetOtherwise(sql, parts))
    .pipe(Effect.orElseSucceed(() => false))
})
