/**
 * A node's real lease and what it hears, with chance for the database, the threads and the machine: answers are late or lost, connections
 * end, notices do not come, threads are busy, the process stands still. Others change settings meanwhile, and wait until it has confirmed.
 */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Logger, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import { Journal } from "../../src/ledger/journal/Journal.ts"
import * as Lease from "../../src/ledger/node/Lease.ts"
import type { LeaseConnector, LeaseStore } from "../../src/ledger/node/LeaseStore.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import { NodeEvents } from "../../src/ledger/node/NodeEvents.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { runOn, SessionFailed } from "../../src/ledger/session.ts"
import { Database, DatabaseError } from "../../src/storage/Database.ts"
import { defaultPool } from "../../src/storage/postgres/ConnectionPool.ts"
import { DatabaseModel } from "../simulation/DatabaseModel.ts"
import type { Random } from "../Random.ts"

const threadCount = 2
/** As in Questions. */
const threadAnswersWithinMs = 3_000
const maintenance = "maintenance"
const models = "models"

/** Of settings that are numbered as they change; even numbers of maintenance are off. */
interface Change {
  readonly eventId: bigint
  readonly kind: typeof maintenance | typeof models
  readonly number: number
  isReturned: boolean
}

export class LeaseRun {
  readonly changes: Array<Change> = []
  readonly model: DatabaseModel
  /** What the database says now. */
  readonly #stored = { maintenance: 0, models: 0 }
  /** What each thread works with. */
  readonly #threads: Array<number> = Array.from({ length: threadCount }, () => 0)
  readonly #threadsBusyUntilMs: Array<number> = Array.from({ length: threadCount }, () => 0)
  readonly deadline: LeaseDeadline
  readonly #random: Random
  readonly #ends = new Set<() => void>()
  readonly #listening = new Set<() => void>()
  /** While the process stands still, clocks run on. */
  #stoodStillMs = 0
  #clockMs = 0
  #faultiness = 0
  #isUp = true
  #isRefusing = false
  #tokens: ReadonlyArray<string> = []

