/** A running node as far as others see one: it lives, and confirms events when the test says so. */
import { Effect } from "effect"
import { openSession } from "../../src/storage/Database.ts"
import { acknowledgeEvents, eventsAfter, registerNode } from "../../src/storage/LedgerStore.ts"

/** Lives until the scope closes. */
export const startFakeNode = Effect.gen(function* () {
  const session = yield* openSession
  const nodeId = yield* session.run("register node", (sql) => registerNode(sql, undefined))
  const start = yield* session.run(
    "read events",
    (sql) => sql<[{ id: bigint }]>`select coalesce(max(id), 0) as id from node_events`
  )
  let seen = start[0].id

  /** Waits until there are events it has not confirmed, and answers them. */
  const hear = Effect.gen(function* () {
    while (true) {
      const events = yield* session.run("read events", (sql) => eventsAfter(sql, seen))
      if (events.length > 0) return events
    }
  })

  return {
    nodeId,
    hear,
    confirm: (eventId: bigint) =>
      session.run("confirm", async (sql) => {
        await acknowledgeEvents(sql, nodeId, eventId)
        seen = eventId
      }),
    answerHeld: (eventId: bigint, held: bigint) =>
      session.run("answer held", async (sql) => {
        await sql`insert into node_answers (event_id, node_id, value)
          values (${eventId}, ${nodeId}, ${sql.json(String(held))})`
      })
  }
})
