/** The thread of the dashboard: passwords, exports and pages are kept away from the ledger and the gateway. */
import { inspect } from "node:util"
import { parentPort, workerData } from "node:worker_threads"
import type { Settings } from "../src/config/settings.ts"
import { type DashboardServer, startDashboard } from "../src/dashboard/DashboardServer.ts"
import { ensureBuilt } from "../src/dashboard/ensure-built.ts"
import { askLive, type LiveAnswer } from "../src/dashboard/live-state.ts"

/** `settings.databaseUrl` must be set. */
export interface DashboardWorkerData {
  readonly settings: Settings
  readonly internalSecret: string
}

/** What the thread says: where it listens, once; `live` questions (live-state.ts); and lines for the log. */
export type DashboardMessage =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "warning"; readonly message: string }
  | { readonly kind: "live"; readonly id: number }

/** What the thread is told, beside answers to its questions. */
export type DashboardOrder =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "stop" }
  | { readonly kind: "crash" }

const port = parentPort
if (port === null) throw new Error("workers/dashboard.ts runs as a worker thread")
const say = (message: DashboardMessage) => port.postMessage(message)

const { internalSecret, settings } = workerData as DashboardWorkerData
let server: DashboardServer | undefined
let latest = settings
// Sockets that are open when a thread ends bring the whole process down, so they are closed first.
process.on("exit", () => server?.closeSockets())
port.on("message", (message: DashboardOrder | LiveAnswer) => {
  if (message.kind === "crash") throw new Error("a test makes this thread die")
  if (message.kind === "settings") {
    latest = message.settings
    return server?.apply(latest)
  }
  if (message.kind !== "stop") return
  if (server === undefined) process.exit()
  void server.close().finally(() => port.close())
})
// What was not waited for and failed, such as a query whose connection was cut, is no reason to end.
process.on("unhandledRejection", (cause) => {
  say({ kind: "warning", message: `Something failed unnoticed: ${inspect(cause)}` })
})
const folder = await ensureBuilt()
server = await startDashboard({
  settings,
  internalSecret,
  folder,
  limited: true,
  readLive: askLive(port),
  warn: (message) => say({ kind: "warning", message })
})
server.apply(latest)
say({ kind: "listening", url: server.url })
