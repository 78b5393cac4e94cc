/**
 * The simulator on a thread of its own (`workerData: { port? }`; posts `{ url }`, ends itself on the message "close"),
 * or as a process (`--port N`), which prints `{"url":…}`.
 */
import { parentPort, workerData } from "node:worker_threads"
import { startSimulator } from "../src/simulator/server.ts"
import { spareMemory } from "../src/threads/spare-memory.ts"

const portOf = (value: unknown): number => {
  const port = Number(value ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return port
  throw new RangeError(`not a port: ${String(value)}`)
}

if (parentPort === null) {
  const at = process.argv.indexOf("--port")
  const { url } = await startSimulator({ port: at === -1 ? 0 : portOf(process.argv[at + 1]) })
  process.stdout.write(`${JSON.stringify({ url })}\n`)
} else {
  const port = parentPort
  const data: unknown = workerData
  const asked = typeof data === "object" && data !== null && "port" in data ? data.port : 0
  const simulator = await startSimulator({ port: portOf(asked) })
  // Sockets that are open when a thread ends bring the whole process down, so they are closed first.
  process.on("exit", simulator.close)
  port.on("message", (message) => {
    if (message !== "close") return
    simulator.close()
    port.close()
  })
  port.postMessage({ url: simulator.url }, [])
  spareMemory()
}
