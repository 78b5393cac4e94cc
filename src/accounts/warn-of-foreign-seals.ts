/** Tells the operator of keys that this node can not show because another's seal key sealed them. */
import { Effect } from "effect"
import { countKeysBySeal } from "../storage/keys/KeyStore.ts"
import { Database } from "../storage/Database.ts"
import { SealKeys } from "./SealKeys.ts"

export const warnOfForeignSeals = Effect.gen(function* () {
  const database = yield* Database
  const sealKeys = yield* SealKeys
  const counts = yield* database.run("count keys by seal", countKeysBySeal)
  const foreign = counts.filter(({ sealKeyId }) => sealKeys.find(sealKeyId) === undefined)
  if (foreign.length === 0) return
  const ids = foreign.map(({ count, sealKeyId }) => `${count} by ${sealKeyId}`).join(", ")
  yield* Effect.logWarning(
    `API keys that were sealed with other seal keys work but can not be shown (${ids}): see TOLLGATE_SEAL_KEY`
  )
}).pipe(
  // The server serves all the same.
  Effect.catchTag("DatabaseError", ({ message }) =>
    Effect.logWarning(`Whether all API keys can be shown is not known: ${message}`)
  )
)
