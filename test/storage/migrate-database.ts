/** The program's own migration of a test's database, which says nothing of the steps it takes. */
import { Effect, Layer, Logger } from "effect"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { migrate } from "../../src/storage/Migrations.ts"

/** `from`: a folder of other migrations than the program's. */
export const migrateDatabase = (url: string, from?: string) =>
  Effect.runPromise(Effect.provide(migrate(from), Layer.merge(DatabaseUrl.layerOf(url), Logger.layer([]))))
