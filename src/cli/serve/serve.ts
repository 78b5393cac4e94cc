/** The server, whole: every layer it stands on, the order in which it starts, and how it stops. Read this first. */
import { Deferred, Effect, Exit, Layer, Redacted, References, Stream } from "effect"
import { SealKeys } from "../../accounts/SealKeys.ts"
import { warnOfForeignSeals } from "../../accounts/warn-of-foreign-seals.ts"
import { Config, takeLongHeaders } from "../../config.ts"
import { withPort, withSimulator } from "../../config/adjust-settings.ts"
import { localUrl } from "../../config/load-settings.ts"
import { minimumLogLevel } from "../../config/minimum-log-level.ts"
import type { Settings } from "../../config/settings.ts"
import { serveOperations } from "../../http/serve-operations.ts"
import * as Journal from "../../ledger/journal/Journal.ts"
import { Ledger } from "../../ledger/node/Ledger.ts"
import { sqlJournal } from "../../ledger/journal/sql-journal.ts"
import * as Lease from "../../ledger/node/Lease.ts"
import { sqlLease } from "../../ledger/node/LeaseStore.ts"
import { NodeLife } from "../../ledger/NodeLife.ts"
import { FileTokens } from "../../ledger/node/NodeTokens.ts"
import { LedgerServer } from "../../ledger/node/LedgerServer.ts"
import { NodeEvents } from "../../ledger/node/NodeEvents.ts"
import { keyReports } from "../../accounts/key-reports.ts"
import { KeyDirectory } from "../../ledger/bridge/KeyDirectory.ts"
import { Database } from "../../storage/Database.ts"
import { DatabaseUrl } from "../../storage/DatabaseUrl.ts"
import { keepMonths } from "../../storage/months/keep-months.ts"
import { keepTidy } from "../../storage/months/keep-tidy.ts"
import * as Migrations from "../../storage/Migrations.ts"
import { warnOfLoss } from "../../storage/warn-of-loss.ts"
import { logLines } from "../../telemetry/log-lines.ts"
import { crashOnSignal } from "../../threads/crash-on-signal.ts"
import { GatewayThreads } from "../../threads/GatewayThreads.ts"
import { keepDashboardThread, startSimulatorThread } from "../../threads/HelperThreads.ts"
import { countOthers, endBesideReal, noteAddress, refuseBesideReal } from "./among-nodes.ts"
import { announce } from "./announce.ts"
import { compareSettings } from "./compare-settings.ts"
import { watchMainThread } from "./end-on-fault.ts"
import { firstRun } from "./first-run.ts"
import { keepRouteHealth } from "./keep-route-health.ts"
import { makeOperationsPages } from "./operations-pages.ts"
import { settingsInForce } from "./settings-in-force.ts"
import { noteUp } from "./say-when-slow.ts"
import { warnOfUnread } from "./warn-of-unread.ts"

const run = Effect.gen(function* () {
  const config = yield* Config
  const threads = yield* GatewayThreads
  const events = yield* NodeEvents
  const ownFault = yield* watchMainThread

  takeLongHeaders()
  const { simulated } = yield* config.get
  if (simulated) {
    const simulatorUrl = yield* startSimulatorThread
    yield* config.adjust((settings) => withSimulator(settings, simulatorUrl))
  }

  // What changes from here on: settings by SIGHUP, models and routes by operators.
  const apply = Effect.flatMap(settingsInForce, (settings) =>
    threads.apply(settings, events.overrides())
  ).pipe(
    Effect.tap((silent) =>
      silent.length === 0
        ? Effect.void
        : Effect.logWarning(
            `What was changed is not in force yet on gateway thread ${silent.join(", ")}, which gives no answer`
          )
    )
  )
  const context = yield* Effect.context<Config | NodeEvents | SealKeys>()
  events.onChanges(
    Effect.provide(
      Effect.map(apply, (silent) => silent.length === 0),
      context
    )
  )

  const pages = yield* makeOperationsPages(yield* compareSettings)
  threads.setPages(pages)
  // What a former process left of its life has ended when ours begins.
  yield* Effect.timeoutOption((yield* NodeLife).begun, "3 seconds")
  if (simulated) yield* refuseBesideReal
  const isPortShared = (yield* countOthers) > 0
  const port = yield* threads.start(yield* settingsInForce, events.overrides(), isPortShared)
  const settings = yield* config.adjust((settings) => withPort(settings, port))
  if (settings.operationsPort !== undefined) {
    const { host, operationsPort } = settings
    const taken = yield* serveOperations({ host, port: operationsPort }, pages.page)
    yield* Effect.logInfo(`Operations are told of on ${localUrl(host, taken)}`)
  }
  if (settings.crashOnSignal === "gateway") yield* crashOnSignal(threads.crash)

  yield* Effect.forkScoped(keepRouteHealth)
  yield* Effect.forkScoped(keepTidy)
  yield* Effect.forkScoped(keepMonths(Effect.map(config.get, ({ retention }) => retention)))
  yield* Effect.forkScoped(warnOfForeignSeals)
  yield* Effect.forkScoped(warnOfLoss)
  yield* Effect.forkScoped(warnOfUnread)

  const applied = yield* Deferred.make<void>()
  yield* config.changes.pipe(
    Stream.runForEach(() => Effect.andThen(apply, Deferred.succeed(applied, undefined))),
    Effect.forkScoped
  )

  const { url } = yield* DatabaseUrl
  const withDatabase = (settings: Settings) => ({ ...settings, databaseUrl: Redacted.value(url) })
  if (settings.hasDashboard)
    yield* keepDashboard(Stream.map(config.changes, withDatabase), pages).pipe(Effect.forkScoped)
  // Added last, so that it comes first: calls are what a stop is about.
  yield* Effect.addFinalizer((exit) =>
    Effect.flatMap(config.get, (settings) => stop(settings, Exit.hasInterrupts(exit)))
  )
  // Calls are told the address with the port that was taken.
  yield* Deferred.await(applied)
  yield* noteUp
  if (settings.hasDashboard) yield* noteAddress(settings)
  yield* announce(settings, yield* firstRun(settings))
  return yield* Effect.raceFirst(Deferred.await(ownFault), simulated ? endBesideReal : Effect.never)
})

