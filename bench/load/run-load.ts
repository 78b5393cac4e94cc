/** One run of load: so many connections, as fast as they go or on a fixed schedule. */
import { HttpConnection } from "./HttpConnection.ts"
import type { LoadJob, LoadResult } from "./job.ts"
import { RequestMaker } from "./RequestMaker.ts"
import { Samples } from "./Samples.ts"

/** How long answers under way may take after the end. */
const graceMs = 30_000
const stampTailMax = 40

export const runLoad = (job: LoadJob): Promise<LoadResult> => new Load(job).run()

/** What has been seen of one answer. */
interface Seen {
  content: boolean
  tail: string
}

class Load {
  readonly #job: LoadJob
  readonly #requests: RequestMaker
  readonly #latency = new Samples()
  readonly #firstByte = new Samples()
  readonly #eventDelay = new Samples()
  /** Times at which requests were due that no connection was free for. */
  readonly #due: Array<number> = []
  #idle: Array<HttpConnection> = []
  #started = 0
  #finished = 0
  #failures = 0
  #firstFailure: string | undefined
  #bytes = 0
  #startMs = 0
  #endMs = 0
  #lastMs = 0
  #underWay = 0
  #stopped = false
  #resolve: (() => void) | undefined
  readonly #urls: ReadonlyArray<string>
  #opened = 0

  constructor(job: LoadJob) {
    this.#job = job
    this.#urls = [job.url, ...(job.otherUrls ?? [])]
    this.#requests = new RequestMaker(job)
  }

  async run(): Promise<LoadResult> {
    const { connections, ratePerSecond, seconds } = this.#job
    this.#idle = Array.from({ length: connections }, () => this.#open())
    const all = [...this.#idle]
    this.#startMs = performance.now()
    this.#endMs = this.#startMs + seconds * 1000
    const ended = new Promise<void>((resolve) => (this.#resolve = resolve))
    const timer = setTimeout(() => this.#stop(), seconds * 1000)
    const grace = setTimeout(() => this.#resolve?.(), seconds * 1000 + graceMs)
    if (ratePerSecond === undefined) for (const connection of this.#idle.splice(0)) this.#again(connection)
    else this.#keepSchedule(ratePerSecond)
    await ended
    clearTimeout(timer)
    clearTimeout(grace)
    for (const connection of [...all, ...this.#idle]) connection.close()
    return {
      requests: this.#finished,
      failures: this.#failures + this.#underWay,
      firstFailure: this.#firstFailure ?? (this.#underWay > 0 ? "no answer in time" : undefined),
      seconds: (this.#lastMs - this.#startMs) / 1000,
      bytes: this.#bytes,
      events: this.#eventDelay.percentiles.count,
      latency: this.#latency.percentiles,
      firstByte: this.#firstByte.percentiles,
      eventDelay: this.#eventDelay.percentiles
    }
  }

  #open(): HttpConnection {
    return new HttpConnection(this.#urls[this.#opened++ % this.#urls.length]!)
  }

  get #isOver(): boolean {
    const { requests } = this.#job
    return requests === undefined ? performance.now() >= this.#endMs : this.#started >= requests
  }

  #again(connection: HttpConnection): void {
    if (this.#isOver) return this.#stop()
    this.#send(connection, performance.now())
  }

  #keepSchedule(ratePerSecond: number): void {
    const everyMs = 1000 / ratePerSecond
    let dueMs = this.#startMs
    const tick = setInterval(() => {
      const nowMs = Math.min(performance.now(), this.#endMs)
      for (; dueMs <= nowMs; dueMs += everyMs) {
        const connection = this.#idle.pop()
        if (connection === undefined) this.#due.push(dueMs)
        else this.#send(connection, dueMs)
      }
      if (this.#stopped) clearInterval(tick)
    }, 1)
  }

  /** `startMs`: when the request starts or was due. */
  #send(connection: HttpConnection, startMs: number): void {
    this.#started++
    this.#underWay++
    const seen: Seen = { content: false, tail: "" }
    connection.send(this.#requests.next(), {
      body: (bytes) => {
        this.#bytes += bytes.length
        if (this.#job.stamped === true) return this.#readStamps(bytes, startMs, seen)
        if (!seen.content) this.#firstByte.add(performance.now() - startMs)
        seen.content = true
      },
      done: (status) => {
        this.#ended(connection, startMs, status === 200 ? undefined : `status ${status}`)
      },
      failed: (reason) => this.#ended(connection, startMs, reason)
    })
  }

  #readStamps(bytes: Buffer, startMs: number, seen: Seen): void {
    const nowMs = performance.now()
    const nowNs = process.hrtime.bigint()
    const text = seen.tail + bytes.toString("latin1")
    let end = 0
    for (const found of text.matchAll(/"t(\d+)"/g)) {
      if (!seen.content) this.#firstByte.add(nowMs - startMs)
      seen.content = true
      this.#eventDelay.add(Number(nowNs - BigInt(found[1]!)) / 1e6)
      end = found.index + found[0].length
    }
    // A stamp may be cut in two.
    seen.tail = text.slice(Math.max(end, text.length - stampTailMax))
  }

  #ended(connection: HttpConnection, startMs: number, failure: string | undefined): void {
    const nowMs = performance.now()
    this.#underWay--
    this.#lastMs = nowMs
    if (failure === undefined) {
      this.#finished++
      this.#latency.add(nowMs - startMs)
    } else {
      this.#failures++
      this.#firstFailure ??= failure
    }
    if (this.#stopped) return this.#stop()
    const next = connection.isClosed ? this.#open() : connection
    if (this.#job.ratePerSecond === undefined) return this.#again(next)
    const dueMs = this.#due.shift()
    if (dueMs === undefined) this.#idle.push(next)
    else this.#send(next, dueMs)
  }

  #stop(): void {
    this.#stopped = true
    if (this.#underWay === 0) this.#resolve?.()
  }
}
