/** Which PostgreSQL the program works on: the one named in the settings, or else its own. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Config } from "../config.ts"
import { announceServer, readRunningServer } from "./embedded/announce-server.ts"
import { lockFolder } from "./embedded/lock-folder.ts"
import { startEmbeddedPostgres } from "./EmbeddedPostgres.ts"

export class DatabaseUrl extends Context.Service<DatabaseUrl, { readonly url: Redacted.Redacted }>()(
  "tollgate/storage/DatabaseUrl"
) {
  /** For the server: takes the data folder for itself and tells other processes where its database is. */
  static readonly layer = Layer.effect(
    DatabaseUrl,
    Effect.gen(function* () {
      const { dataDir, databaseUrl } = yield* Effect.flatMap(Config, (config) => config.get)
      yield* lockFolder(dataDir)
      const url = databaseUrl ?? (yield* startEmbeddedPostgres({ dataDir })).url
      yield* announceServer(dataDir, url)
      return DatabaseUrl.of({ url: Redacted.make(url) })
    })
  )

  /** For the command line: joins a running server, and acts as one itself where there is none. */
  static readonly layerForCommands = Layer.unwrap(
    Effect.gen(function* () {
      const { dataDir, databaseUrl } = yield* Effect.flatMap(Config, (config) => config.get)
      const url = databaseUrl ?? (yield* readRunningServer(dataDir))?.databaseUrl
      return url === undefined ? DatabaseUrl.layer : DatabaseUrl.layerOf(url)
    })
  )

  static readonly layerOf = (url: string) =>
    Layer.succeed(DatabaseUrl, DatabaseUrl.of({ url: Redacted.make(url) }))
}
