/** A codec worker that does what the memory behind its body says. */
import serve from "../../workers/codec.ts"
import type { CodecTask } from "../../src/compute/wire.ts"

export const orders = { dieAlways: 1, dieOnce: 2, wait: 3 } as const

/** The memory of a body ends with the order, and with how often the task was taken up. */
export default (task: CodecTask) => {
  const body = "body" in task.task ? task.task.body : undefined
  if (body === undefined || !(body.buffer instanceof SharedArrayBuffer)) return serve(task)
  const tail = new Int32Array(body.buffer, body.buffer.byteLength - 8, 2)
  const order = Atomics.load(tail, 0)
  const taken = Atomics.add(tail, 1, 1) + 1
  if (order === orders.dieAlways || (order === orders.dieOnce && taken === 1)) process.exit(1)
  // Ends when the test changes the order.
  if (order === orders.wait) Atomics.wait(tail, 0, orders.wait, 20_000)
  return serve(task)
}
