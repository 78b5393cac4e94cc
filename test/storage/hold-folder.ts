/**
 * A process of its own for tests: `node hold-folder.ts lock|serve <folder>` takes the folder, with `serve` also runs its
 * database, says `held <url>` or `refused <reason>` in one line, and goes on until its input ends.
 */
import { Effect, Layer } from "effect"
import { once } from "node:events"
import { Config } from "../../src/config.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { readRunningServer } from "../../src/storage/embedded/announce-server.ts"
import { lockFolder } from "../../src/storage/embedded/lock-folder.ts"

const [mode, folder] = [process.argv[2], process.argv[3]!]
const say = (line: string) => Effect.sync(() => process.stdout.write(`${line}\n`))
const untilInputEnds = Effect.promise(() => once(process.stdin.resume(), "end"))

const lock = lockFolder(folder).pipe(
  Effect.andThen(say("held")),
  Effect.andThen(untilInputEnds),
  Effect.scoped
)

const serve = Effect.gen(function* () {
  yield* DatabaseUrl
  const { databaseUrl } = (yield* readRunningServer(folder))!
  yield* say(`held ${databaseUrl}`)
  yield* untilInputEnds
}).pipe(
  Effect.provide(
    DatabaseUrl.layer.pipe(Layer.provide(Config.layerWith(() => ({ DATA_DIR: folder }), folder)))
  )
)

await Effect.runPromise(
  Effect.catch(mode === "lock" ? lock : serve, (error) =>
    say(`refused ${error.message}`)
  ) as Effect.Effect<unknown>
)
