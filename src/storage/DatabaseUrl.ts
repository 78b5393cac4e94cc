/** Which PostgreSQL the program works on: the one named in the settings, or else its own. */
import { Context, Effect, Layer, Redacted } from "effect"
import { Config } from "../config.ts"
import { announceServer } from "./embedded/announce-server.ts"
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
      const { socketUrl, url } =
        databaseUrl === undefined
          ? yield* startEmbeddedPostgres({ dataDir })
          : { socketUrl: databaseUrl, url: databaseUrl }
      yield* announceServer(dataDir, url)
      return DatabaseUrl.of({ url: Redacted.make(socketUrl) })
    })
  )

  static readonly layerOf = (url: string) =>
    Layer.succeed(DatabaseUrl, DatabaseUrl.of({ url: Redacted.make(url) }))
}
