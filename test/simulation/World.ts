/**
 * Virtual time for everything that is simulated: one event after the other, each with all that follows from it at once
 * (promises, microtasks), and nothing that depends on the machine. So a seed says what happens, always.
 */
import { Random } from "../Random.ts"

interface Event {
  readonly atMs: number
  readonly order: number
  readonly run: () => void
  cancelled: boolean
}

export type Cancel = () => void

/** A fault of the ledger, or of the simulation. */
export class Violation extends Error {}

export class World {
  readonly random: Random
  /** Every line of what happened, where somebody reads it. */
  readonly trace: Array<string> | undefined
  /** Called after each event. */
  afterEach: () => void = () => {}
  nowMs = 0
  events = 0
  #order = 0
  readonly #heap: Array<Event> = []
  #failure: unknown

  constructor(seed: number, isTraced: boolean) {
    this.random = new Random(seed)
    this.trace = isTraced ? [] : undefined
  }

  at(atMs: number, run: () => void): Cancel {
    const event = { atMs: Math.max(atMs, this.nowMs), order: this.#order++, run, cancelled: false }
    push(this.#heap, event)
    return () => {
      event.cancelled = true
    }
  }

  after(ms: number, run: () => void): Cancel {
    return this.at(this.nowMs + ms, run)
  }

  say(who: string, what: () => string): void {
    this.trace?.push(`${this.nowMs.toFixed(1).padStart(9)} ${who.padEnd(8)} ${what()}`)
  }

  /** Ends the run; the first one counts. */
  fail(message: string): void {
    this.say("FAULT", () => message)
    this.#failure ??= new Violation(message)
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Runs until that time; rejects with what has failed. */
  run(untilMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        if (this.#failure !== undefined) return reject(this.#failure)
        const event = this.#next(untilMs)
        if (event === undefined) {
          this.nowMs = untilMs
          return resolve()
        }
        this.nowMs = event.atMs
        this.events++
        try {
          event.run()
        } catch (error) {
          return reject(error)
        }
        // A tick that is asked for by a microtask comes after all of them; one of a promise costs less than another.
        void Promise.resolve().then(later)
      }
      const settle = () => {
        this.afterEach()
        step()
      }
      const later = () => process.nextTick(settle)
      process.nextTick(step)
    })
  }

  #next(untilMs: number): Event | undefined {
    for (;;) {
      const first = this.#heap[0]
      if (first === undefined || first.atMs > untilMs) return undefined
      pop(this.#heap)
      if (!first.cancelled) return first
    }
  }
}

const isBefore = (one: Event, other: Event): boolean =>
  one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)

const push = (heap: Array<Event>, event: Event): void => {
  let index = heap.length
  heap.push(event)
  while (index > 0) {
    const parent = (index - 1) >> 1
    if (!isBefore(event, heap[parent]!)) break
    heap[index] = heap[parent]!
    index = parent
  }
  heap[index] = event
}

const pop = (heap: Array<Event>): void => {
  const last = heap.pop()!
  if (heap.length === 0) return
  let index = 0
  for (;;) {
    let child = 2 * index + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
    if (!isBefore(heap[child]!, last)) break
    heap[index] = heap[child]!
    index = child
  }
  heap[index] = last
}
