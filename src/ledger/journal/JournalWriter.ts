/** The journal's queue and what is done with it: commits, what runs between them, the spool when the database is away. */
import { type Clock, Effect, Exit } from "effect"
import { monotonicMsOf } from "../../actors/monotonic.ts"
import type { CallRecord } from "../../domain/call.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { Escrow } from "../../storage/EscrowStore.ts"
import { type SessionFailed } from "../session.ts"
import {
  type BetweenCommits,
  canBeLeft,
  costsOf,
  noWallets,
  type Outcome,
  type QueuedCall,
  type ReclaimQueue,
  unpaidRow,
  type WalletOwner
} from "./queued-calls.ts"
import type { JournalSession, JournalStore } from "./JournalStore.ts"
import { CallQueue } from "./CallQueue.ts"
import { LossLog } from "./LossLog.ts"
import type { CallSpool } from "./CallSpool.ts"
import { newState } from "./journal-state.ts"
import { spoolWith } from "./spool-calls.ts"
import { UntoldSince } from "./UntoldSince.ts"
import { type WriteCalls, writeWith } from "./write-calls.ts"

/** More than a few hundred calls make a commit no cheaper; those behind them are made ready while it is under way. */
export const batchMax = 1_000
const queueMax = 200_000
const spoolAfterMs = 10_000
/** Where other nodes may have claimed what a call holds, its reply waits longer, and is refused then. */
const refuseAfterMs = 30_000
/** Where the process ends, which puts on disk what is left in any case. */
const hurriedMs = 1_000
const heartbeatMs = 2_000
/** The most that commits are held apart for the sake of other nodes. */
const paceMsMax = 10

export interface JournalWriterOptions {
  readonly spool: CallSpool
  readonly clock: Clock.Clock
  readonly liveNodes: () => number
  readonly dateMs: () => number
}

export class JournalWriter {
  readonly spool: CallSpool
  readonly lossListeners: Array<() => void> = []
  readonly state = newState()
  owner: WalletOwner = noWallets
  readonly #clock: Clock.Clock
  readonly #liveNodes: () => number
  readonly #queue = new CallQueue()
  #between: Array<BetweenCommits> = []
  #givesBack = false
  #isHurried = false
  readonly #untold = new UntoldSince()
  #wake: (() => void) | undefined
  #committedAtMs = 0
  #reclaimedFor: string | undefined
  readonly #loss = new LossLog()
  readonly #write: WriteCalls
  readonly #spool: (calls: ReadonlyArray<QueuedCall>) => Effect.Effect<void>

  constructor({ clock, dateMs, liveNodes, spool }: JournalWriterOptions) {
    this.spool = spool
    this.#write = writeWith(spool, dateMs, () => this.state.refusedRows++)
    this.#spool = spoolWith(spool, () => this.state.spooledCalls++)
    this.#clock = clock
    this.#liveNodes = liveNodes
  }

  get queued(): number {
    return this.#queue.length
  }
  readonly untoldMs = (): number => this.#untold.ageMs(this.#nowMs())

  append(record: CallRecord, isOwn: boolean, done: (outcome: Outcome) => void): void {
    if (this.#queue.length >= queueMax && record.cost === 0n) {
      this.state.droppedRows++
      return done("committed")
    }
    this.#queue.add(record, isOwn, this.#nowMs(), done)
    this.#wake?.()
  }

  /** The row of a call that could not be charged. */
  appendUnpaid(record: CallRecord): void {
    this.state.unpaidCalls++
    this.append(unpaidRow(record), true, () => {})
  }

  between(work: BetweenCommits): void {
    if (!this.state.available) return work.failed()
    this.#between.push(work)
    this.#wake?.()
  }

  /** Something lies idle that others may lack. */
  giveBack(): void {
    this.#givesBack = true
    this.#untold.note(this.#nowMs())
    this.#wake?.()
  }

  hurry(): void {
    this.#isHurried = true
  }

