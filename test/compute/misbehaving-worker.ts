/** A codec worker that does what the memory behind its body says, at the priority of the tests, which wait for it. */
import { threadId } from "node:worker_threads"
import { performTask as serve } from "../../src/compute/perform-task.ts"
import type { CodecTask } from "../../src/compute/codec-tasks.ts"

export const tailBytes = 12
export const orders = { dieAlways: 1, dieOnce: 2, wait: 3, hang: 4 } as const

/** A worker that is started while this is set in the environment takes a while to. */
export const slowStart = "TEST_CODEC_SLOW_START"
const startMs = 1_000
if (process.env[slowStart] !== undefined)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, startMs)

/** The memory of a body ends with the order, how often the task was taken up, and by which thread at last. */
export default (task: CodecTask) => {
  const body = "body" in task.task ? task.task.body : undefined
  if (body === undefined || !(body.buffer instanceof SharedArrayBuffer)) return serve(task)
  const tail = new Int32Array(body.buffer, body.buffer.byteLength - tailBytes, 3)
  const order = Atomics.load(tail, 0)
  const taken = Atomics.add(tail, 1, 1) + 1
  Atomics.store(tail, 2, threadId)
  if (order === orders.dieAlways || (order === orders.dieOnce && taken === 1)) process.exit(1)
  // Ends when the test changes the order.
  if (order === orders.wait) Atomics.wait(tail, 0, orders.wait, 20_000)
  if (order === orders.hang) for (;;);
  return serve(task)
}
