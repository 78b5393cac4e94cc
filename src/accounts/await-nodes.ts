/** Waits until every running node has acted upon a change. */
import { Effect, Queue, Schema, type Scope } from "effect"
import type { AccountId } from "../domain/ids.ts"
import { Database, type DatabaseError } from "../storage/Database.ts"
import { isCreditUnheard, nodesBehind } from "../storage/NodeStore.ts"

/** The change itself is in the database, and a node that comes up now obeys it. */
export class NodesNotConfirmed extends Schema.TaggedError<NodesNotConfirmed>()("NodesNotConfirmed", {
  nodeIds: Schema.Array(Schema.Int),
  waitedSeconds: Schema.Int
}) {
  override get message() {
    const nodes = this.nodeIds.length === 1 ? "node" : "nodes"
    return `The change is stored, but ${nodes} ${this.nodeIds.join(", ")} did not confirm it within ${this.waitedSeconds} s`
  }
}

const waitSecondsMax = 10

/** Answers at once where no node lives. A node that dies meanwhile is not waited for. */
export const awaitNodes = Effect.fn("awaitNodes")(function* (eventId: bigint) {
  const database = yield* Database
  const behind = database.run("find nodes behind", (sql) => nodesBehind(sql, eventId))
  if ((yield* behind).length === 0) return
  yield* waitForAll(behind).pipe(
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: `${waitSecondsMax} seconds`,
      orElse: () =>
        Effect.flatMap(behind, (nodeIds) =>
          nodeIds.length === 0
            ? Effect.void
            : Effect.fail(new NodesNotConfirmed({ nodeIds, waitedSeconds: waitSecondsMax }))
        )
    })
  )
})

/** Looks again at each acknowledgement, and every 50 ms, since a notification can be lost with its connection. */
const waitForAll = Effect.fnUntraced(function* (behind: Effect.Effect<ReadonlyArray<number>, DatabaseError>) {
  const acknowledged = yield* listenForAcknowledgements
  while ((yield* behind).length > 0) {
    yield* Effect.timeoutOption(Queue.take(acknowledged), "50 millis")
  }
})

const listenForAcknowledgements: Effect.Effect<
  Queue.Dequeue<void>,
  DatabaseError,
  Database | Scope.Scope
> = Effect.gen(function* () {
  const database = yield* Database
  const queue = yield* Queue.sliding<void>(1)
  yield* database.listen({ channels: { tollgate_acks: () => void Queue.offerUnsafe(queue, undefined) } })
  return queue
})

/**
 * Waits until no node refuses a call of these accounts by what it knew before credits that are in the database: whoever is told of
 * them may call at once. Never fails, and waits 3 s at most, since the credits stand and banks' messengers wait for their answer.
 * Listens for nothing, since messengers that were away tell much at once.
 */
export const untilCreditsCount = (
  ...accountIds: ReadonlyArray<AccountId>
): Effect.Effect<void, never, Database> =>
  Effect.gen(function* () {
    const database = yield* Database
    const isUnheard = database.run("find a credit that is unheard", (sql) => isCreditUnheard(sql, accountIds))
    for (let waitMs = 10; yield* isUnheard; waitMs *= 2) yield* Effect.sleep(waitMs)
  }).pipe(Effect.timeout("3 seconds"), Effect.ignore)
