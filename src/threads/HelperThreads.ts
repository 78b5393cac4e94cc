/** The threads beside the gateway's: the simulator of a first run, and the dashboard. No call depends on the latter. */
import { Deferred, Effect, Option, Schema, type Scope, Stream } from "effect"
import { randomBytes } from "node:crypto"
import { Worker } from "node:worker_threads"
import { keepRunning } from "../collections/keep-running.ts"
import type { Settings } from "../config/settings.ts"
import type { RouteTried } from "../domain/route-tried.ts"
import type { DashboardTarget } from "../http/DashboardProxy.ts"
import { type EntryName, entryOf } from "../program/entries.ts"
import { crashOnSignal } from "./crash-on-signal.ts"
import { describeFailure } from "./describe-failure.ts"
import type { DashboardThreadData, FromDashboard, ToDashboard } from "./messages.ts"

export class HelperFailed extends Schema.TaggedError<HelperFailed>()("HelperFailed", {
  thread: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The ${this.thread} has failed: ${this.reason}`
  }
}

const pauses = { delaysMs: [500, 2_000, 10_000, 30_000], steadyMs: 60_000 }

/** Starts the simulator and answers its address, which stays the same when the thread has to be started again. */
export const startSimulatorThread: Effect.Effect<string, HelperFailed, Scope.Scope> = Effect.gen(
  function* () {
    const address = yield* Deferred.make<string, HelperFailed>()
    let port = 0
    const serve = Effect.scoped(
      Effect.gen(function* () {
        const { ended, worker } = yield* openWorker("simulator", { port }, "close")
        worker.once("message", ({ url }: { readonly url: string }) => {
          port = Number(new URL(url).port)
          Deferred.doneUnsafe(address, Effect.succeed(url))
        })
        return yield* ended
      })
    )
    // What never came up is given up.
    const isWanted = () => port !== 0
    yield* Effect.forkScoped(
      Effect.matchEffect(keepRunning(serve, { pauses, isWanted }), {
        onFailure: (failure) => Deferred.fail(address, failure),
        onSuccess: () => Effect.void
      })
    )
    return yield* Deferred.await(address)
  }
)

/** What the dashboard's thread asks and says. */
export interface DashboardHooks {
  /** Where gateway threads reach the dashboard; `undefined` while it is not there. */
  readonly moved: (dashboard: DashboardTarget | undefined) => void
  readonly live: () => Promise<unknown>
  /** Sends a small call over a route. */
  readonly tryRoute: (route: string) => Promise<RouteTried | undefined>
  readonly warn: (message: string, requestId: string | undefined) => void
  /** An attempt to deliver an alert was made. */
  readonly attempted: (channel: string, outcome: string) => void
}

/**
 * Keeps the dashboard running for as long as the scope is open. `changes` tells the settings in force, and again each
 * time they change; their `databaseUrl` must be set.
 */
export const keepDashboardThread = (changes: Stream.Stream<Settings>, hooks: DashboardHooks) =>
  keepRunning(Effect.scoped(serveDashboard(changes, hooks)), { pauses })

const stopDashboard: ToDashboard = { kind: "stop" }

const serveDashboard = (changes: Stream.Stream<Settings>, hooks: DashboardHooks) =>
  Effect.gen(function* () {
    const settings = yield* Effect.map(Stream.runHead(changes), Option.getOrThrow)
    const secret = randomBytes(32).toString("hex")
    const data: DashboardThreadData = { settings, internalSecret: secret }
    const { ended, worker } = yield* openWorker("dashboard", data, stopDashboard)
    const say = (message: ToDashboard) => worker.postMessage(message)
    if (settings.crashOnSignal === "dashboard") yield* crashOnSignal(() => say({ kind: "crash" }))
    yield* Effect.addFinalizer(() => Effect.sync(() => hooks.moved(undefined)))
    yield* changes.pipe(
      Stream.runForEach((settings) => Effect.sync(() => say({ kind: "settings", settings }))),
      Effect.forkScoped
    )
    worker.on("message", (message: FromDashboard) => {
      if (message.kind === "listening") return hooks.moved({ url: message.url, secret })
      if (message.kind === "warning") return hooks.warn(message.message, message.requestId)
      if (message.kind === "delivery") return hooks.attempted(message.channel, message.outcome)
      if (message.kind === "try") {
        const answer = (tried?: RouteTried) => say({ kind: "tried", id: message.id, tried })
        return void hooks.tryRoute(message.route).then(answer, () => answer())
      }
      const answer = (state: unknown) => say({ kind: "live", id: message.id, state })
      void hooks.live().then(answer, () => answer(undefined))
    })
    return yield* ended
  })

const stopTimeout = "3 seconds"

const openWorker = (thread: EntryName, data: unknown, stop: unknown) =>
  Effect.gen(function* () {
    const ended = yield* Deferred.make<never, HelperFailed>()
    const worker = yield* Effect.acquireRelease(
      Effect.try({
        try: () => openThread(thread, data, ended),
        // Where the system gives no more threads, that is thrown.
        catch: (cause) => new HelperFailed({ thread, reason: describeFailure(cause, false) })
      }),
      (worker) =>
        Effect.callback<void>((resume) => {
          if (worker.threadId === -1) return resume(Effect.void)
          worker.once("exit", () => resume(Effect.void))
          worker.postMessage(stop)
        }).pipe(Effect.timeoutOption(stopTimeout))
    )
    return { worker, ended: Deferred.await(ended) }
  })

const openThread = (
  thread: EntryName,
  data: unknown,
  ended: Deferred.Deferred<never, HelperFailed>
): Worker => {
  const worker = new Worker(entryOf(thread), { workerData: data })
  const fail = (reason: string) =>
    Deferred.doneUnsafe(ended, Effect.fail(new HelperFailed({ thread, reason })))
  worker.on("error", (error: unknown) => fail(describeFailure(error, false)))
  worker.once("exit", () => fail("its thread ended"))
  return worker
}
