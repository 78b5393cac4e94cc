/**
 * What other processes change (keys, wallets, maintenance, models, routes), acted upon as the lease hears of it. A change counts as
 * confirmed by this node once everything before it has been acted upon, by every thread.
 */
import { Context, Effect, Layer } from "effect"
import type { AccountId, KeyId } from "../../domain/ids.ts"
import { messageToCallers, noMaintenance } from "../../domain/maintenance.ts"
import type { ModelOverrides } from "../../domain/model-overrides.ts"
import { noRouteChanges, type RouteChanges } from "../../domain/route-changes.ts"
import { Database, type DatabaseError, type Sql } from "../../storage/Database.ts"
import type { NodeEvent } from "../../storage/NodeStore.ts"
import { readRouteChanges } from "../../storage/routes/RouteStore.ts"
import { readMaintenance, readOverrides } from "../../storage/SettingsStore.ts"
import { answerHeld } from "../../storage/WalletStore.ts"
import { Ledger } from "./Ledger.ts"
import { answerWithinMs } from "./LeaseStore.ts"
import type { LedgerShape } from "./ledger-shape.ts"
import { NodeLife } from "../NodeLife.ts"

/** How this node takes part when operators change models or routes; whether every thread has said that it works with them. */
export type ApplyChanges = Effect.Effect<boolean>

export interface NodeEventsShape {
  readonly overrides: () => ModelOverrides
  readonly routes: () => RouteChanges
  /** Who must know of changed models and routes. */
  onChanges(apply: ApplyChanges): void
  /** The process is stopping: it is not ready any more, and still serves. */
  readonly leave: Effect.Effect<void>
  /** Refuses further calls for good. */
  readonly drain: Effect.Effect<void>
  readonly isInMaintenance: () => boolean
  readonly isLeaving: () => boolean
  /** A node is new: everything is read as it is now, and what comes after this event is told. */
  begin(eventId: bigint): Effect.Effect<void, DatabaseError>
  /** Acts upon these. */
  hear(events: ReadonlyArray<NodeEvent>): Effect.Effect<void, DatabaseError>
  /** The last event that was acted upon here. */
  readonly heardId: () => bigint
  /** Tells the threads what they have not confirmed yet. */
  readonly confirm: Effect.Effect<void>
  /** The last event that was acted upon by all. */
  readonly confirmedId: () => bigint
  /** The last event that others know to be confirmed. */
  readonly announcedId: () => bigint
  noteAnnounced(eventId: bigint): void
}

export class NodeEvents extends Context.Service<NodeEvents, NodeEventsShape>()("tollgate/ledger/NodeEvents") {
  static readonly layer = Layer.effect(
    NodeEvents,
    Effect.gen(function* () {
      const life = yield* NodeLife
      const follower = new Follower(yield* Database, yield* Ledger, () => life.present()?.id)
      // Threads start with what is so now.
      yield* follower.refresh
      return NodeEvents.of({
        overrides: () => follower.overrides,
        routes: () => follower.routes,
        onChanges: (apply) => {
          follower.apply = apply
        },
        leave: Effect.sync(() => void (follower.leaving = true)),
        drain: Effect.sync(() => follower.drain()),
        isInMaintenance: () => follower.maintenance.isOn,
        isLeaving: () => follower.leaving,
        begin: (eventId) => follower.begin(eventId),
        hear: (events) => follower.hear(events),
        heardId: () => follower.heardId,
        confirm: follower.confirm,
        confirmedId: () => follower.confirmedId,
        announcedId: () => follower.announcedId,
        noteAnnounced: (eventId) => {
          follower.announcedId = eventId
        }
      })
    })
  )
}

/** Less than any event, also than none. */
const nothingConfirmed = -1n

/** Acts upon events in order. */
class Follower {
  overrides: ModelOverrides = {}
  routes: RouteChanges = noRouteChanges
  apply: ApplyChanges = Effect.succeed(true)
  maintenance = noMaintenance
  leaving = false
  #draining = false
  heardId = 0n
  confirmedId = 0n
  announcedId = 0n
  readonly #database: Database["Service"]
  readonly #ledger: LedgerShape
  readonly #nodeId: () => number | undefined
  /** Every thread works with `overrides` and `routes`. */
  #areThreadsTold = true

