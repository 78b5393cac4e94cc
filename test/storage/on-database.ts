/** What the command line and the dashboard do with a database, done on that of a test. */
import { Effect, Layer } from "effect"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"

export const onDatabase = <A, Failure>(
  databaseUrl: string,
  effect: Effect.Effect<A, Failure, Database>
): Promise<A> =>
  Effect.runPromise(Effect.provide(effect, Layer.provide(Database.layer, DatabaseUrl.layerOf(databaseUrl))))
