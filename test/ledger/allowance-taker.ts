/** A thread that takes from one word as fast as it can, always of the generation it was told last. */
import { parentPort, workerData } from "node:worker_threads"
import { AllowanceWords, type Taken } from "../../src/ledger/bridge/AllowanceWords.ts"

export interface TakerData {
  readonly memory: SharedArrayBuffer
  /** Where it is told which generation to take from, and to stop. */
  readonly told: SharedArrayBuffer
  /** Where it counts what it was answered. */
  readonly answered: SharedArrayBuffer
}

export const outcomes: ReadonlyArray<Taken> = ["taken", "short", "ended"]

if (parentPort !== null) {
  const { answered, memory, told } = workerData as TakerData
  const words = new AllowanceWords(memory)
  const [generation, stop] = [0, 1]
  const orders = new Int32Array(told)
  const counts = new Int32Array(answered)
  const sums = new Map<number, bigint>()
  for (let turn = 0; Atomics.load(orders, stop) === 0; turn++) {
    const of = Atomics.load(orders, generation)
    const amount = BigInt(1 + (turn % 7))
    const outcome = words.take(0, of, amount)
    Atomics.add(counts, outcomes.indexOf(outcome), 1)
    if (outcome === "taken") sums.set(of, (sums.get(of) ?? 0n) + amount)
  }
  parentPort.postMessage(sums)
}
