/**
 * Ends a task that does not come to its end. What counts is its worker's processor time and not the time that passes: workers come
 * last, and where a machine has more to do than it has processors, a sound one takes minutes to start and to count its first tokens.
 */
import type { Worker } from "node:worker_threads"

/** Far more than any task takes within its bounds, with the start of its worker. */
const taskCpuMsMax = 20_000
/** Where it takes no processor time, either: longer than anybody waits. */
const taskMsMax = 30 * 60_000
const looksMin = 20

export class TaskWatch {
  readonly #cpuMsMax: number
  readonly #end = new AbortController()
  readonly #begunMs = performance.now()
  readonly #looking: NodeJS.Timeout
  #worker: Worker | undefined
  #beforeMs = 0

  constructor(cpuMsMax = taskCpuMsMax) {
    this.#cpuMsMax = cpuMsMax
    this.#looking = setInterval(() => void this.#look(), cpuMsMax / looksMin)
  }

  /** Aborts when it has had its time. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  /** A worker has it from now on. */
  async given(worker: Worker): Promise<void> {
    this.#beforeMs = await cpuMs(worker)
    this.#worker = worker
  }

  stop(): void {
    clearInterval(this.#looking)
  }

  async #look(): Promise<void> {
    const usedMs = this.#worker === undefined ? 0 : (await cpuMs(this.#worker)) - this.#beforeMs
    if (usedMs > this.#cpuMsMax || performance.now() - this.#begunMs > taskMsMax) this.#end.abort()
  }
}

/** What a worker has used so far; nothing as long as it starts. It may not say so before it has done what can not be interrupted. */
const cpuMs = async (worker: Worker): Promise<number> => {
  try {
    const { system, user } = await worker.cpuUsage()
    return (user + system) / 1_000
  } catch {
    return 0
  }
}
