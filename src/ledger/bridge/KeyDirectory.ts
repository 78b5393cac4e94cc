/** Whose a secret is, asked of the database on connections that no money waits for. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../storage/Database.ts"
import { findKeys } from "../../storage/keys/find-keys.ts"
import { KeyLookups } from "./KeyLookups.ts"

/** What swallows one answer swallows more: then all connections that rest are closed, before the next look-up. */
const answerWithinMs = 2_000
/** With the wait for a connection. */
const findTimeout = "3 seconds"

export class KeyDirectory extends Context.Service<
  KeyDirectory,
  Pick<KeyLookups, "identify" | "counts" | "waiting">
>()("tollgate/ledger/KeyDirectory") {
  static readonly layer = Layer.effect(
    KeyDirectory,
    Effect.gen(function* () {
      const database = yield* Database
      const lookups = new KeyLookups()
      const find = (secretHashes: ReadonlyArray<Uint8Array>) =>
        Effect.timeout(
          database.run("find keys", (sql) => findKeys(sql, secretHashes), answerWithinMs),
          findTimeout
        )
      yield* Effect.forkScoped(lookups.serve(find))
      return lookups
    })
  )
}
