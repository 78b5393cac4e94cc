/**
 * Stands in for a gateway thread: notes in the shared memory which settings it works with, by their
 * `limits.maxOpenCalls`. A `publicUrl` of these orders makes it misbehave.
 */
import { parentPort, workerData } from "node:worker_threads"
import type { FromThread, GatewayWorkerData, ToThread } from "../../src/threads/messages.ts"

/** To take settings and say nothing of it, and to listen only some time after the start. */
export const orders = { silent: "http://silent", slowStart: "http://slow" }

/** Which one finds where any is wanted. */
export const foundPort = 4711

const serve = (parent: NonNullable<typeof parentPort>): void => {
  const { allowances, data } = workerData as GatewayWorkerData
  const words = new Int32Array(allowances)
  const say = (message: FromThread) => parent.postMessage(message)
  const workWith = ({ limits }: typeof data.settings) => Atomics.store(words, 0, limits.maxOpenCalls)

  const act = (message: ToThread): void => {
    if (message.kind === "crash") throw new Error("a test makes this thread die")
    if (message.kind === "drain") say({ kind: "drained" })
    if (message.kind !== "settings") return
    workWith(message.settings)
    if (message.settings.publicUrl !== orders.silent) say({ kind: "applied", id: message.id })
  }
  const listen = () => {
    parent.on("message", act)
    workWith(data.settings)
    Atomics.store(words, 1, data.settings.port)
    say({ kind: "listening", port: data.settings.port || foundPort })
  }
  // As in the real one, all else that comes before it listens is lost.
  parent.on("message", (message: ToThread) => {
    if (message.kind === "stop") parent.close()
  })
  if (data.settings.publicUrl === orders.slowStart) setTimeout(listen, 100)
  else listen()
}

if (parentPort !== null) serve(parentPort)
