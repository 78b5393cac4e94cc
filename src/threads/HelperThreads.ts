/** The threads beside the gateway's: the simulator of a first run, and the dashboard. */
import { Effect, Schema, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { Worker } from "node:worker_threads"
import type { Settings } from "../config/settings.ts"
import type { DashboardAddress } from "./messages.ts"

export class HelperFailed extends Schema.TaggedError<HelperFailed>()("HelperFailed", {
  thread: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The ${this.thread} could not be started: ${this.reason}`
  }
}

const stopTimeout = "3 seconds"

/** Starts the simulator and answers its address. */
export const startSimulatorThread: Effect.Effect<string, HelperFailed, Scope.Scope> = Effect.gen(
  function* () {
    const worker = yield* openWorker("simulator.ts", {}, "close")
    return yield* Effect.callback<string, HelperFailed>((resume) => {
      worker.once("message", ({ url }: { readonly url: string }) => resume(Effect.succeed(url)))
      worker.once("error", (error: Error) => resume(failed("simulator", error.message)))
    })
  }
)

/** What the dashboard's thread asks and says. */
export interface DashboardHooks {
  readonly live: () => Promise<unknown>
  readonly warn: (message: string) => void
}

/** Starts the dashboard and answers where gateway threads reach it. `settings.databaseUrl` must be set. */
export const startDashboardThread = (settings: Settings, hooks: DashboardHooks) =>
  Effect.gen(function* () {
    const secret = randomBytes(32).toString("hex")
    const worker = yield* openWorker("dashboard.ts", { settings, internalSecret: secret }, { kind: "stop" })
    return yield* Effect.callback<DashboardAddress, HelperFailed>((resume) => {
      worker.on("message", (message: { readonly kind: string; readonly [field: string]: unknown }) => {
        if (message.kind === "listening") resume(Effect.succeed({ url: message["url"] as string, secret }))
        if (message.kind === "warning") hooks.warn(message["message"] as string)
        if (message.kind === "live") {
          void hooks.live().then((state) => worker.postMessage({ kind: "live", id: message["id"], state }))
        }
      })
      worker.once("error", (error: Error) => resume(failed("dashboard", error.message)))
      worker.once("exit", () => resume(failed("dashboard", "its thread ended")))
    })
  })

const openWorker = (file: string, data: unknown, stop: unknown) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const worker = new Worker(new URL(`../../workers/${file}`, import.meta.url), { workerData: data })
      // Told where the start waits for it; later ones must not end the process.
      worker.on("error", () => {})
      return worker
    }),
    (worker) =>
      Effect.callback<void>((resume) => {
        if (worker.threadId === -1) return resume(Effect.void)
        worker.once("exit", () => resume(Effect.void))
        worker.postMessage(stop)
      }).pipe(Effect.timeoutOption(stopTimeout))
  )

const failed = (thread: string, reason: string) => Effect.fail(new HelperFailed({ thread, reason }))
