/**
 * What calls of this node hold of budgets: their key's own, and that of the member who made it, which all keys of this member
 * share. Every hold is PostgreSQL's, exact and asked for call by call, since a budget is shared by all nodes and mostly small;
 * many asks make one statement, and one hold counts in both. What was spent is nobody's to keep: it is the sum of the calls
 * in the log, so a hold is over in the moment in which its call is there.
 */
import { type Clock, Effect } from "effect"
import { type Unavailable } from "../../actors/Actor.ts"
import { type CallId, type KeyId, timeOfCallId } from "../../domain/ids.ts"
import { type BudgetHolder, type Budgets, periodEndMs } from "../../domain/key-settings.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { BudgetAsk, BudgetHold } from "../../storage/keys/BudgetStore.ts"
import type { Admission } from "../bridge/protocol.ts"
import { batched } from "../journal/batched.ts"
import type { Outcome, ReclaimQueue } from "../journal/queued-calls.ts"
import type { Journal } from "../journal/Journal.ts"
import type { JournalSession, JournalStore } from "../journal/JournalStore.ts"
import type { SessionFailed } from "../session.ts"
import { notNow } from "./at-once.ts"
import { BudgetShortages } from "./BudgetShortages.ts"
import type { HoldAsk } from "./ledger-shape.ts"

interface BudgetedCall {
  readonly keyId: KeyId
  readonly budgets: Budgets
  readonly atMs: number
  /** µVND that it holds in all; of one that has ended what it costs. */
  held: MicroVnd
  hasEnded: boolean
  /** The node was taken for gone, and others have spent what it held of this budget. */
  lostOf: BudgetHolder | undefined
}

export interface KeyBudgetsParts {
  readonly journal: Journal["Service"]
  readonly clock: Clock.Clock
  /** Begins it at once. */
  readonly fork: (work: Effect.Effect<void>) => void
  /** How many nodes there are. */
  readonly liveNodes: () => number
  /** How many asks may wait. */
  readonly waitingMax: number
}

type Hold = Pick<HoldAsk, "callId" | "minimum" | "wanted">
type OfWallet = (wanted: MicroVnd) => Effect.Effect<Admission>

/** When a call that another node has ended without a cost may have been heard of: it holds until that is in the database. */
const soonMs = 50

/** How many holds one statement claims anew. */
const reclaimedAtOnce = 1_000

export class KeyBudgets {
  readonly #journal: Journal["Service"]
  readonly #fork: (work: Effect.Effect<void>) => void
  readonly #ask: (ask: BudgetAsk) => Effect.Effect<BudgetHold | undefined, Unavailable>
  readonly #calls = new Map<CallId, BudgetedCall>()
  readonly #shortages: BudgetShortages
  readonly #liveNodes: () => number
  readonly #waitingMax: number
  #waiting = 0
  /** Of calls that cost nothing, or may hold what was not answered, until the database has heard of it. */
  readonly #released = new Set<CallId>()
  #isTelling = false

