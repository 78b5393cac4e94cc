/** Whose a secret is, asked of the database on connections that no money waits for. */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../storage/Database.ts"
import { findKeys } from "../../storage/find-keys.ts"
import { KeyLookups } from "./KeyLookups.ts"

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
          database.run("find keys", (sql) => findKeys(sql, secretHashes)),
          findTimeout
        )
      yield* Effect.forkScoped(lookups.serve(find))
      return lookups
    })
  )
}