/**
 * New calls are refused; but where this node was asked to stop and others live, they are served until balancers and clients have gone
 * to these. Those under way finish or are ended at the limit, then everything below closes.
 */
const stop = (settings: Settings, isAsked: boolean) =>
  Effect.gen(function* () {
    const threads = yield* GatewayThreads
    const events = yield* NodeEvents
    const journal = yield* Journal.Journal
    const { drainSeconds, handOverSeconds } = settings.limits
    yield* events.leave
    const others = yield* countOthers
    const isHandedOver = others > 0 && isAsked
    yield* Effect.logInfo(
      `Stopping: ${isHandedOver ? "calls are served until other nodes take them over" : "new calls get 503"}`
    )
    if (isHandedOver) yield* threads.handOver(handOverSeconds)
    else yield* events.drain
    // Where another node serves the same port, it takes new connections; alone, we tell them to come back.
    // What was begun meanwhile, on connections that are open still, finishes as well; what comes after it is refused.
    const drained = yield* threads
      .drain(others === 0)
      .pipe(
        Effect.andThen(events.drain),
        Effect.andThen(threads.drain(false)),
        Effect.timeoutOption(drainSeconds * 1000)
      )
    if (drained._tag === "None") {
      yield* Effect.logWarning(`Calls that are not over after ${drainSeconds} s are ended, uncharged`)
      yield* events.drain
      threads.cut()
      journal.hurry()
      yield* threads.drain(false).pipe(Effect.timeoutOption("3 seconds"))
    }
    yield* Effect.logInfo("Stopped")
  })

const keepDashboard = (
  changes: Stream.Stream<Settings>,
  { countDelivery, live }: Effect.Success<ReturnType<typeof makeOperationsPages>>
) =>
  Effect.gen(function* () {
    const threads = yield* GatewayThreads
    const context = yield* Effect.context<never>()
    return yield* keepDashboardThread(changes, {
      moved: (dashboard) => threads.setDashboard(dashboard),
      live: () => Effect.runPromiseWith(context)(live),
      tryRoute: (route) => Effect.runPromiseWith(context)(threads.tryRoute(route)),
      attempted: countDelivery,
      warn: (message, requestId) =>
        void Effect.runForkWith(context)(
          Effect.annotateLogs(Effect.logWarning(message), { request_id: requestId })
        )
    })
  })

const LedgerLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { limits } = yield* (yield* Config).get
    return Ledger.layerWith({ mailboxCapacity: limits.admissionQueueCapacity })
  })
)

const JournalLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* DatabaseUrl
    const { dataDir } = yield* (yield* Config).get
    return Journal.layer({ connector: sqlJournal(Redacted.value(url)), dataDir })
  })
)

const LeaseLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { url } = yield* DatabaseUrl
    const { dataDir } = yield* (yield* Config).get
    return Lease.layer({ connector: sqlLease(Redacted.value(url)), tokens: new FileTokens(dataDir) })
  })
)

const Services = Layer.mergeAll(GatewayThreads.layer, SealKeys.layer).pipe(
  Layer.provideMerge(LedgerServer.layer),
  Layer.provideMerge(KeyDirectory.layer),
  Layer.provideMerge(keyReports),
  Layer.provideMerge(LeaseLayer),
  Layer.provideMerge(NodeEvents.layer),
  Layer.provideMerge(LedgerLayer),
  Layer.provideMerge(JournalLayer),
  Layer.provideMerge(NodeLife.layer),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(Migrations.layer),
  Layer.provideMerge(DatabaseUrl.layer),
  Layer.provideMerge(Config.layer)
)

const LogLevelLayer = Layer.effect(
  References.MinimumLogLevel,
  Effect.gen(function* () {
    return minimumLogLevel((yield* (yield* Config).get).logLevel)
  })
).pipe(Layer.provide(Config.layer))

export const serve = Effect.scoped(run).pipe(
  Effect.provide(Services.pipe(Layer.provideMerge(LogLevelLayer), Layer.provideMerge(logLines)))
)
