/** A thread at rest after a rush, of which it holds nothing: tells what is kept for it, then and with each look. */
import { getHeapStatistics } from "node:v8"
import { parentPort } from "node:worker_threads"
import { spareMemory } from "../../src/threads/spare-memory.ts"

const lookMs = 100
const rush = () => Array.from({ length: 40 }, () => new Uint8Array(1024 * 1024)).length
const tell = () => parentPort!.postMessage(getHeapStatistics().external_memory)

spareMemory({ firstMs: lookMs, everyMs: lookMs })
// When it has given back what loading took.
setTimeout(() => {
  rush()
  tell()
  setInterval(tell, lookMs)
}, 5 * lookMs)
