/**
 * Gives memory back to the system that a thread has no use for. What loading took, or a rush, V8 keeps until it needs it: 20 to
 * 50 MB a thread.
 */
import { performance } from "node:perf_hooks"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

type Collect = (options: { readonly type: "major"; readonly flavor: "last-resort" }) => void

/**
 * First when what was loaded is at rest. Then only after a long rest: it also takes what V8 has learnt of the calls, and the first
 * seconds of those that come again cost twice as much (given back after each idle minute, one that calls by turns with others
 * cost 12 % more CPU a call).
 */
const firstMs = 10_000
const everyMs = 15 * 60_000
const idleShare = 0.02
const worthBytes = 16 * 1024 * 1024

let collect: Collect | undefined

/** Takes some tens of milliseconds, in which the thread does nothing else. */
export const giveMemoryBack = (): void => {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc")
    collect = runInNewContext("gc") as Collect
  }
  collect({ type: "major", flavor: "last-resort" })
}

/** Does so while this thread is idle and keeps much that it does not use. */
export const spareMemory = (): void => {
  let before = performance.eventLoopUtilization()
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    const { total_heap_size: kept, used_heap_size: used } = getHeapStatistics()
    if (utilization < idleShare && kept - used > worthBytes) giveMemoryBack()
    setTimeout(look, everyMs).unref()
  }
  setTimeout(look, firstMs).unref()
}
