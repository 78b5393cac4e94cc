/** The simulator on a thread of its own (`workerData: { port? }`; posts `{ url }`), or as a process (`--port N`). */
import { parentPort, workerData } from "node:worker_threads"
import { startSimulator } from "../src/simulator/server.ts"

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
  const data: unknown = workerData
  const asked = typeof data === "object" && data !== null && "port" in data ? data.port : 0
  const { url } = await startSimulator({ port: portOf(asked) })
  parentPort.postMessage({ url }, [])
}
