/**
 * Where a process runs: its clocks, which drift, and what it is given to do, which waits while it is stopped and is never
 * done once it is killed. What the real code asks of Effect's clock and scheduler ends here.
 */
import { type Clock, Duration, Effect, type Scheduler } from "effect"
import type { Clocks } from "../../src/ledger/bridge/LeaseDeadline.ts"
import type { Cancel, World } from "./World.ts"

/** How far clocks run apart: 20 ms in a second, more than any machine's. */
const driftMax = 0.02
const epochMs = 1_700_000_000_000

export class Machine {
  readonly name: string
  readonly world: World
  readonly clock: Clock.Clock & Clocks
  readonly scheduler: Scheduler.Scheduler
  readonly #rate: number
  readonly #startMs: number
  #wallStepMs: number
  #held: Array<() => void> = []
  isFrozen = false
  isDead = false

  constructor(world: World, name: string) {
    this.world = world
    this.name = name
    this.#rate = 1 + driftMax * (2 * world.random.next() - 1)
    this.#startMs = world.nowMs
    this.#wallStepMs = world.random.below(2_000) - 1_000
    this.clock = makeClock(this)
    this.scheduler = {
      executionMode: "async",
      // At any moment a fiber may have used up its turn.
      shouldYield: () => world.random.chance(0.002),
      makeDispatcher: () => new Dispatcher((run) => this.after(0, run))
    }
  }

  get monotonicMs(): number {
    return 1_000 + (this.world.nowMs - this.#startMs) * this.#rate
  }

  get wallMs(): number {
    return Math.floor(epochMs + this.#startMs + this.monotonicMs + this.#wallStepMs)
  }

  /** Somebody has set the clock. */
  stepWall(ms: number): void {
    this.#wallStepMs += ms
  }

  /** After so many ms by its own clock. */
  after(ms: number, run: () => void): Cancel {
    return this.#guarded((guarded) => this.world.after(ms / this.#rate, guarded), run)
  }

  /** Something comes in from outside: now, or once the process goes on. */
  receive(run: () => void): void {
    if (this.isDead) return
    if (this.isFrozen) this.#held.push(run)
    else run()
  }

  freeze(): void {
    this.isFrozen = true
  }

  /** What was due meanwhile is done in its order. */
  thaw(): void {
    this.isFrozen = false
    for (const run of this.#held.splice(0)) this.world.after(0, () => this.receive(run))
  }

  kill(): void {
    this.isDead = true
    this.#held = []
  }

  #guarded(plan: (run: () => void) => Cancel, run: () => void): Cancel {
    let isCancelled = false
    const cancel = plan(() =>
      this.receive(() => {
        if (!isCancelled) run()
      })
    )
    return () => {
      isCancelled = true
      cancel()
    }
  }
}

const makeClock = (machine: Machine): Clock.Clock & Clocks => {
  const monotonicNs = () => BigInt(Math.round(machine.monotonicMs * 1_000)) * 1_000n
  const wallMs = () => machine.wallMs
  const wallNs = () => BigInt(machine.wallMs) * 1_000_000n
  return {
    monotonicNs,
    wallMs,
    currentTimeMillisUnsafe: wallMs,
    currentTimeMillis: Effect.sync(wallMs),
    currentTimeNanosUnsafe: wallNs,
    currentTimeNanos: Effect.sync(wallNs),
    monotonicTimeNanosUnsafe: monotonicNs,
    monotonicTimeNanos: Effect.sync(monotonicNs),
    sleep: (duration) => {
      const ms = Duration.toMillis(duration)
      if (!Number.isFinite(ms)) return Effect.never
      return Effect.callback<void>((resume) => {
        const cancel = machine.after(ms, () => resume(Effect.void))
        return Effect.sync(cancel)
      })
    }
  }
}

/** What fibers have yielded, in their order, as one event. */
class Dispatcher implements Scheduler.SchedulerDispatcher {
  #tasks: Array<{ readonly run: () => void; readonly priority: number }> = []
  readonly #plan: (run: () => void) => void

  constructor(plan: (run: () => void) => void) {
    this.#plan = plan
  }

  scheduleTask(run: () => void, priority: number): void {
    this.#tasks.push({ run, priority })
    if (this.#tasks.length === 1) this.#plan(() => this.#runAll())
  }

  flush(): void {
    while (this.#tasks.length > 0) this.#runAll()
  }

  #runAll(): void {
    const tasks = this.#tasks
    this.#tasks = []
    if (tasks.length > 1) tasks.sort((one, other) => one.priority - other.priority)
    for (const { run } of tasks) run()
  }
}