  constructor(database: Database["Service"], ledger: LedgerShape, nodeId: () => number | undefined) {
    this.#database = database
    this.#ledger = ledger
    this.#nodeId = nodeId
  }

  begin(eventId: bigint): Effect.Effect<void, DatabaseError> {
    return Effect.map(this.refresh, () => {
      this.heardId = this.announcedId = eventId
      this.confirmedId = nothingConfirmed
    })
  }

  hear(events: ReadonlyArray<NodeEvent>): Effect.Effect<void, DatabaseError> {
    const act = (event: NodeEvent) =>
      Effect.map(this.#act(event), () => {
        this.heardId = event.id
      })
    return Effect.forEach(events, act, { discard: true })
  }

  /** After all else, whose acting upon must not wait for a thread that is busy; those that do not answer are asked again. */
  get confirm(): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { heardId } = this
      return Effect.map(this.#tellThreads, (areTold) => {
        if (areTold) this.confirmedId = heardId
      })
    })
  }

  drain(): void {
    this.#draining = true
    this.#obey()
  }

  get refresh(): Effect.Effect<void, DatabaseError> {
    return Effect.andThen(this.#readMaintenance, Effect.andThen(this.#readOverrides, this.#readRoutes))
  }

  get #readMaintenance(): Effect.Effect<void, DatabaseError> {
    return Effect.flatMap(this.#ask("read maintenance", readMaintenance), (maintenance) => {
      const isTurned = maintenance.isOn !== this.maintenance.isOn
      this.maintenance = maintenance
      this.#obey()
      if (!isTurned) return Effect.void
      return Effect.logInfo(`Maintenance is ${maintenance.isOn ? "on: new calls get 503" : "off"}`)
    })
  }

  get #readOverrides(): Effect.Effect<void, DatabaseError> {
    return Effect.map(this.#ask("read model overrides", readOverrides), (overrides) => {
      this.overrides = overrides
      this.#areThreadsTold = false
    })
  }

  get #readRoutes(): Effect.Effect<void, DatabaseError> {
    return Effect.map(this.#ask("read route changes", readRouteChanges), (routes) => {
      this.routes = routes
      this.#areThreadsTold = false
    })
  }

  get #tellThreads(): Effect.Effect<boolean> {
    if (this.#areThreadsTold) return Effect.succeed(true)
    return Effect.map(this.apply, (areTold) => (this.#areThreadsTold = areTold))
  }

  #obey(): void {
    const { isOn, notice } = this.maintenance
    const maintenance = isOn
      ? ({ _tag: "Maintenance", message: messageToCallers(notice) } as const)
      : undefined
    this.#ledger.refuse(this.#draining ? { _tag: "Draining" } : maintenance)
  }

  #act({ id, kind, subject }: NodeEvent): Effect.Effect<void, DatabaseError> {
    switch (kind) {
      case "key":
        return Effect.sync(() => this.#ledger.keyChanged(subject as KeyId))
      case "account":
        return Effect.sync(() => this.#ledger.accountChanged(subject as AccountId))
      case "wallet":
        return Effect.sync(() => this.#ledger.walletChanged(subject as AccountId))
      case "maintenance":
        return this.#readMaintenance
      case "models":
        return this.#readOverrides
      case "routes":
        return this.#readRoutes
      case "held":
        return this.#answerHeld(id, subject as AccountId)
      default:
        return Effect.void
    }
  }

  #answerHeld(eventId: bigint, accountId: AccountId): Effect.Effect<void, DatabaseError> {
    const nodeId = this.#nodeId()
    if (nodeId === undefined) return Effect.void
    return this.#ask("answer what is held", (sql) =>
      answerHeld(sql, eventId, nodeId, this.#ledger.wallets.heldBy(accountId))
    )
  }

  /** The lease waits for it, so the database has no longer to answer than there. */
  #ask<A>(what: string, query: (sql: Sql) => Promise<A>): Effect.Effect<A, DatabaseError> {
    return this.#database.run(what, query, answerWithinMs)
  }
}
