/** The thread of the dashboard: passwords, exports and pages are kept away from the ledger and the gateway. */
import { format } from "node:util"
import { parentPort, workerData } from "node:worker_threads"
import { type DashboardServer, startDashboard } from "../src/dashboard/DashboardServer.ts"
import { ensureBuilt } from "../src/dashboard/ensure-built.ts"
import { askParent } from "../src/dashboard/live-state.ts"
import type { DashboardThreadData, FromDashboard, ToDashboard } from "../src/threads/messages.ts"
import { spareMemory } from "../src/threads/spare-memory.ts"
import { watchFaults } from "../src/threads/watch-faults.ts"

const port = parentPort
if (port === null) throw new Error("workers/dashboard.ts runs as a worker thread")
const say = (message: FromDashboard) => port.postMessage(message)

const { internalSecret, settings } = workerData as DashboardThreadData
let server: DashboardServer | undefined
let latest = settings
// Sockets that are open when a thread ends bring the whole process down, so they are closed first.
process.on("exit", () => server?.closeSockets())
port.on("message", (message: ToDashboard) => {
  if (message.kind === "crash") throw new Error("a test makes this thread die")
  if (message.kind === "settings") {
    latest = message.settings
    return server?.apply(latest)
  }
  if (message.kind !== "stop") return
  if (server === undefined) process.exit()
  void server.close().finally(() => port.close())
})
watchFaults({
  outlive: (message) => say({ kind: "warning", message }),
  end: (fault) => {
    say({ kind: "warning", message: `The dashboard's thread ends: ${fault}` })
    process.exit(1)
  }
})
// So does what a library writes to the console become a line of the program's log.
for (const name of ["debug", "info", "log", "warn", "error"] as const)
  console[name] = (...values) => say({ kind: "warning", message: format(...values) })
const folder = await ensureBuilt()
server = await startDashboard({
  settings,
  internalSecret,
  folder,
  limited: true,
  ...askParent(port),
  warn: (message, requestId) => say({ kind: "warning", message, requestId }),
  onDelivery: (channel, outcome) => say({ kind: "delivery", channel, outcome })
})
server.apply(latest)
say({ kind: "listening", url: server.url })
spareMemory()
