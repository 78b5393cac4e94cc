/** The codec workers and the fair, bounded queue before them. A task whose worker dies of it is given to one more. */
import { Effect, Schema } from "effect"
import { Piscina, queueOptionsSymbol } from "piscina"
import type { AccountId } from "../domain/ids.ts"
import { FairQueue } from "./FairQueue.ts"
import { received, type SentAnswer } from "./sent-answer.ts"
import { TaskWatch } from "./TaskWatch.ts"
import type { CodecAnswer, CodecTask } from "./codec-tasks.ts"

/** Every worker is busy and the queue is full. */
export class CodecBusy extends Schema.TaggedError<CodecBusy>()("CodecBusy", {}) {}

/** A worker died, twice, of the same task, or did not come to its end. */
export class CodecFailed extends Schema.TaggedError<CodecFailed>()("CodecFailed", {
  cause: Schema.Defect()
}) {}

export type CodecError = CodecBusy | CodecFailed

/** So that one worker of several is always there for others. */
const underwayMaxOf = (threads: number): number => (threads > 2 ? 2 : 1)

export interface CodecWorkersOptions {
  readonly worker: URL
  readonly threads: number
  readonly queueMax: number
  /** Of a task, in its worker's processor time: a worker that hangs is ended. */
  readonly taskCpuMsMax?: number | undefined
  /** Hears of workers that die or hang; they are replaced. */
  readonly warn: (message: string) => void
}

/** By that symbol Piscina shows it to whoever chooses the worker; it is not sent there. */
type WatchedTask = CodecTask & { readonly [queueOptionsSymbol]: TaskWatch }

interface Waiting {
  readonly task: CodecTask
  readonly resume: (answer: Effect.Effect<CodecAnswer, CodecError>) => void
}

export class CodecWorkers {
  readonly #options: CodecWorkersOptions
  readonly #queue: FairQueue<Waiting>
  /**
   * Started with the first task, which waits a second or two for that: each worker takes 35 MB, which nodes
   * without bodies that large would hold for nothing.
   */
  #pool: Piscina<WatchedTask, SentAnswer> | undefined
  /** Threads of workers that have started. */
  #ready = new Set<number>()
  #running = 0
  #ended = 0
  #closed = false

  constructor(options: CodecWorkersOptions) {
    const { queueMax, threads } = options
    this.#options = options
    this.#queue = new FairQueue({ underwayMax: underwayMaxOf(threads), waitingMax: queueMax })
  }

  get queued(): number {
    return this.#queue.size
  }

  /** Workers that died or hung. */
  get ended(): number {
    return this.#ended
  }

  run(account: AccountId, task: CodecTask): Effect.Effect<CodecAnswer, CodecError> {
    return Effect.callback((resume) => {
      const waiting: Waiting = { task, resume }
      // The provider's work is done: an answer is read in any case. There are no more of them than open calls.
      if (task._tag === "ReadAnswer") this.#queue.addKept(account, waiting)
      else this.#queue.add(account, waiting)?.resume(Effect.fail(new CodecBusy()))
      this.#startNext()
      // What has begun is done to its end: Piscina would end the worker for it.
      return Effect.sync(() => this.#queue.remove(account, waiting))
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#pool?.destroy()
  }

  #start(): Piscina<WatchedTask, SentAnswer> {
    const { threads, worker } = this.#options
    const pool = new Piscina<WatchedTask, SentAnswer>({
      filename: worker.href,
      // Two stay, and are replaced at once when they die: beside an account that keeps one of them busy another would wait
      // for the start of the second, which takes a second where cores are few.
      minThreads: Math.min(2, threads),
      maxThreads: threads,
      // What waits, waits in our own queue.
      maxQueue: Infinity,
      // Left to itself it gives tasks to workers that are only starting, even where another is free.
      loadBalancer: (task, workers) => {
        const free = workers.find(({ currentUsage, id }) => currentUsage === 0 && this.#ready.has(id))
        const worker = free && pool.threads.find(({ threadId }) => threadId === free.id)
        if (worker !== undefined) void (task as unknown as WatchedTask)[queueOptionsSymbol].given(worker)
        return free ?? null
      },
      idleTimeout: 60_000
    })
    const alive = () => pool.threads.map(({ threadId }) => threadId)
    // Whoever comes first waits for these.
    this.#ready = new Set(alive())
    pool.on("workerCreate", ({ id }: { readonly id: number }) => {
      this.#ready = new Set(alive().filter((threadId) => threadId === id || this.#ready.has(threadId)))
    })
    pool.on("error", (error) => this.#noteEnd(error))
    return pool
  }

  #noteEnd(cause: unknown): void {
    if (this.#closed) return
    this.#ended++
    this.#options.warn(`A codec worker ended: ${String(cause)}`)
  }

  #startNext(): void {
    while (this.#running < this.#options.threads) {
      const next = this.#queue.take()
      if (next === undefined) return
      this.#running++
      void this.#perform(next.item).finally(() => {
        this.#running--
        this.#queue.done(next.account)
        this.#startNext()
      })
    }
  }

  async #perform({ resume, task }: Waiting): Promise<void> {
    try {
      resume(Effect.succeed(await this.#runTwice(task)))
    } catch (cause) {
      resume(Effect.fail(new CodecFailed({ cause })))
    }
  }

  async #runTwice(task: CodecTask): Promise<CodecAnswer> {
    try {
      return await this.#runOnce(task)
    } catch (error) {
      if (isTimeout(error)) throw error
      return this.#runOnce(task)
    }
  }

  /** Whatever goes wrong with a task itself is an answer: what fails here is the worker. */
  async #runOnce(task: CodecTask): Promise<CodecAnswer> {
    this.#pool ??= this.#start()
    const watch = new TaskWatch(this.#options.taskCpuMsMax)
    try {
      const answer = await this.#pool.run({ ...task, [queueOptionsSymbol]: watch }, { signal: watch.signal })
      return received(task, answer)
    } catch (cause) {
      this.#noteEnd(cause)
      throw cause
    } finally {
      watch.stop()
    }
  }
}

const isTimeout = (cause: unknown): boolean => cause instanceof Error && cause.name === "AbortError"
