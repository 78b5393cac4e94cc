/** Memory that this thread's own objects take, their buffers included, in bytes. */
import { getHeapStatistics } from "node:v8"

export const heapBytes = (): number => {
  const { external_memory, used_heap_size } = getHeapStatistics()
  return used_heap_size + external_memory
}
