/**
 * Piscina entry: parses, converts and counts bodies that are too large for an event loop. On Linux a priority is a
 * thread's own: event loops and the database go first, even while this is being loaded, which takes long.
 */
import { setPriority } from "node:os"
import type { SentAnswer } from "../src/compute/sent-answer.ts"
import type { CodecTask } from "../src/compute/codec-tasks.ts"

const niceness = 15
if (process.platform === "linux") setPriority(niceness)

const { performTask } = await import("../src/compute/perform-task.ts")
const { bytesOf } = await import("../src/compute/codec-tasks.ts")
const { collectGarbage, giveMemoryBack } = await import("../src/threads/spare-memory.ts")
// It sleeps between its tasks, without looking at a clock.
giveMemoryBack()

/** What it was given last it keeps until it is collected, and V8 does not count what threads share. */
const uncollectedMax = 64 * 1024 * 1024
let uncollected = 0

export default (task: CodecTask): SentAnswer => {
  uncollected += bytesOf(task)
  if (uncollected > uncollectedMax) {
    collectGarbage()
    uncollected = bytesOf(task)
  }
  return performTask(task)
}
