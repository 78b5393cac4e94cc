/** The codec workers and the bounded queue before them. A task whose worker dies of it is given to one more. */
import { Effect, Schema } from "effect"
import { Piscina } from "piscina"
import type { CodecAnswer, CodecTask } from "./wire.ts"

/** Every worker is busy and the queue is full. */
export class CodecBusy extends Schema.TaggedError<CodecBusy>()("CodecBusy", {}) {}

/** A worker died, twice, of the same task, or did not come to its end. */
export class CodecFailed extends Schema.TaggedError<CodecFailed>()("CodecFailed", {
  cause: Schema.Defect()
}) {}

export type CodecError = CodecBusy | CodecFailed

/** Far more than any task takes, the wait in the queue included: a worker that hangs is ended. */
const taskMsMax = 60_000

export class CodecWorkers {
  readonly #pool: Piscina<CodecTask, CodecAnswer>
  readonly #tasksMax: number
  readonly #threads: number
  #tasks = 0

  /** `warn` hears of workers that die without a task; they are replaced. */
  constructor(worker: URL, threads: number, queueMax: number, warn: (message: string) => void) {
    this.#threads = threads
    this.#tasksMax = threads + queueMax
    this.#pool = new Piscina<CodecTask, CodecAnswer>({
      filename: worker.href,
      // One stays, with its tokenizer loaded, and is replaced at once when it dies.
      minThreads: Math.min(1, threads),
      maxThreads: threads,
      // The bound is kept here: Piscina does not apply its own to tasks with a time limit.
      maxQueue: Infinity,
      idleTimeout: 60_000
    })
    this.#pool.on("error", (error) => warn(`A codec worker ended: ${String(error)}`))
  }

  get queued(): number {
    return Math.max(0, this.#tasks - this.#threads)
  }

  run(task: CodecTask): Effect.Effect<CodecAnswer, CodecError> {
    return Effect.suspend((): Effect.Effect<CodecAnswer, CodecError> => {
      if (this.#tasks >= this.#tasksMax) return Effect.fail(new CodecBusy())
      return this.#runOnce(task).pipe(
        Effect.catchIf(
          (error) => !isTimeout(error.cause),
          () => this.#runOnce(task)
        )
      )
    })
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }

  #runOnce(task: CodecTask): Effect.Effect<CodecAnswer, CodecFailed> {
    return Effect.tryPromise({
      // Not aborted when the caller leaves: Piscina would end the worker for it. So it counts until it is done.
      try: () => {
        this.#tasks++
        const signal = AbortSignal.timeout(taskMsMax)
        return this.#pool.run(task, { signal }).finally(() => this.#tasks--)
      },
      catch: (cause) => new CodecFailed({ cause })
    })
  }
}

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === "AbortError"
