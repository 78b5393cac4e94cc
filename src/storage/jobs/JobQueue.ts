/**
 * What is done later, and again until it is done: pg-boss on connections of our own, its tables in the schema `jobs`.
 * Why it and not another stands in docs/decisions/job-queue.md.
 */
import { PgBoss, systemClock } from "pg-boss"
import { arrayText } from "../array-text.ts"
import type { Sql, Transaction } from "../Database.ts"
import { codeOf, type JobOutcome, JobWorker } from "./JobWorker.ts"
import { openConnection } from "../postgres/Connection.ts"
import { ConnectionPool } from "../postgres/ConnectionPool.ts"
import { setJobsBack } from "./set-jobs-back.ts"

export interface JobQueueOptions {
  readonly databaseUrl: string
  readonly warn: (message: string) => void
  /** How often each queue is asked for jobs. */
  readonly pollSeconds?: number
  /** By which it counts how long to rest. By dates it would rest for as long as the machine's clock is set back. */
  readonly steadyMs?: () => number
}

export interface QueueTraits {
  readonly name: string
  /** Attempts of one job, the first aside. */
  readonly retriesMax: number
  /** Before the second attempt; doubled each time, with some chance in it, up to the greatest. */
  readonly retryDelaySeconds: number
  readonly retryDelaySecondsMax: number
  /** After so long the node that works on a job counts as lost with it, and another takes it. */
  readonly attemptSecondsMax: number
  /** And before, where it says nothing for so long: for jobs that may take much longer than a node that is gone is waited for. */
  readonly silenceSecondsMax?: number
  /** Of all that a node has under way. */
  readonly atOnceMax: number
}

/** A job that waits or is worked on keeps others of its key out of the queue. */
export interface NewJob {
  readonly key: string
  readonly data: object
  /** Of whom only a few are under way at once. */
  readonly owner?: string
}

/** Its own, so that no job ever waits for a connection that a page or the ledger has, nor the other way round. */
const jobConnectionsMax = 2

const sameComplaintMs = 60_000
const setBackEveryMs = 60_000

export class JobQueue {
  readonly #pool: ConnectionPool
  readonly #boss: PgBoss
  readonly #workers: Array<{ readonly stop: (waitMs: number) => Promise<void> }> = []

  readonly #pollSeconds: number
  readonly #complain: (cause: unknown) => void
  readonly #setsBack: NodeJS.Timeout

  private constructor(
    pool: ConnectionPool,
    boss: PgBoss,
    pollSeconds: number,
    complain: (cause: unknown) => void
  ) {
    this.#pool = pool
    this.#boss = boss
    this.#pollSeconds = pollSeconds
    this.#complain = complain
    this.#setsBack = setInterval(() => void this.run(setJobsBack).catch(complain), setBackEveryMs).unref()
  }

  /** The tables must be there. Nothing is worked on before `serve`. */
  static async open({ databaseUrl, pollSeconds = 2, steadyMs, warn }: JobQueueOptions): Promise<JobQueue> {
    const pool = new ConnectionPool(
      () =>
        openConnection(databaseUrl, {
          name: "tollgate jobs",
          bigint: { to: 20, from: [20], serialize: String, parse: Number },
          takesJsonText: true
        }),
      { connectionsMax: jobConnectionsMax }
    )
    const boss = new PgBoss({
      db: { executeSql: (text, values) => pool.run((sql) => execute(sql, text, values)) },
      schema: "jobs",
      migrate: false,
      createSchema: false,
      registerInstance: false,
      openTelemetry: { enabled: false },
      clock: { ...systemClock, ...(steadyMs && { now: steadyMs }) }
    })
    const say = seldom(warn)
    const complain = (cause: unknown) => say(`Jobs are held up: ${codeOf(cause)}`)
    boss.on("error", complain)
    // How far the machine's clock is from the database's is told by the lease.
    boss.on("warning", ({ message }) => {
      if (!message.includes("Clock skew")) say(`Jobs: ${message}`)
    })
    try {
      await boss.start()
    } catch (cause) {
      await pool.close()
      throw cause
    }
    return new JobQueue(pool, boss, pollSeconds, complain)
  }

  /** On one of the queue's own connections, which reads numbers of 64 bits as JavaScript's: ask for them as text. */
  run<A>(query: (sql: Sql) => Promise<A>): Promise<A> {
    return this.#pool.run(query)
  }

