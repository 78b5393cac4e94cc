/** A thread that has had much to do: tells what V8 keeps for it, before and after it gives that back. */
import { getHeapStatistics } from "node:v8"
import { parentPort } from "node:worker_threads"
import { giveMemoryBack } from "../../src/threads/spare-memory.ts"

let rush: Array<object> | undefined = Array.from({ length: 500_000 }, (_, index) => ({ index, is: [index] }))
const size = rush.length
rush = undefined
const before = getHeapStatistics().total_heap_size
giveMemoryBack()
parentPort!.postMessage({ size, before, after: getHeapStatistics().total_heap_size })
