/** A worker for each gateway thread: started, asked, told, and started again when it dies. */
import { Deferred, Effect, type Fiber, Schema } from "effect"
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads"
import { keepRunning } from "../collections/keep-running.ts"
import type { PauseSettings } from "../collections/Pauses.ts"
import type { Settings } from "../config/settings.ts"
import type { ModelOverrides } from "../domain/model-overrides.ts"
import type { DashboardTarget } from "../http/DashboardProxy.ts"
import type { Pages } from "../http/Operations.ts"
import type { ThreadLink } from "../ledger/node/LedgerServer.ts"
import { entryOf } from "../program/entries.ts"
import { noCounters, sumCounters } from "../telemetry/sum-counters.ts"
import type { ThreadSnapshot } from "../telemetry/ThreadMetrics.ts"
import type { RoutesTold } from "../upstream/Upstreams.ts"
import { describeFailure } from "./describe-failure.ts"
import type { FromThread, GatewayThreadData, ToThread } from "./messages.ts"
import { type Answered, Questions } from "./Questions.ts"
import type { ThreadNumbers } from "./told-of-threads.ts"
import { spareMemory } from "./spare-memory.ts"
import { tuneGarbageCollector } from "./tune-garbage-collector.ts"

export class ThreadFailed extends Schema.TaggedError<ThreadFailed>()("ThreadFailed", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

export interface ThreadGroupOptions {
  readonly connect: (port: MessagePort) => ThreadLink
  /** With the program's own logger. */
  readonly run: (effect: Effect.Effect<unknown>) => Fiber.Fiber<unknown>
  /** What a thread runs; tests have one that misbehaves. */
  readonly worker?: () => URL
  /** Before a thread that has died is started again. */
  readonly pauses?: Partial<PauseSettings>
}

/**
 * Twice what V8 takes by itself. With hundreds of calls under way it would copy what they hold again and again: with 256, a
 * call costs a fourteenth less CPU. Four times as much takes as much again, but what streams leave behind is then out of the
 * caches when it is cleared.
 */
const youngGenerationMb = 96

const usualPauses = { delaysMs: [100, 500, 2_000, 5_000], steadyMs: 30_000 }
const stopTimeoutMs = 5_000

interface Thread {
  readonly worker: Worker
  readonly data: GatewayThreadData
  readonly link: ThreadLink
  /** Fails when it has ended. */
  readonly ended: Deferred.Deferred<never, ThreadFailed>
  /** Once it listens. */
  port: number | undefined
  /** What it last told of itself. */
  lastSnapshot: ThreadSnapshot | undefined
}

export class ThreadGroup {
  pages: Pages | undefined
  /** Hears how routes fare, as a thread tells it. */
  onRoutes: (thread: number, told: RoutesTold) => void = () => {}
  restarts = 0
  readonly #options: ThreadGroupOptions
  readonly #threads = new Map<number, Thread>()
  readonly #questions = new Questions()
  #settings: Settings | undefined
  #overrides: ModelOverrides = {}
  #dashboard: DashboardTarget | undefined
  #retired = noCounters
  #started = false
  #stopping = false
  /** What the threads were told last, once calls are to end. */
  #drain: ToThread | undefined

  constructor(options: ThreadGroupOptions) {
    this.#options = options
  }

  /** `isPortShared`: whoever listens there already is another node of the same database. */
  start(
    settings: Settings,
    overrides: ModelOverrides,
    isPortShared = false
  ): Effect.Effect<number, ThreadFailed> {
    this.#settings = settings
    this.#overrides = overrides
    return Effect.gen({ self: this }, function* () {
      tuneGarbageCollector()
      spareMemory()
      // The first one shows whether it can be done at all, and on which port where any is wanted.
      const { port = settings.port } = yield* this.#startOne(0, isPortShared)
      // They may have been changed since.
      this.#settings = { ...this.#settings!, port }
      const others = Array.from({ length: settings.gatewayThreads - 1 }, (_, index) => index + 1)
      yield* Effect.forEach(others, (index) => this.#startOne(index), { concurrency: "unbounded" })
      this.#started = true
      for (const index of [0, ...others]) this.#options.run(Effect.ignore(this.#keep(index)))
      return port
    })
  }

  apply(settings: Settings, overrides: ModelOverrides): Effect.Effect<ReadonlyArray<number>> {
    this.#settings = { ...settings, port: this.#settings?.port ?? settings.port }
    this.#overrides = overrides
    return this.#askAll((id) => this.#settingsFor(id))
  }

  setDashboard(dashboard: DashboardTarget | undefined): void {
    this.#dashboard = dashboard
    this.tellAll({ kind: "dashboard", dashboard })
  }

  /** A thread that does not answer in time counts with what it last told. */
  numbers(): Effect.Effect<ThreadNumbers> {
    return Effect.map(
      this.#askAll((id) => ({ kind: "snapshot", id })),
      () => ({
        threads: [...this.#threads].flatMap(([thread, { lastSnapshot }]) =>
          lastSnapshot === undefined ? [] : [{ ...lastSnapshot, thread }]
        ),
        retired: this.#retired
      })
    )
  }

  /** By the first thread; nothing where no answer came. */
  tryRoute(route: string): Effect.Effect<Answered> {
    const [thread] = this.#threads.values()
    if (thread === undefined) return Effect.succeedNone
    return this.#questions.ask(thread.worker, (id) => ({ kind: "try", id, route }), "40 seconds")
  }

  crash(): void {
    const first = this.#threads.get(0)
    if (first !== undefined) tell(first.worker, { kind: "crash" })
  }

  drain(listen: boolean): Effect.Effect<void> {
    this.#stopping = true
    const order: ToThread = { kind: "drain", listen }
    this.#drain = order
    return this.#tellAndAwait(order, "drained")
  }

  readonly stop: Effect.Effect<void> = Effect.suspend(() => {
    this.#stopping = true
    return Effect.asVoid(Effect.timeoutOption(this.#tellAndAwait({ kind: "stop" }), stopTimeoutMs))
  })

  /** Until each thread has said so, or has ended. */
  #tellAndAwait(order: ToThread, said?: FromThread["kind"]): Effect.Effect<void> {
    return Effect.forEach(
      [...this.#threads.values()],
      ({ worker }) =>
        Effect.callback<void>((resume) => {
          worker.on("message", ({ kind }: FromThread) => {
            if (kind === said) resume(Effect.void)
          })
          worker.once("exit", () => resume(Effect.void))
          tell(worker, order)
        }),
      { concurrency: "unbounded", discard: true }
    )
  }

  /** Whenever the thread has ended, another one takes its place, until the program stops. */
  #keep(index: number): Effect.Effect<never, ThreadFailed> {
    const pauses = { ...usualPauses, ...this.#options.pauses }
    const live = Effect.suspend(() => this.#live(index))
    return keepRunning(live, { isWanted: () => !this.#stopping, pauses })
  }

  #live(index: number): Effect.Effect<never, ThreadFailed> {
    const thread = this.#threads.get(index)
    if (thread !== undefined) return Deferred.await(thread.ended)
    if (this.#stopping) return Effect.fail(new ThreadFailed({ reason: "the program stops" }))
    return Effect.flatMap(this.#startOne(index), ({ ended }) => Deferred.await(ended))
  }

  #startOne(index: number, isPortShared = true): Effect.Effect<Thread, ThreadFailed> {
    return Effect.callback((resume) => {
      const { port1, port2 } = new MessageChannel()
      const data: GatewayThreadData = {
        settings: this.#settings!,
        overrides: this.#overrides,
        dashboard: this.#dashboard,
        isPortShared
      }
      const link = this.#options.connect(port1)
      const worker = this.#openWorker(data, { ledger: port2, link })
      if (worker instanceof ThreadFailed) return resume(Effect.fail(worker))
      const thread: Thread = {
        worker,
        data,
        link,
        ended: Deferred.makeUnsafe(),
        port: undefined,
        lastSnapshot: undefined
      }
      this.#threads.set(index, thread)
      let reason = "a gateway thread ended while it started"
      worker.on("message", (message: FromThread) => {
        if (message.kind === "listening") {
          thread.port = message.port
          this.#catchUp(thread)
          resume(Effect.succeed(thread))
        }
        if (message.kind === "failed") reason = message.message
        if (message.kind === "routes") this.onRoutes(index, message.told)
        if (message.kind === "snapshot") thread.lastSnapshot = message.snapshot
        this.#receive(worker, message)
      })
      worker.on("error", (error: unknown) => {
        reason = describeFailure(error, thread.port !== undefined)
      })
      worker.once("exit", () => {
        resume(Effect.fail(new ThreadFailed({ reason })))
        this.#lost(index, thread)
        const told = `Gateway thread ${index} ended, its holds are released: ${reason}`
        Deferred.doneUnsafe(thread.ended, Effect.fail(new ThreadFailed({ reason: told })))
      })
    })
  }

  /** Where the system gives no more threads, that is thrown; all else a worker tells as its end. */
  #openWorker(
    data: GatewayThreadData,
    { ledger, link }: { readonly ledger: MessagePort; readonly link: ThreadLink }
  ): Worker | ThreadFailed {
    try {
      return new Worker(this.#options.worker?.() ?? entryOf("gateway"), {
        workerData: { data, ledger, allowances: link.allowances.memory, deadline: link.deadline.memory },
        transferList: [ledger],
        resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb }
      })
    } catch (cause) {
      link.dispose()
      return new ThreadFailed({ reason: describeFailure(cause, false) })
    }
  }

  /** Before it listens, a thread hears of nothing: what has changed since it was begun is told now. */
  #catchUp({ data, worker }: Thread): void {
    if (data.settings !== this.#settings || data.overrides !== this.#overrides)
      tell(worker, this.#settingsFor(this.#questions.newId()))
    if (data.dashboard !== this.#dashboard) tell(worker, { kind: "dashboard", dashboard: this.#dashboard })
    if (this.#drain !== undefined) tell(worker, this.#drain)
  }

  #settingsFor(id: number): ToThread {
    return { kind: "settings", id, settings: this.#settings!, overrides: this.#overrides }
  }

  #lost(index: number, thread: Thread): void {
    thread.link.dispose()
    this.#questions.gone(thread.worker)
    if (this.#threads.get(index) !== thread) return
    this.#threads.delete(index)
    if (thread.lastSnapshot !== undefined) this.#retired = sumCounters([this.#retired, thread.lastSnapshot])
    // What does not come up with the program is reported to whoever started it.
    if (this.#started && !this.#stopping) this.restarts++
  }

  #receive(worker: Worker, message: FromThread): void {
    if (message.kind === "applied" || message.kind === "snapshot" || message.kind === "tried") {
      this.#questions.answered(message.id, message)
    } else if (message.kind === "page" && this.pages !== undefined) {
      const { id } = message
      this.#options.run(
        Effect.map(this.pages.page(message.page), (page) => tell(worker, { kind: "answer", id, ...page }))
      )
    }
  }

  tellAll(message: ToThread): void {
    for (const { worker } of this.#threads.values()) tell(worker, message)
  }

  /** Asks all threads at once; answers those of which nothing came in time. */
  #askAll(question: (id: number) => ToThread): Effect.Effect<ReadonlyArray<number>> {
    return Effect.map(
      Effect.forEach(
        [...this.#threads],
        ([index, { worker }]) =>
          Effect.map(this.#questions.ask(worker, question), ({ _tag }) => (_tag === "Some" ? [] : [index])),
        { concurrency: "unbounded" }
      ),
      (silent) => silent.flat()
    )
  }
}

const tell = (worker: Worker, message: ToThread): void => worker.postMessage(message)
