/** A thread that watches its faults, and makes those that it is told of. */
import { connect } from "node:net"
import { Script } from "node:vm"
import { parentPort } from "node:worker_threads"
import { watchFaults } from "../../src/threads/watch-faults.ts"

const ours = new URL("../../src/made-up.ts", import.meta.url).href
const throwOurs = new Script(`(then) => { then(); throw new Error("ours is broken") }`, {
  filename: ours
}).runInThisContext() as (then: () => void) => void

const faults: Readonly<Record<string, () => void>> = {
  // None of our frames is on the stack of these two.
  timer: () => void setTimeout(JSON.parse, 0, "{a prompt"),
  socket: () => void connect({ path: "/nowhere/at/all" }),
  rejection: () => void Promise.reject(new Error("nobody waits")),
  many: () => {
    for (let index = 0; index < 50; index++) setTimeout(JSON.parse, 0, "{")
    setTimeout(() => parentPort!.postMessage("all thrown"), 5)
  },
  ours: () => void setTimeout(throwOurs, 0, () => {}),
  nameless: () =>
    void setTimeout(() => {
      throw "just words"
    })
}

if (parentPort !== null) {
  const port = parentPort
  watchFaults({
    outlive: (description) => port.postMessage(`outlived: ${description}`),
    end: (description) => {
      port.postMessage(`ended: ${description}`)
      process.exit(1)
    }
  })
  port.on("message", (fault: string) => faults[fault]!())
  port.postMessage("ready")
}
