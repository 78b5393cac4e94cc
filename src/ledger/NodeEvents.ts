/**
 * What other processes change (keys, wallets, maintenance, models), heard and acted upon. A change counts as confirmed
 * by this node once everything before it has been acted upon.
 */
import { Context, Effect, Layer, Queue, Redacted, Schema } from "effect"
import postgres from "postgres"
import type { AccountId, KeyId } from "../domain/ids.ts"
import { readModelOverrides, type ModelOverrides } from "../domain/model-overrides.ts"
import { Database } from "../storage/Database.ts"
import { DatabaseUrl } from "../storage/DatabaseUrl.ts"
import { acknowledgeEvents, answerHeld, eventsAfter, type NodeEvent } from "../storage/LedgerStore.ts"
import { readSetting } from "../storage/SettingsStore.ts"
import { admission } from "./frames.ts"
import { Journal } from "./Journal.ts"
import { Ledger } from "./Ledger.ts"

export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  cause: Schema.Defect()
}) {}

/** How this node takes part when operators change the models; ends once every thread knows. */
export type ApplyOverrides = (overrides: ModelOverrides) => Effect.Effect<void>

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
      const database = yield* Database
      const journal = yield* Journal
      const ledger = yield* Ledger
      const { url } = yield* DatabaseUrl
      let overrides: ModelOverrides = {}
      let apply: ApplyOverrides = () => Effect.void
      let maintenance = false
      let draining = false
      let lastId = 0n
      // One place: a wake while another is being acted upon is not lost, and more of them add nothing.
      const wakes = yield* Queue.sliding<void>(1)
      const wake = () => void Queue.offerUnsafe(wakes, undefined)

      const obey = () =>
        ledger.refuse(draining ? admission.draining : maintenance ? admission.maintenance : undefined)

      const readMaintenance = Effect.gen(function* () {
        maintenance =
          (yield* database.run("read maintenance", (sql) => readSetting(sql, "maintenance"))) === true
        obey()
      })
      const readOverrides = Effect.gen(function* () {
        overrides = readModelOverrides(
          yield* database.run("read model overrides", (sql) => readSetting(sql, "model_overrides"))
        )
        yield* apply(overrides)
      })

      const act = (event: NodeEvent) => {
        switch (event.kind) {
          case "key":
            return Effect.sync(() => ledger.keys.invalidate(event.subject as KeyId))
          case "wallet":
          case "account":
            return Effect.sync(() => ledger.wallets.invalidate(event.subject as AccountId))
          case "maintenance":
            return readMaintenance
          case "models":
            return readOverrides
          case "held":
            return database.run("answer what is held", (sql) =>
              answerHeld(
                sql,
                event.id,
                journal.state.nodeId,
                ledger.wallets.heldBy(event.subject as AccountId)
              )
            )
          default:
            return Effect.void
        }
      }

      const catchUp = Effect.gen(function* () {
        const events = yield* database.run("read node events", (sql) => eventsAfter(sql, lastId))
        yield* Effect.forEach(events, act, { discard: true })
        const last = events.at(-1)
        if (last === undefined) return
        lastId = last.id
        yield* database.run("acknowledge node events", (sql) =>
          acknowledgeEvents(sql, journal.state.nodeId, lastId)
        )
      })

      const refresh = Effect.andThen(readMaintenance, readOverrides)
      lastId = yield* database.run("read node events", async (sql) => {
        const [row] = await sql<[{ id: bigint }]>`select coalesce(max(id), 0)::int8 as id from node_events`
        return row.id
      })
      yield* refresh

      yield* listen(Redacted.value(url), wake)
      let refreshDue = false
      journal.onSession(() => {
        // A new session may have missed changes, and begins with what it is told now.
        refreshDue = true
        wake()
      })
      yield* Effect.andThen(
        Effect.timeoutOption(Queue.take(wakes), "5 seconds"),
        Effect.suspend(() => {
          if (!refreshDue) return catchUp
          refreshDue = false
          return Effect.andThen(refresh, catchUp)
        })
      ).pipe(
        // The next wake or the next poll tries again; while the database is away nothing is admitted anyhow.
        Effect.catchTag("DatabaseError", () => Effect.void),
        Effect.forever,
        Effect.forkScoped
      )

      return NodeEvents.of({
        overrides: () => overrides,
        onOverrides: (next) => {
          apply = next
        },
        drain: Effect.sync(() => {
          draining = true
          obey()
        }),
        isInMaintenance: () => maintenance,
        isDraining: () => draining
      })
    })
  )
}

/** A connection that listens, and listens again whenever it was lost; `wake` is called for each event and after each loss. */
const listen = (url: string, wake: () => void) =>
  Effect.gen(function* () {
    const sql = yield* Effect.acquireRelease(
      Effect.sync(() =>
        postgres(url, { max: 1, onnotice: () => {}, connection: { application_name: "tollgate events" } })
      ),
      (sql) => Effect.promise(() => sql.end({ timeout: 1 }).catch(() => {}))
    )
    yield* Effect.tryPromise({
      try: () => sql.listen("tollgate_events", wake, wake),
      catch: (cause) => new ListenFailed({ cause })
    })
  })
