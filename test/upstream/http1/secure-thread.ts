/** A provider behind TLS on a thread of its own, which answers at once while the thread that calls it is busy. It tells its port. */
import { createServer } from "node:tls"
import { parentPort, workerData } from "node:worker_threads"
import { listen } from "../../listen.ts"
import { reply } from "../stub-providers.ts"

const server = createServer(workerData, (socket) => {
  socket.setNoDelay(true).on("error", () => {})
  socket.on("data", (data) => {
    if (data.includes("POST ")) socket.write(reply(200))
  })
})
parentPort!.postMessage(await listen(server))
