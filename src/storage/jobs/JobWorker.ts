/**
 * Works on the jobs of one queue, each by itself: what has become of it is written when it ends, whatever others take, and of one
 * owner only so many are under way, on all nodes together. So an owner whose jobs hang holds up nobody else's.
 */
import type { Job, PgBoss } from "pg-boss"
import { setTimeout as delay } from "node:timers/promises"

export interface JobWorkerOptions<Data> {
  readonly boss: PgBoss
  readonly queue: string
  /** Under way on this node. */
  readonly atOnceMax: number
  readonly pollSeconds: number
  /** After so long without a word a job counts as lost with its node; `undefined`: none is waited for. */
  readonly silenceSecondsMax: number | undefined
  readonly work: (data: Data) => Promise<JobOutcome>
  readonly complain: (cause: unknown) => void
}

export type JobOutcome = "done" | "again"

const ofOneOwnerMax = 2

/** How often it is said of jobs that they are still worked on, before that is missed. */
const touchesBeforeMissed = 3

export class JobWorker<Data> {
  readonly #options: JobWorkerOptions<Data>
  readonly #underway = new Map<Job<Data>, Promise<void>>()
  /** Aborted when a job ends: there may be room for others then. */
  #rest = new AbortController()
  #isStopped = false
  readonly #running: Promise<void>
  readonly #touches: NodeJS.Timeout | undefined

  constructor(options: JobWorkerOptions<Data>) {
    this.#options = options
    this.#running = this.#run()
    const { silenceSecondsMax } = options
    if (silenceSecondsMax !== undefined)
      this.#touches = setInterval(
        () => void this.#touch(),
        (silenceSecondsMax * 1_000) / touchesBeforeMissed
      ).unref()
  }

  /** What does not end in time is done again. */
  async stop(waitMs: number): Promise<void> {
    const { boss, complain, queue } = this.#options
    this.#isStopped = true
    this.#rest.abort()
    const ended = this.#running.then(() => Promise.all(this.#underway.values()))
    await Promise.race([ended, delay(waitMs, undefined, { ref: false })])
    clearInterval(this.#touches)
    const left = [...this.#underway.keys()]
    if (left.length > 0) await boss.fail(queue, left, { reason: "stopped" }).catch(complain)
  }

  async #touch(): Promise<void> {
    const { boss, complain, queue } = this.#options
    if (this.#underway.size > 0) await boss.touch(queue, [...this.#underway.keys()]).catch(complain)
  }

  async #run(): Promise<void> {
    const { pollSeconds } = this.#options
    while (!this.#isStopped) {
      this.#rest = new AbortController()
      const jobs = await this.#take()
      for (const job of jobs) this.#underway.set(job, this.#perform(job))
      if (jobs.length === 0) await delay(pollSeconds * 1_000, undefined, this.#rest).catch(() => {})
    }
  }

  async #take(): Promise<ReadonlyArray<Job<Data>>> {
    const { atOnceMax, boss, complain, queue } = this.#options
    const batchSize = atOnceMax - this.#underway.size
    if (batchSize === 0) return []
    try {
      return await boss.fetch<Data>(queue, { batchSize, groupConcurrency: ofOneOwnerMax })
    } catch (cause) {
      complain(cause)
      return []
    }
  }

  async #perform(job: Job<Data>): Promise<void> {
    const { boss, complain, queue, work } = this.#options
    try {
      const outcome = await work(job.data).catch((cause: unknown) => codeOf(cause))
      await (outcome === "done" ? boss.complete(queue, job) : boss.fail(queue, job, { reason: outcome }))
    } catch (cause) {
      complain(cause)
    } finally {
      this.#underway.delete(job)
      this.#rest.abort()
    }
  }
}

/** What is logged of a failure: statements and values of jobs may stand in its words. */
export const codeOf = (cause: unknown): string => {
  const { code, name } = cause as { readonly code?: unknown; readonly name?: unknown }
  return typeof code === "string" ? code : typeof name === "string" ? name : "unknown"
}
