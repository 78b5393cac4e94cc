/** A gateway thread, whole: its layers, and its talk with the main thread. */
import { Cause, Effect, Exit, Fiber, Layer, References } from "effect"
import { parentPort, workerData } from "node:worker_threads"
import { CodecPool } from "../compute/CodecPool.ts"
import { minimumLogLevel } from "../config/minimum-log-level.ts"
import type { Settings } from "../config/settings.ts"
import { Gateway } from "../gateway/Gateway.ts"
import { Models } from "../gateway/Models.ts"
import { tryRoute } from "../gateway/try-route.ts"
import { DashboardProxy } from "../http/DashboardProxy.ts"
import { HttpServer } from "../http/HttpServer.ts"
import { AllowanceWords } from "../ledger/bridge/AllowanceWords.ts"
import { LeaseDeadline } from "../ledger/bridge/LeaseDeadline.ts"
import { LedgerClient } from "../ledger/bridge/LedgerClient.ts"
import { trustSystem } from "../outgoing/trust-system.ts"
import { CallLog } from "../telemetry/CallLog.ts"
import { logLines } from "../telemetry/log-lines.ts"
import { Tracing } from "../telemetry/Tracing.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { FileFetcher } from "../upstream/fetch-file.ts"
import { Sweeper } from "../upstream/Sweeper.ts"
import { Upstreams } from "../upstream/Upstreams.ts"
import type { FromThread, GatewayThreadData, GatewayWorkerData, ToThread } from "./messages.ts"
import { spareMemory } from "./spare-memory.ts"
import { tellRoutes } from "./tell-routes.ts"
import { ThreadPages } from "./ThreadPages.ts"
import { watchFaults } from "./watch-faults.ts"

export const runGatewayThread = (): void => {
  const parent = parentPort
  if (parent === null) throw new Error("a gateway runs as a worker thread")
  const say = (message: FromThread) => parent.postMessage(message)
  spareMemory()
  const { allowances, data, deadline, ledger } = workerData as GatewayWorkerData
  const client = new LedgerClient(ledger, new AllowanceWords(allowances), new LeaseDeadline(deadline))
  // Also where a fault ends the thread.
  process.once("exit", () => client.close())
  const pages = new ThreadPages(say)
  const fiber = Effect.runFork(
    Effect.scoped(serve(parent, data, pages, say)).pipe(Effect.provide(threadLayer(data, client, pages)))
  )
  fiber.addObserver((exit) => {
    if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
      say({ kind: "failed", message: messageOf(Cause.squash(exit.cause)) })
    }
    client.close()
    parent.close()
  })
  parent.on("message", (message: ToThread) => {
    if (message.kind === "stop") Effect.runFork(Fiber.interrupt(fiber))
  })
}

const serve = (
  parent: NonNullable<typeof parentPort>,
  data: GatewayThreadData,
  pages: ThreadPages,
  say: (message: FromThread) => void
) =>
  Effect.gen(function* () {
    const server = yield* HttpServer
    const gateway = yield* Gateway
    const dashboard = yield* DashboardProxy
    dashboard.aim(data.dashboard)
    // Sockets that are open when a thread ends bring the whole process down.
    process.once("exit", server.closeNow)

    const run = Effect.runForkWith(yield* Effect.context<never>())
    yield* endOnFault(say)
    const drain = (listen: boolean) =>
      Effect.andThen(listen ? server.closeAfterAnswers : server.stopListening, server.idle).pipe(
        Effect.andThen(Effect.sync(() => say({ kind: "drained" })))
      )
    const act = (message: ToThread): void => {
      switch (message.kind) {
        case "settings":
          trustAhead(message.settings)
          gateway.models.replace(message.settings, message.overrides)
          gateway.upstreams.keepOnly(message.settings.providers)
          return say({ kind: "applied", id: message.id })
        case "dashboard":
          return dashboard.aim(message.dashboard)
        case "snapshot": {
          const snapshot = gateway.metrics.snapshot({
            codecQueue: gateway.codecs.queued(),
            codecWorkersEnded: gateway.codecs.workersEnded(),
            circuits: gateway.upstreams.circuits(steadyMs()),
            connections: gateway.upstreams.connections(),
            routes: gateway.upstreams.routes(steadyMs()),
            spansDropped: gateway.tracing.dropped(),
            holdsFromAllowances: gateway.ledger.holdsFromAllowances
          })
          return say({ kind: "snapshot", id: message.id, snapshot })
        }
        case "try":
          return void run(
            Effect.map(tryRoute(gateway, message.route), (tried) =>
              say({ kind: "tried", id: message.id, tried })
            )
          )
        case "answer":
          return pages.answered(message.id, message.status, message.body)
        case "hand over":
          return void run(server.closeAfterAnswers)
        case "drain":
          return void run(drain(message.listen))
        case "cut":
          gateway.sweeper.cutAll()
          return server.endCalls()
        case "crash":
          throw new Error("a test makes this thread die")
      }
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => parent.on("message", act)),
      () => Effect.sync(() => parent.off("message", act))
    )
    yield* Effect.forkScoped(tellRoutes(gateway.upstreams, (told) => say({ kind: "routes", told })))
    say({ kind: "listening", port: server.port })
    return yield* Effect.never
  })

const endOnFault = (say: (message: FromThread) => void) =>
  Effect.gen(function* () {
    const run = Effect.runForkWith(yield* Effect.context<never>())
    yield* Effect.acquireRelease(
      Effect.sync(() =>
        watchFaults({
          outlive: (description) => run(Effect.logError(description)),
          // At once, from within the faulty callback: uWebSockets.js ends the process if it returns to it with a request unanswered.
          end: (message) => {
            say({ kind: "failed", message })
            process.exit(1)
          }
        })
      ),
      (unwatch) => Effect.sync(unwatch)
    )
  })

/** Before a call needs it: it takes a moment. */
const trustAhead = ({ providers }: Settings): void => {
  const routes = Object.values(providers).flatMap((provider) => provider.routes)
  if (routes.some(({ baseUrl }) => baseUrl.startsWith("https:"))) trustSystem()
}

const codecQueueMax = 256

const threadLayer = (data: GatewayThreadData, client: LedgerClient, pages: ThreadPages) => {
  const { settings } = data
  trustAhead(settings)
  const parts = Layer.mergeAll(
    Models.layer(settings, data.overrides, () => client.dateMs()),
    Layer.succeed(LedgerClient.service, client),
    Upstreams.layer.pipe(Layer.provideMerge(Sweeper.layer)),
    CodecPool.layer({ threads: settings.codecThreads, queueMax: codecQueueMax }),
    CallLog.layer(settings.logLevel),
    Tracing.layer(settings.telemetry, settings.proxies)
  )
  const { proxies } = settings
  const fileFetcher = new FileFetcher({ proxies })
  const gateway = Gateway.layer({ fileFetcher, proxies }).pipe(Layer.provide(parts))
  const { host, port } = settings
  return HttpServer.layer({ host, port, isShared: data.isPortShared }).pipe(
    Layer.provideMerge(Layer.mergeAll(gateway, DashboardProxy.layer, pages.layer)),
    Layer.provideMerge(logLines),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, minimumLogLevel(settings.logLevel)))
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