  constructor(random: Random) {
    this.#random = random
    const nowMs = () => this.nowMs
    const monotonicNs = () => BigInt(Math.trunc(this.nowMs * 1e6))
    this.deadline = LeaseDeadline.make({ monotonicNs, wallMs: nowMs })
    this.model = new DatabaseModel(() => this.nowMs, {
      onNotice: () => {
        for (const notice of this.#listening) if (!this.#strikes()) notice()
      },
      onGone: () => {},
      onCommitted: () => {}
    })
  }

  get nowMs(): number {
    return 1_000_000 + this.#clockMs + this.#stoodStillMs
  }

  get isServing(): boolean {
    return !this.deadline.hasPassed && !this.#isRefusing
  }

  /** Until the scope closes. */
  start(scope: Scope.Scope) {
    const connector: LeaseConnector = { open: (onNotice) => this.#open(onNotice) }
    const layer = Lease.layer({ connector, tokens: this.#tokensOf() }).pipe(
      Layer.provideMerge(NodeEvents.layer),
      Layer.provide([
        Layer.succeed(Database, this.#database()),
        Layer.succeed(Ledger, this.#ledger()),
        Layer.succeed(Journal, { untoldMs: () => 0 } as unknown as Journal["Service"])
      ]),
      Layer.provideMerge(NodeLife.layerWith(this.deadline)),
      Layer.provide(Logger.layer([]))
    )
    return Effect.map(Layer.buildWithScope(layer, scope), (services) => {
      const events = Context.get(services, NodeEvents)
      this.#threads.fill(numberOf(events.overrides()))
      events.onChanges(this.#tellThreads(() => numberOf(events.overrides())))
    })
  }

  /** Time passes, and what is due is done. */
  pass(ms: number): Effect.Effect<void> {
    return Effect.gen({ self: this }, function* () {
      for (let left = ms; left > 0; left -= 50) {
        const step = Math.min(50, left)
        this.#clockMs += step
        yield* TestClock.adjust(step)
        yield* Effect.promise(() => Promise.resolve())
        this.check()
      }
    })
  }

  standStill(ms: number): void {
    this.#stoodStillMs += ms
    this.check()
  }

  change(kind: Change["kind"]): void {
    const number = ++this.#stored[kind]
    const eventId = this.model.tell(kind, "")
    this.changes.push({ eventId, kind, number, isReturned: false })
    this.check()
  }

  /** An event of something else. */
  tell(): void {
    this.model.tell("wallet", "acc_1")
  }

  /** One of the threads, which takes nothing until then. */
  beBusy(ms: number): void {
    this.#threadsBusyUntilMs[this.#random.below(threadCount)] = this.nowMs + ms
  }

  cut(): void {
    for (const end of this.#ends) end()
  }

  setFaultiness(share: number): void {
    this.#faultiness = share
  }

  setUp(isUp: boolean): void {
    this.#isUp = isUp
    if (!isUp) this.cut()
    else this.model.nodes.served()
  }

  /** Other nodes say so of one whose lease has run out. */
  declareGone(): void {
    for (const node of this.model.nodes.living) if (node.leaseUntilMs < this.nowMs) this.model.nodes.end(node)
  }

  /** Whoever made a change is told that it is in force as soon as each node that lives has confirmed it. */
  check(): void {
    if (this.#isUp)
      for (const change of this.changes) change.isReturned ||= this.#waitsFor(change.eventId).length === 0
    if (this.deadline.hasPassed) return
    const returned = (kind: Change["kind"]) =>
      Math.max(
        0,
        ...this.changes.filter((each) => each.isReturned && each.kind === kind).map(({ number }) => number)
      )
    for (const [thread, number] of this.#threads.entries())
      assert.isAtLeast(number, returned(models), `thread ${thread} serves by former models`)
    const inForce = returned(maintenance)
    if (inForce === this.#stored.maintenance)
      assert.strictEqual(this.#isRefusing, inForce % 2 === 1, "calls are served by former maintenance")
  }

  /** As `live_nodes` of the database says. */
  #waitsFor(eventId: bigint) {
    return this.model.nodes.living.filter(
      ({ leaseUntilMs, seen }) => leaseUntilMs >= this.nowMs && seen < eventId
    )
  }

  #strikes(): boolean {
    return this.#random.chance(this.#faultiness)
  }

  #latencyMs(): number {
    return this.#strikes() ? this.#random.below(3_000) : this.#random.below(4)
  }

  #open(onNotice: () => void) {
    return Effect.gen({ self: this }, function* () {
      if (!this.#isUp) return yield* new SessionFailed({ operation: "listen", cause: new Error("away") })
      const listeners = new Set<(cause: Error) => void>()
      let hasEnded = false
      const forget = () => {
        this.#ends.delete(end)
        this.#listening.delete(onNotice)
      }
      const end = () => {
        hasEnded = true
        forget()
        for (const listener of listeners) listener(new Error("connection lost"))
        onNotice()
      }
      this.#ends.add(end)
      this.#listening.add(onNotice)
      yield* Effect.addFinalizer(() => Effect.sync(forget))
      const context = yield* Effect.context<never>()
      /** Done at one moment, unless it does not get there; its answer comes later, or never. */
      const request = <A>(work: () => A): Promise<A> =>
        Effect.runPromiseWith(context)(
          Effect.gen({ self: this }, function* () {
            yield* Effect.sleep(this.#latencyMs())
            if (!this.#isUp || this.#strikes()) return yield* Effect.never
            const answer = work()
            this.check()
            yield* Effect.sleep(this.#latencyMs())
            if (this.#strikes()) return yield* Effect.never
            return answer
          })
        )
      const store: LeaseStore = {
        register: (token, former) => request(() => this.model.register(token, former)),
        beat: (node, confirmed, toldAtMs) => request(() => this.model.beat(node.id, confirmed, toldAtMs)),
        remembers: () => request(() => true),
        eventsAfter: (id) => request(() => this.model.eventsAfter(id)),
        announceProgress: () => request(() => undefined),
        leave: (node) => request(() => this.model.leave(node.id))
      }
      const connection = {
        hasEnded: () => hasEnded,
        onEnd: (listener: (cause: Error) => void) => {
          listeners.add(listener)
          return () => void listeners.delete(listener)
        }
      }
      return { run: runOn(store, connection, { answerWithinMs: 2_000, onTimeout: () => {} }) }
    })
  }

  #database(): Database["Service"] {
    const stored: Readonly<Record<string, () => unknown>> = {
      "read maintenance": () => ({ isOn: this.#stored.maintenance % 2 === 1, notice: undefined }),
      "read model overrides": () => ({ model: { price_vnd: this.#stored.models, disabled: false } }),
      "read route changes": () => ({})
    }
    const run = (operation: string, _query: unknown, withinMs: number = defaultPool.lentMsMax) =>
      Effect.gen({ self: this }, function* () {
        yield* Effect.sleep(this.#latencyMs())
        if (!this.#isUp) return yield* new DatabaseError({ operation, code: "CONNECTION_CLOSED" })
        if (this.#strikes()) {
          yield* Effect.sleep(withinMs)
          return yield* new DatabaseError({ operation, code: "NO_ANSWER" })
        }
        return yield* Effect.delay(Effect.succeed(stored[operation]!()), this.#latencyMs())
      })
    return { run } as unknown as Database["Service"]
  }

  #ledger(): LedgerShape {
    return {
      walletChanged: () => {},
      refuse: (refusal: unknown) => {
        this.#isRefusing = refusal !== undefined
      }
    } as unknown as LedgerShape
  }

  /** Each takes what it is told once it is not busy; who has not by then is named. */
  #tellThreads(read: () => number): Effect.Effect<boolean> {
    const tellOne = (thread: number, number: number) =>
      Effect.gen({ self: this }, function* () {
        while (this.#threadsBusyUntilMs[thread]! > this.nowMs) yield* Effect.sleep(50)
        this.#threads[thread] = Math.max(number, this.#threads[thread]!)
      })
    return Effect.gen({ self: this }, function* () {
      const number = read()
      const telling = yield* Effect.forEach(this.#threads.keys(), (thread) =>
        Effect.forkDetach(tellOne(thread, number))
      )
      for (let waited = 0; waited < threadAnswersWithinMs; waited += 50) {
        if (telling.every((each) => each.pollUnsafe() !== undefined)) return true
        yield* Effect.sleep(50)
      }
      return false
    })
  }

  #tokensOf() {
    return {
      begin: () => {
        const token = `life ${this.#tokens.length} ${this.nowMs} ${this.#random.next()}`
        this.#tokens = [...this.#tokens, token]
        return token
      },
      former: (token: string) => this.#tokens.filter((each) => each !== token),
      keepOnly: (token: string) => {
        this.#tokens = [token]
      }
    }
  }
}

const numberOf = (overrides: Readonly<Record<string, { readonly price_vnd: number | null }>>): number =>
  overrides["model"]?.price_vnd ?? 0
