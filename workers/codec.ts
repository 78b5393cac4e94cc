/**
 * Piscina entry: parses, converts and counts bodies that are too large for an event loop. On Linux a priority is a
 * thread's own: event loops and the database go first, even while this is being loaded, which takes long.
 */
import { setPriority } from "node:os"

const niceness = 15
if (process.platform === "linux") setPriority(niceness)

const { performTask } = await import("../src/compute/perform-task.ts")
const { giveMemoryBack } = await import("../src/threads/spare-memory.ts")
// It sleeps between its tasks, without looking at a clock.
giveMemoryBack()
export default performTask
