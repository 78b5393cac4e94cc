/**
 * What other processes change (keys, wallets, maintenance, models), heard and acted upon. A change counts as confirmed
 * by this node once everything before it has been acted upon.
 */
import { Context, Effect, Layer, Queue } from "effect"
import type { AccountId, KeyId } from "../domain/ids.ts"
import type { ModelOverrides } from "../domain/model-overrides.ts"
import { Database, type DatabaseError } from "../storage/Database.ts"
import {
  acknowledgeEvents,
  answerHeld,
  eventsAfter,
  latestEventId,
  type NodeEvent
} from "../storage/LedgerStore.ts"
import { readMaintenance, readOverrides } from "../storage/SettingsStore.ts"
import { admission } from "./frames.ts"
import { Journal } from "./Journal.ts"
import { Ledger, type LedgerShape } from "./Ledger.ts"

/** How this node takes part when operators change the models; whether every thread has said that it works with them. */
export type ApplyOverrides = (overrides: ModelOverrides) => Effect.Effect<boolean>

export class NodeEvents extends Context.Service<
  NodeEvents,
  {
    readonly overrides: () => ModelOverrides
    /** Who must know of changed models. */
    onOverrides(apply: ApplyOverrides): void
    /** Refuses further calls for good: the process is stopping. */
    readonly drain: Effect.Effect<void>
    readonly isInMaintenance: () => boolean
    readonly isDraining: () => boolean
  }
>()("tollgate/ledger/NodeEvents") {
  static readonly layer = Layer.effect(
    NodeEvents,
    Effect.gen(function* () {
      const journal = yield* Journal
      const database = yield* Database
      const ledger = yield* Ledger
      const follower = new Follower(database, journal, ledger)
      // One place: a wake while another is being acted upon is not lost, and more of them add nothing.
      const wakes = yield* Queue.sliding<void>(1)
      const wake = () => void Queue.offerUnsafe(wakes, undefined)
      yield* follower.begin
      yield* database.listen({
        channels: {
          tollgate_events: wake,
          tollgate_shares: (announcement) => ledger.shares.heard(announcement)
        },
        onListening: wake
      })
      journal.onSession(() => {
        // A new session may have missed changes, and counts from what is there now.
        follower.refreshDue = true
        wake()
      })
      yield* Effect.timeoutOption(Queue.take(wakes), pollInterval).pipe(
        Effect.andThen(follower.catchUp),
        // The next wake or the next poll tries again; while the database is away nothing is admitted anyhow.
        Effect.catchTag("DatabaseError", () => Effect.void),
        Effect.forever,
        Effect.forkScoped
      )
      return NodeEvents.of({
        overrides: () => follower.overrides,
        onOverrides: (apply) => {
          follower.apply = apply
        },
        drain: Effect.sync(() => follower.drain()),
        isInMaintenance: () => follower.maintenance,
        isDraining: () => follower.draining
      })
    })
  )
}

const pollInterval = "5 seconds"

/** Acts upon events in order. */
class Follower {
  overrides: ModelOverrides = {}
  apply: ApplyOverrides = () => Effect.succeed(true)
  maintenance = false
  draining = false
  refreshDue = false
  readonly #database: Database["Service"]
  readonly #journal: Journal["Service"]
  readonly #ledger: LedgerShape
  /** The last event that has been acted upon, and the last that has been confirmed. */
  #lastId = 0n
  #confirmedId = 0n
  /** Every thread works with `overrides`. */
  #areThreadsTold = true

  constructor(database: Database["Service"], journal: Journal["Service"], ledger: LedgerShape) {
    this.#database = database
    this.#journal = journal
    this.#ledger = ledger
  }

  /** What is so now; what changes later is told by events. */
  get begin(): Effect.Effect<void, DatabaseError> {
    return this.#database.run("read node events", latestEventId).pipe(
      Effect.andThen((id) => {
        this.#lastId = this.#confirmedId = id
        return this.#refresh
      })
    )
  }

  /** Acts upon everything that has happened since, and confirms it once it is in force on every thread. */
  get catchUp(): Effect.Effect<void, DatabaseError> {
    return Effect.gen({ self: this }, function* () {
      if (this.refreshDue) yield* this.#refresh
      this.refreshDue = false
      const events = yield* this.#database.run("read node events", (sql) => eventsAfter(sql, this.#lastId))
      yield* Effect.forEach(events, (event) => this.#act(event), { discard: true })
      const lastId = (this.#lastId = events.at(-1)?.id ?? this.#lastId)
      // After all others, whose acting upon must not wait for a thread that is busy.
      if (!(yield* this.#tellThreads) || lastId === this.#confirmedId) return
      yield* this.#database.run("acknowledge node events", (sql) =>
        acknowledgeEvents(sql, this.#journal.state.nodeId, lastId)
      )
      this.#confirmedId = lastId
    })
  }

  drain(): void {
    this.draining = true
    this.#obey()
  }

  get #refresh(): Effect.Effect<void, DatabaseError> {
    return Effect.andThen(this.#readMaintenance, this.#readOverrides)
  }

  get #readMaintenance(): Effect.Effect<void, DatabaseError> {
    return Effect.map(this.#database.run("read maintenance", readMaintenance), (on) => {
      this.maintenance = on
      this.#obey()
    })
  }

  get #readOverrides(): Effect.Effect<void, DatabaseError> {
    return Effect.map(this.#database.run("read model overrides", readOverrides), (overrides) => {
      this.overrides = overrides
      this.#areThreadsTold = false
    })
  }

  /** Answers whether all know; those that have not said so are asked again at the next turn. */
  get #tellThreads(): Effect.Effect<boolean> {
    if (this.#areThreadsTold) return Effect.succeed(true)
    return Effect.map(this.apply(this.overrides), (told) => (this.#areThreadsTold = told))
  }

  #obey(): void {
    const refusal = this.draining ? admission.draining : this.maintenance ? admission.maintenance : undefined
    this.#ledger.refuse(refusal)
  }

  #act({ id, kind, subject }: NodeEvent): Effect.Effect<void, DatabaseError> {
    switch (kind) {
      case "key":
        return Effect.sync(() => this.#ledger.keyChanged(subject as KeyId))
      case "wallet":
      case "account":
        return Effect.sync(() => this.#ledger.wallets.invalidate(subject as AccountId))
      case "maintenance":
        return this.#readMaintenance
      case "models":
        return this.#readOverrides
      case "held":
        return this.#database.run("answer what is held", (sql) =>
          answerHeld(sql, id, this.#journal.state.nodeId, this.#ledger.wallets.heldBy(subject as AccountId))
        )
      default:
        return Effect.void
    }
  }
}
