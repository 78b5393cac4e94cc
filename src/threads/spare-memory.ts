/**
 * Gives memory back to the system that a thread has no use for. What loading took, or a rush, V8 keeps until it needs it: 20 to
 * 50 MB a thread.
 */
import { performance } from "node:perf_hooks"
import { getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** When it looks whether its thread is idle. */
export interface Looks {
  readonly firstMs: number
  readonly everyMs: number
}

type Collect = (options: { readonly type: "major"; readonly flavor: "regular" | "last-resort" }) => void

/**
 * First when what was loaded is at rest. Then only after a long rest: it also takes what V8 has learnt of the calls, and the first
 * seconds of those that come again cost twice as much (given back after each idle minute, one that calls by turns with others
 * cost 12 % more CPU a call).
 */
const firstMs = 10_000
const everyMs = 15 * 60_000
const idleShare = 0.02
const worthBytes = 16 * 1024 * 1024

let gc: Collect | undefined

const collect: Collect = (options) => {
  if (gc === undefined) {
    setFlagsFromString("--expose-gc")
    gc = runInNewContext("gc") as Collect
  }
  gc(options)
}

/** Takes some tens of milliseconds, in which the thread does nothing else. */
export const giveMemoryBack = (): void => collect({ type: "major", flavor: "last-resort" })

/** Frees what nobody holds any more, in as long; what V8 has learnt stays. */
export const collectGarbage = (): void => collect({ type: "major", flavor: "regular" })

/** Does so while this thread is idle and has taken much since it last did: garbage, too, is in use until it is collected. */
export const spareMemory = (looks: Looks = { firstMs, everyMs }): void => {
  let before = performance.eventLoopUtilization()
  let atRest = 0
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization < idleShare && takenBytes() - atRest > worthBytes) {
      giveMemoryBack()
      atRest = takenBytes()
    }
    setTimeout(look, looks.everyMs).unref()
  }
  setTimeout(look, looks.firstMs).unref()
}

/** With the buffers that objects keep alive, garbage among them. */
const takenBytes = (): number => {
  const { external_memory, total_heap_size } = getHeapStatistics()
  return total_heap_size + external_memory
}