  /** What must be done before all else: on a session that is new, and before that by a node that is new. */
  begin(session: JournalSession): Effect.Effect<void, SessionFailed> {
    return Effect.andThen(this.#reclaim(session), () => this.owner.begin(session))
  }

  #reclaim(session: JournalSession): Effect.Effect<void, SessionFailed> {
    const { token } = session.node
    if (this.#reclaimedFor === token) return Effect.void
    const queue: ReclaimQueue = {
      calls: this.#queue.all.filter((call) => call.isOwn && call.record.cost > 0n),
      settleKnown: (calls) => this.#settleKnown(calls),
      leaveUnpaid: (calls) => this.#leaveUnpaid(calls)
    }
    return Effect.map(this.owner.reclaim(session, queue), () => void (this.#reclaimedFor = token))
  }

  /** Returns when there is something to do, or when it is time for a heartbeat. */
  readonly waitForWork = Effect.suspend(() => {
    const pace = Effect.suspend(() => this.#pace())
    return this.hasWork ? pace : Effect.andThen(this.#awaitWake, pace)
  })

  /** One commit of everything that waits, then what waits for the time between; a bare heartbeat when there is neither. */
  turn(session: JournalSession): Effect.Effect<void, SessionFailed> {
    return Effect.suspend(() => {
      if (!this.hasWork) return this.#heartbeat(session)
      const batch = this.#queue.first(batchMax)
      const write = batch.length === 0 ? this.#giveBack(session) : this.#commit(session, batch)
      return Effect.andThen(
        write,
        Effect.suspend(() => this.#runBetween(session))
      )
    })
  }

  get hasWork(): boolean {
    return this.#queue.length + this.#between.length > 0 || this.#givesBack
  }

  readonly #awaitWake = Effect.suspend(() =>
    Effect.callback<void>((resume) => {
      if (this.hasWork) return resume(Effect.void)
      // What else arrives in the same frame shares the commit.
      this.#wake = () => {
        this.#wake = undefined
        queueMicrotask(() => resume(Effect.void))
      }
      return Effect.sync(() => (this.#wake = undefined))
    }).pipe(Effect.timeoutOption(heartbeatMs), Effect.asVoid)
  )

  /**
   * The more nodes there are, the further apart their commits, so that together they are no more and no smaller than one
   * node's. A call that comes alone does not wait.
   */
  #pace(): Effect.Effect<void> {
    const others = this.#liveNodes() - 1
    if (others <= 0 || this.#queue.length === 0 || this.#between.length > 0) return Effect.void
    const apartMs = Math.min(paceMsMax, others * this.state.lastCommitMs)
    const waitMs = this.#committedAtMs + apartMs - this.#nowMs()
    return waitMs <= 0 ? Effect.void : Effect.sleep(waitMs)
  }

  readonly #nowMs = (): number => monotonicMsOf(this.#clock)

  #commit(session: JournalSession, batch: ReadonlyArray<QueuedCall>): Effect.Effect<void, SessionFailed> {
    const startedMs = this.#nowMs()
    const recalled = this.#takeRecalled()
    for (const call of batch) call.attempted = true
    const escrows = this.owner.escrows(costsOf(batch))
    return Effect.flatMap(this.#orNotTold(escrows, this.#write(session, batch, escrows)), () => {
      this.#committed(batch, this.#nowMs() - startedMs)
      return recalled.length === 0 ? Effect.void : this.#tell(session, [], recalled)
    })
  }

  #giveBack(session: JournalSession): Effect.Effect<void, SessionFailed> {
    if (!this.#givesBack) return Effect.void
    const recalled = this.#takeRecalled()
    return this.#tell(session, this.owner.escrows(new Map()), recalled)
  }

  #takeRecalled(): ReadonlyArray<AccountId> {
    this.#givesBack = false
    this.#untold.beginTelling()
    return this.owner.takeRecalled()
  }

  #tell(session: JournalSession, escrows: ReadonlyArray<Escrow>, recalled: ReadonlyArray<AccountId>) {
    const isNothing = escrows.length + recalled.length === 0
    const told = session.run("give back", (store) => store.giveBack(escrows, recalled))
    return this.#orNotTold(escrows, isNothing ? Effect.void : told)
  }

  #orNotTold<A>(escrows: ReadonlyArray<Escrow>, told: Effect.Effect<A, SessionFailed>) {
    return Effect.onExit(told, (exit) =>
      Effect.sync(() => {
        this.#untold.endTelling(Exit.isSuccess(exit))
        if (Exit.isFailure(exit)) this.owner.notTold(escrows)
      })
    )
  }

  #committed(batch: ReadonlyArray<QueuedCall>, tookMs: number): void {
    this.#queue.removeFirst(batch.length)
    this.#committedAtMs = this.#nowMs()
    this.state.lastCommitMs = tookMs
    this.state.commitMsTotal += tookMs
    this.state.commits++
    this.state.committedCalls += batch.length
    for (const call of batch) call.done("committed")
    this.#clearSpool()
    this.#recover()
  }

  #clearSpool(): void {
    if (!this.#queue.holdsSpooled) this.spool.clear()
  }

  #runBetween(session: JournalSession) {
    const works = this.#between
    this.#between = []
    if (works.length === 0) return Effect.void
    const run = (store: JournalStore) => Promise.all(works.map((work) => work.run(store)))
    return session.run("read", run).pipe(
      Effect.onExit((exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit)) works.forEach((work) => work.failed())
        })
      ),
      Effect.map(() => this.#recover())
    )
  }

  #heartbeat(session: JournalSession) {
    return Effect.map(
      session.run("heartbeat", (store) => store.ping()),
      () => this.#recover()
    )
  }

  #recover(): void {
    this.state.available = true
  }

  #settleKnown(calls: ReadonlySet<QueuedCall>): void {
    if (calls.size === 0) return
    this.#queue.remove(calls)
    this.state.committedCalls += calls.size
    for (const call of calls) call.done("committed")
    this.#clearSpool()
  }

  #leaveUnpaid(calls: ReadonlySet<QueuedCall>): void {
    this.state.unpaidCalls += calls.size
    this.#queue.leaveUnpaid(calls)
  }

  /** From now on nothing is admitted. */
  suspend(): void {
    if (this.state.available) this.#loss.begin()
    this.state.available = false
    this.lossListeners.forEach((listener) => listener())
    for (const work of this.#between.splice(0)) work.failed()
    this.#wake?.()
  }

  lose(failure: SessionFailed) {
    this.suspend()
    return this.#loss.tell(failure)
  }

  readonly sayReturned = this.#loss.end

  /**
   * Puts what has waited too long on disk and answers for it. Where other nodes live, what these calls hold may be
   * theirs by now: then nothing is promised that the wallet may not be able to pay.
   */
  readonly endOverdue = Effect.suspend(() => {
    const nowMs = this.#nowMs()
    const waiting = (ms: number) => this.#queue.waitingSince(nowMs - (this.#isHurried ? hurriedMs : ms))
    const isAlone = this.#liveNodes() <= 1
    if (!isAlone) this.#leaveUnpaid(new Set(waiting(refuseAfterMs).filter(canBeLeft)))
    return isAlone || this.#isHurried ? this.#spool(waiting(spoolAfterMs)) : Effect.void
  })

  /** Puts all that waits on disk. */
  readonly spoolAll = Effect.suspend(() => this.#spool(this.#queue.waitingSince(Infinity)))
}
