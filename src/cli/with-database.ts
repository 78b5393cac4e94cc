/** Gives a command the database: that of the settings, of a running server, or the embedded one for itself alone. */
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SealKeys } from "../accounts/SealKeys.ts"
import { Config } from "../config.ts"
import { Database } from "../storage/Database.ts"
import { DatabaseUrl } from "../storage/DatabaseUrl.ts"
import { readRunningServer } from "../storage/embedded/announce-server.ts"
import { lockFolder } from "../storage/embedded/lock-folder.ts"
import { startEmbeddedPostgres } from "../storage/EmbeddedPostgres.ts"
import { migrate } from "../storage/Migrations.ts"

type CommandServices = Config | Database | DatabaseUrl | SealKeys

export const withDatabase = <A, E>(command: Effect.Effect<A, E, CommandServices>) =>
  Effect.provide(Effect.andThen(migrate(), command), services)

/** Unlike a server's, this database is not announced: whoever joined it would lose it when the command ends. */
const CommandDatabaseUrl = Layer.effect(
  DatabaseUrl,
  Effect.gen(function* () {
    const { dataDir, databaseUrl } = yield* (yield* Config).get
    const running = databaseUrl ?? (yield* findServerOrLock(dataDir))
    const url = running ?? (yield* startEmbeddedPostgres({ dataDir })).url
    return DatabaseUrl.of({ url: Redacted.make(url) })
  })
)

/** Another command is through in a moment, and a server that is starting will say where it is. */
const findServerOrLock = (dataDir: string) =>
  Effect.gen(function* () {
    const server = yield* readRunningServer(dataDir)
    if (server === undefined) yield* lockFolder(dataDir)
    return server?.databaseUrl
  }).pipe(
    Effect.retry({
      while: ({ _tag }) => _tag === "FolderInUse",
      schedule: Schedule.spaced("100 millis"),
      times: 150
    })
  )

const services = Layer.mergeAll(
  SealKeys.layerWhenAsked,
  Database.layer.pipe(Layer.provideMerge(CommandDatabaseUrl))
).pipe(Layer.provideMerge(Config.layer))
