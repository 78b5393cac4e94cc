/** What a start owes to the other nodes that live on its database. */
import { Effect } from "effect"
import { BadSetting, type Settings } from "../../config/settings.ts"
import { simulatedPart, toldUrl } from "../../config/settings-parts.ts"
import { NodeLife } from "../../ledger/NodeLife.ts"
import { Database } from "../../storage/Database.ts"
import { countOtherNodes } from "../../storage/NodeStore.ts"
import { writeDashboardUrl } from "../../storage/SettingsStore.ts"
import { isSetElsewhere } from "../is-set-elsewhere.ts"

/** Other nodes of this database; none where that can not be told. */
export const countOthers = Effect.gen(function* () {
  const database = yield* Database
  const life = yield* NodeLife
  return yield* database
    .run("count nodes", (sql) => countOtherNodes(sql, life.present()?.id))
    .pipe(
      Effect.timeout("1 second"),
      Effect.orElseSucceed(() => 0)
    )
})

/** A machine that was forgotten as keys were handed out would sell the simulator's answers for customers' money. */
export const refuseBesideReal = Effect.gen(function* () {
  if (!(yield* isSetElsewhere({ providers: simulatedPart }))) return
  const reason =
    "no provider has a key or a route here, and a node that lives on this database calls real ones: customers would pay for made-up answers"
  return yield* new BadSetting({ setting: "providers", reason })
})

/** As long as this node runs: of nodes that start at once it may have been the first. */
export const endBesideReal = refuseBesideReal.pipe(Effect.delay("10 seconds"), Effect.forever)

/** Links of commands lead there. Where others live, one that was not told its address does not know better than what stands. */
export const noteAddress = Effect.fnUntraced(function* (settings: Settings) {
  const database = yield* Database
  const isKept = toldUrl(settings) === undefined && (yield* countOthers) > 0
  yield* database.run("note address", (sql) => writeDashboardUrl(sql, settings.publicUrl, isKept))
})
