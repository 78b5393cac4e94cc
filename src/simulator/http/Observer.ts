/** What the simulator saw: counts, and the last calls in full, for tests that ask what reached the provider. */

/** Calls in full. */
const lastMax = 50

export interface CallRecord {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Empty until it is read. */
  body: Buffer
  model: string | undefined
  status: number | undefined
  aborted: boolean
  /** Whether it has been counted as finished or aborted, which it is once. */
  done: boolean
  /** Of the body. */
  bytesSent: number
}

export class Observer {
  started = 0
  finished = 0
  aborted = 0
  openStreams = 0
  #byModel = new Map<string, number>()
  #last: Array<CallRecord> = []
  #listeners = new Set<() => void>()

  start(record: CallRecord): void {
    this.started++
    this.#last.push(record)
    if (this.#last.length > lastMax) this.#last.shift()
    this.#changed()
  }

  named(record: CallRecord, model: string): void {
    record.model = model
    this.#byModel.set(model, (this.#byModel.get(model) ?? 0) + 1)
  }

  streamOpened(): void {
    this.openStreams++
  }

  streamClosed(): void {
    this.openStreams--
    this.#changed()
  }

  finish(record: CallRecord): void {
    if (record.done) return
    record.done = true
    this.finished++
    this.#changed()
  }

  abort(record: CallRecord): void {
    if (record.done) return
    record.done = true
    record.aborted = true
    this.aborted++
    this.#changed()
  }

  reset(): void {
    this.started = 0
    this.finished = 0
    this.aborted = 0
    this.#byModel.clear()
    this.#last = []
  }

  report() {
    return {
      started: this.started,
      finished: this.finished,
      aborted: this.aborted,
      openStreams: this.openStreams,
      byModel: Object.fromEntries(this.#byModel),
      last: this.#last.map((record) => ({ ...record, body: record.body.toString() }))
    }
  }

  /** Runs `listener` after every change until the function given back is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #changed(): void {
    for (const listener of this.#listeners) listener()
  }
}