  /** Several queues' jobs, and what they are about, come to be in one transaction or not at all. */
  async add(transaction: Transaction, queue: string, jobs: ReadonlyArray<NewJob>): Promise<void> {
    if (jobs.length === 0) return
    await this.#boss.insert(
      queue,
      jobs.map(({ data, key, owner }) => ({
        data,
        singletonKey: key,
        ...(owner !== undefined && { group: { id: owner } })
      })),
      { db: { executeSql: (text, values) => execute(transaction, text, values) } }
    )
  }

  /** As `add`; one of the same key that waits for its next attempt is made at once, and another takes the place of one under way. */
  async addNow(transaction: Transaction, queue: string, job: NewJob): Promise<void> {
    const db = { executeSql: (text: string, values?: Array<unknown>) => execute(transaction, text, values) }
    // First, so that one that waits is not begun before this is committed.
    await this.#boss.update(queue, undefined, { singletonKey: job.key, startAfter: 0, db })
    // It may have looked at what it is about already.
    await transaction`
      update jobs.job set state = 'cancelled', completed_on = now()
      where name = ${queue} and singleton_key = ${job.key} and state = 'active'`
    await this.add(transaction, queue, [job])
  }

  /** Works on this queue's jobs; `again` and what is thrown puts one back until its attempts are used up. */
  async serve<Data>(
    {
      atOnceMax,
      attemptSecondsMax,
      name,
      retriesMax,
      retryDelaySeconds,
      retryDelaySecondsMax,
      silenceSecondsMax
    }: QueueTraits,
    work: (data: Data) => Promise<JobOutcome>
  ): Promise<void> {
    const traits = {
      retryLimit: retriesMax,
      retryDelay: retryDelaySeconds,
      retryBackoff: true,
      retryDelayMax: retryDelaySecondsMax,
      expireInSeconds: attemptSecondsMax,
      ...(silenceSecondsMax !== undefined && { heartbeatSeconds: silenceSecondsMax }),
      deleteAfterSeconds: 3_600
    }
    await this.#boss.createQueue(name, { policy: "exclusive", ...traits })
    await this.#boss.updateQueue(name, traits)
    this.#workers.push(
      new JobWorker<Data>({
        boss: this.#boss,
        queue: name,
        atOnceMax,
        pollSeconds: this.#pollSeconds,
        silenceSecondsMax,
        work,
        complain: this.#complain
      })
    )
  }

  /** Once a minute on one node, however many there are; a run that takes longer is not joined by another. */
  async everyMinute(name: string, work: () => Promise<void>): Promise<void> {
    const options = { policy: "exclusive", retryLimit: 0, expireInSeconds: 600, deleteAfterSeconds: 600 }
    // A node that works on it says so every 15 s; after 30 s of silence it counts as gone.
    await this.#boss.createQueue(name, { ...options, heartbeatSeconds: 30 })
    await this.#boss.schedule(name, "* * * * *", null, { singletonKey: name })
    await this.#boss.work(name, { pollingIntervalSeconds: this.#pollSeconds }, work)
  }

  /** Takes back what is lost with nodes that are gone, or with a clock that was ahead; also done each minute by itself. */
  async tidy(): Promise<void> {
    await this.run(setJobsBack)
    await this.#boss.supervise()
  }

  /** Jobs under way have so long to end; those that do not are done again. */
  async close(waitMs = 1_500): Promise<void> {
    clearInterval(this.#setsBack)
    await Promise.all(this.#workers.map((worker) => worker.stop(waitMs)))
    await this.#boss.stop({ graceful: true, timeout: waitMs, close: false })
    await this.#pool.close()
  }
}

/** As pg-boss asks of node-postgres: arrays as PostgreSQL writes them, the rows of all statements in one list. */
const execute = async (sql: Sql | Transaction, text: string, values: ReadonlyArray<unknown> = []) => {
  const given = values.map((value) =>
    Array.isArray(value)
      ? arrayText(value as ReadonlyArray<unknown>, (each) => (each === null ? null : String(each)))
      : (value ?? null)
  )
  const result = (await sql.unsafe(text, given as Array<string>)) as unknown
  if (!Array.isArray(result)) return { rows: [] }
  return { rows: result.some(Array.isArray) ? (result.flat() as Array<object>) : (result as Array<object>) }
}

/** The same complaint comes with each poll while a database is away. */
const seldom = (warn: (message: string) => void) => {
  const said = new Map<string, number>()
  return (message: string) => {
    const now = performance.now()
    if (now - (said.get(message) ?? -sameComplaintMs) < sameComplaintMs) return
    if (said.size > 50) said.clear()
    said.set(message, now)
    warn(message)
  }
}
