/** Maintenance mode: while it is on, new calls are refused on every node. */
import { Effect } from "effect"
import { Database } from "../storage/Database.ts"
import { readMaintenance, writeMaintenance } from "../storage/SettingsStore.ts"
import { awaitNodes } from "./await-nodes.ts"

export const isMaintenanceOn = Effect.fn("isMaintenanceOn")(function* () {
  const database = yield* Database
  return yield* database.run("read maintenance", readMaintenance)
})

/** Once this returns, every node obeys it. */
export const setMaintenance = Effect.fn("setMaintenance")(function* (on: boolean, actor: string) {
  const database = yield* Database
  const eventId = yield* database.run("set maintenance", (sql) => writeMaintenance(sql, on, actor))
  yield* awaitNodes(eventId)
})
