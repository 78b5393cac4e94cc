/** Every setting the program reads, in one place. Nothing else touches the environment or `tollgate.yaml`. */
import { Context, Effect, FiberSet, Layer, References, type Stream, SubscriptionRef } from "effect"
import { loadSettings } from "./config/load-settings.ts"
import { minimumLogLevel } from "./config/minimum-log-level.ts"
import { BadSetting, type Environment, type Settings } from "./config/settings.ts"
import { watchTerminal } from "./config/watch-terminal.ts"

/** The settings in force. Those that can change at run time do so on SIGHUP; that of a terminal which was closed stops all. */
export class Config extends Context.Service<
  Config,
  {
    readonly get: Effect.Effect<Settings>
    /** Reads the file again and answers what is then in force; a bad file is logged and changes nothing. */
    readonly reload: Effect.Effect<Settings>
    /** Puts in what became known while starting, such as a port; it is put in again after each reload. */
    readonly adjust: (change: (settings: Settings) => Settings) => Effect.Effect<Settings>
    /** The settings in force, and again each time they change. */
    readonly changes: Stream.Stream<Settings>
  }
>()("tollgate/config/Config") {
  /** `read` is asked anew at each reload. Fails with the one setting that stops the start. */
  static readonly layerWith = (read: () => Environment, cwd: string) =>
    Layer.effect(
      Config,
      Effect.gen(function* () {
        const load = Effect.suspend(() => loadSettings(read(), cwd))
        let loaded = yield* load
        let adjustment = (settings: Settings) => settings
        const settings = yield* SubscriptionRef.make(loaded)
        const reload = SubscriptionRef.updateAndGetEffect(settings, (current) =>
          load.pipe(
            Effect.flatMap((next) => keepFixed(loaded, next)),
            Effect.map((next) => adjustment((loaded = next))),
            Effect.catchTag("BadSetting", (error) =>
              Effect.as(Effect.logError(`${error.message}; the settings in force stay`), current)
            )
          )
        )
        yield* onHangUp(
          Effect.flatMap(SubscriptionRef.get(settings), (before) =>
            Effect.flatMap(reload, (after) => (after === before ? Effect.void : sayReadAgain(after)))
          )
        )
        return Config.of({
          get: SubscriptionRef.get(settings),
          reload,
          adjust: (change) =>
            SubscriptionRef.updateAndGet(settings, (current) => {
              const before = adjustment
              adjustment = (next) => change(before(next))
              return change(current)
            }),
          changes: SubscriptionRef.changes(settings)
        })
      })
    )

  static readonly layer = Layer.suspend(() => Config.layerWith(environment, process.cwd()))

  /** These settings, unchanging. */
  static readonly layerOf = (settings: Settings) =>
    Layer.effect(
      Config,
      Effect.map(SubscriptionRef.make(settings), (held) =>
        Config.of({
          get: SubscriptionRef.get(held),
          reload: SubscriptionRef.get(held),
          adjust: (change) => SubscriptionRef.updateAndGet(held, change),
          changes: SubscriptionRef.changes(held)
        })
      )
    )
}

/** The environment of this process. */
const environment = (): Environment => process.env

/**
 * uWebSockets.js takes no more than 4 KiB of request headers unless the environment says otherwise when it is loaded;
 * clients that send many beta flags, traces and cookies need more.
 */
export const takeLongHeaders = (): void => {
  process.env["UWS_HTTP_MAX_HEADERS_SIZE"] ??= String(64 * 1024)
}

/** What only a restart changes: sockets, threads and files that are open. */
const fixed = [
  "host",
  "port",
  "publicUrl",
  "databaseUrl",
  "dataDir",
  "sealKeys",
  "gatewayThreads",
  "codecThreads",
  "telemetry",
  "mail",
  "oauth",
  "einvoice"
] as const satisfies ReadonlyArray<keyof Settings>

const keepFixed = Effect.fnUntraced(function* (current: Settings, next: Settings) {
  // Customers must never get a simulator's answers because a line was lost from the file.
  if (current.simulated !== next.simulated) {
    const reason = "changing between the simulator and real providers needs a restart"
    return yield* new BadSetting({ setting: "providers", reason })
  }
  const kept = fixed.filter((name) => JSON.stringify(current[name]) !== JSON.stringify(next[name]))
  if (kept.length > 0) yield* Effect.logWarning(`Only a restart changes ${kept.join(", ")}; kept as before`)
  const held = Object.fromEntries(fixed.map((name) => [name, current[name]]))
  return { ...next, ...held } as Settings
})

/** Settings are first read before any of them can set a level: the command line's would swallow this. */
const sayReadAgain = ({ logLevel }: Settings): Effect.Effect<void> =>
  Effect.provideService(
    Effect.logInfo("Settings read again"),
    References.MinimumLogLevel,
    minimumLogLevel(logLevel)
  )

const onHangUp = Effect.fnUntraced(function* (reload: Effect.Effect<void>) {
  const run = yield* FiberSet.makeRuntime<never>()
  const isTerminalGone = watchTerminal()
  const listener = () => {
    if (isTerminalGone()) process.kill(process.pid, "SIGTERM")
    else run(reload)
  }
  yield* Effect.acquireRelease(
    Effect.sync(() => process.on("SIGHUP", listener)),
    () => Effect.sync(() => process.off("SIGHUP", listener))
  )
})
