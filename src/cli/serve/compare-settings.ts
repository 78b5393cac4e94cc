/** Has the nodes of a cluster compare their settings: where these differ, calls cost or are limited otherwise by where they come in. */
import { Effect, type Scope } from "effect"
import { SealKeys } from "../../accounts/SealKeys.ts"
import { Config } from "../../config.ts"
import { settingsParts } from "../../config/settings-parts.ts"
import { NodeLife } from "../../ledger/NodeLife.ts"
import { Database, type DatabaseError } from "../../storage/Database.ts"
import { readSettingsApart, writeNodeSettings } from "../../storage/NodeSettingsStore.ts"

const lookEvery = "1 minute"

/** Settings are changed on one node after the other. */
const looksUntilTold = 10

/** The parts that differed between live nodes when they were last looked at. */
export type SettingsApart = () => ReadonlyArray<string>

/** Looks until its scope closes. */
export const compareSettings = Effect.gen(function* () {
  const config = yield* Config
  const database = yield* Database
  const life = yield* NodeLife
  const { current } = yield* SealKeys
  return yield* watchSettings(
    Effect.gen(function* () {
      const { id } = yield* life.begun
      // Rows that it seals say its id, too.
      const parts = { ...settingsParts(yield* config.get), seal_key: current.id }
      yield* database.run("tell settings", (sql) => writeNodeSettings(sql, id, parts))
      return yield* database.run("compare settings", readSettingsApart)
    })
  )
})

/** A difference that stays is told once in the log, and once more when another part differs. */
export const watchSettings = Effect.fnUntraced(function* (
  look: Effect.Effect<ReadonlyArray<string>, DatabaseError>
): Effect.fn.Return<SettingsApart, never, Scope.Scope> {
  let apart: ReadonlyArray<string> = []
  let looks = 0
  const note = (found: ReadonlyArray<string>) => {
    looks = String(found) === String(apart) ? looks + 1 : 1
    apart = found
    return apart.length > 0 && looks === looksUntilTold
      ? Effect.logWarning(
          `Nodes of this database have had different settings for minutes: ${apart.join(", ")}. What a call costs or is allowed, or what customers are shown and sent, depends on where it comes in`
        )
      : Effect.void
  }
  yield* Effect.flatMap(look, note).pipe(
    Effect.catchTag("DatabaseError", ({ message }) => Effect.logDebug(message)),
    Effect.andThen(Effect.sleep(lookEvery)),
    Effect.forever,
    Effect.forkScoped
  )
  return () => apart
})