  constructor({ clock, fork, journal, liveNodes, waitingMax }: KeyBudgetsParts) {
    this.#journal = journal
    this.#liveNodes = liveNodes
    // However many callers of keys that can not pay there are, other calls have a place.
    this.#shortages = new BudgetShortages(clock, Math.ceil(waitingMax / 2))
    this.#fork = fork
    this.#waitingMax = waitingMax
    this.#ask = batched(journal, async (store, asks) => {
      const held = new Map((await store.holdBudgets(asks)).map((hold) => [hold.callId, hold]))
      return asks.map(({ callId }) => held.get(callId))
    })
  }

  /** Calls that hold anything. */
  get size(): number {
    return this.#calls.size
  }

  holds(callId: CallId): boolean {
    return this.#calls.has(callId)
  }

  /** A call may begin as far as is known, or is told now that the budget is spent. Nothing is held. */
  look(keyId: KeyId, budgets: Budgets, callId: CallId): Effect.Effect<Admission> {
    const shortage = this.#shortages.get(keyId)
    if (shortage === undefined || shortage.hasRest) return Effect.succeed({ _tag: "Admitted", granted: 0n })
    return Effect.map(this.#answered(keyId, budgets, { callId, minimum: 1n, wanted: 0n }), (answer) => {
      if (answer._tag === "Admitted") shortage.hasRest = true
      return answer
    })
  }

  /** Then `ofWallet` is asked for as much. */
  hold(keyId: KeyId, budgets: Budgets, hold: Hold, ofWallet: OfWallet): Effect.Effect<Admission> {
    const { callId } = hold
    return Effect.flatMap(this.#answered(keyId, budgets, hold), (answer) => {
      const atMs = timeOfCallId(callId)
      // It may have been done all the same.
      if (answer._tag === "Unavailable") this.#free(callId)
      if (answer._tag !== "Admitted" || atMs === undefined) return Effect.succeed(answer)
      const held = answer.granted
      const call: BudgetedCall = { keyId, budgets, atMs, held, hasEnded: false, lostOf: undefined }
      this.#calls.set(callId, call)
      return Effect.map(ofWallet(held), (admission) => {
        if (admission._tag === "Admitted") this.#keepOnly(admission.granted, callId, call)
        else this.release(callId)
        return admission
      })
    })
  }

  /** Of a call that holds something; then `ofWallet` is asked for what was added. */
  extend({ callId, minimum, wanted }: Hold, ofWallet: OfWallet): Effect.Effect<Admission> {
    const call = this.#calls.get(callId)
    if (call === undefined || call.hasEnded) return Effect.succeed(notNow)
    if (call.lostOf !== undefined) return Effect.succeed(overBudget(call.lostOf, call.budgets, call.atMs))
    const { budgets, held, keyId } = call
    const asked = this.#answered(keyId, budgets, { callId, minimum: held + minimum, wanted: held + wanted })
    return Effect.flatMap(asked, (answer) => {
      // The call may have ended while it waited.
      if (this.#calls.get(callId) !== call) {
        this.#free(callId)
        return Effect.succeed(notNow)
      }
      if (answer._tag !== "Admitted") return Effect.succeed(answer)
      if (call.hasEnded) return Effect.succeed(notNow)
      call.held = answer.granted
      return Effect.map(ofWallet(answer.granted - held), (admission) => {
        this.#keepOnly(held + (admission._tag === "Admitted" ? admission.granted : 0n), callId, call)
        return admission
      })
    })
  }

  /** The call has ended. `false`: it can not be charged, since others have spent what it held. */
  settle(callId: CallId, cost: MicroVnd): boolean {
    const call = this.#calls.get(callId)
    if (call === undefined) return true
    if (cost === 0n || call.lostOf !== undefined) {
      this.release(callId)
      return cost === 0n
    }
    call.held = cost
    call.hasEnded = true
    return true
  }

  /** What became of a call that has ended. */
  written(callId: CallId, outcome: Outcome): void {
    const call = this.#calls.get(callId)
    if (call === undefined || outcome === "spooled") return
    if (outcome === "unpaid") return this.release(callId)
    this.#calls.delete(callId)
    this.#shortages.forget(call.keyId)
  }

  /** The call ends without a cost. */
  release(callId: CallId): void {
    const call = this.#calls.get(callId)
    if (call === undefined) return
    this.#calls.delete(callId)
    this.#shortages.forget(call.keyId)
    this.#free(callId)
  }

  /** Something is set anew. */
  keyChanged(keyId: KeyId): void {
    this.#shortages.forget(keyId)
  }

  /** Forgets what counts no more. */
  putAway(): void {
    this.#shortages.putAway()
    this.#tellReleased()
  }

  /** On a new session nothing of a former one comes late any more: what is freed now stays so. */
  begin(session: JournalSession): Effect.Effect<void, SessionFailed> {
    return this.#released.size === 0
      ? Effect.void
      : session.run("release budgets", (store) => this.#tell(store))
  }

  /** Claims for a new node what its calls hold; after the wallets, which know which calls are in the log. */
  reclaim(session: JournalSession, queue: ReclaimQueue): Effect.Effect<void, SessionFailed> {
    return Effect.gen({ self: this }, function* () {
      const asks = [...this.#calls].map(([callId, { atMs, held, keyId }]): BudgetAsk => ({
        keyId,
        callId,
        atMs,
        minimum: held,
        wanted: held
      }))
      for (let first = 0; first < asks.length; first += reclaimedAtOnce) {
        const some = asks.slice(first, first + reclaimedAtOnce)
        const holds = yield* session.run("hold budgets", (store) => store.holdBudgets(some))
        for (const { callId, shortOf } of holds) if (shortOf !== undefined) this.#lose(callId, shortOf, queue)
      }
    })
  }

  #lose(callId: CallId, of: BudgetHolder, queue: ReclaimQueue): void {
    const call = this.#calls.get(callId)
    if (call === undefined) return
    call.lostOf = of
    // Whoever has had the answer is charged, whatever comes.
    const calls = queue.calls.filter(({ record, spooled }) => record.callId === callId && !spooled)
    if (call.hasEnded) queue.leaveUnpaid(new Set(calls))
  }

  /**
   * What the wallet did not let a call hold of its budget can be held by others. It is asked like all else, so that no extension
   * is overtaken by it.
   */
  #keepOnly(amount: MicroVnd, callId: CallId, call: BudgetedCall): void {
    if (call.held === amount || call.hasEnded || this.#calls.get(callId) !== call) return
    call.held = amount
    const { atMs, keyId } = call
    this.#fork(
      this.#ask({ keyId, callId, atMs, minimum: amount, wanted: amount }).pipe(
        // The next extension says it, or the call's end.
        Effect.ignore,
        Effect.andThen(
          Effect.sync(() => {
            this.#shortages.forget(keyId)
            // The call may have ended while it waited.
            if (this.#calls.get(callId) !== call) this.#free(callId)
          })
        )
      )
    )
  }

  #answered(keyId: KeyId, budgets: Budgets, hold: Hold): Effect.Effect<Admission> {
    const ask = Effect.suspend(() => this.#askNow(keyId, budgets, hold))
    return this.#shortages.askInTime(keyId, hold.minimum, ask)
  }

  #askNow(keyId: KeyId, budgets: Budgets, { callId, minimum, wanted }: Hold): Effect.Effect<Admission> {
    const atMs = timeOfCallId(callId)
    if (atMs === undefined || this.#waiting >= this.#waitingMax) return Effect.succeed(notNow)
    this.#waiting++
    const ask = this.#ask({ keyId, callId, atMs, minimum, wanted })
    const again = Effect.andThen(Effect.sleep(soonMs), ask)
    return ask.pipe(
      Effect.flatMap((hold) =>
        hold?.shortOf !== undefined && this.#liveNodes() > 1 ? again : Effect.succeed(hold)
      ),
      Effect.match({
        onSuccess: (hold): Admission => {
          if (hold?.held !== undefined) return { _tag: "Admitted", granted: hold.held }
          this.#shortages.note(keyId, minimum)
          return overBudget(hold?.shortOf ?? "key", budgets, atMs)
        },
        onFailure: (): Admission => notNow
      }),
      Effect.ensuring(Effect.sync(() => this.#waiting--))
    )
  }

  #free(callId: CallId): void {
    this.#released.add(callId)
    this.#tellReleased()
  }

  #tellReleased(): void {
    if (this.#isTelling || this.#released.size === 0) return
    this.#isTelling = true
    this.#journal.between({
      run: (store) => {
        // What comes from now on is for the next.
        this.#isTelling = false
        return this.#tell(store)
      },
      // Told again with the next, when there is a new session, or before long.
      failed: () => {
        this.#isTelling = false
      }
    })
  }

  async #tell(store: JournalStore): Promise<void> {
    const told = [...this.#released]
    await store.releaseBudgets(told)
    for (const callId of told) this.#released.delete(callId)
  }
}

const overBudget = (of: BudgetHolder, budgets: Budgets, atMs: number): Admission => {
  const budget = budgets[of]
  return { _tag: "OverBudget", of, resetsAtMs: budget && periodEndMs(budget.period, atMs) }
}
