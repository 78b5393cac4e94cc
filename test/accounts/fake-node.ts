/** A running node as far as others see one: it lives, and confirms events when the test says so. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { openSession } from "../../src/storage/Database.ts"
import { announceProgress, beat, eventsAfter, leaveNode, registerNode } from "../../src/storage/NodeStore.ts"

/** Lives until the scope closes. */
export const startFakeNode = Effect.gen(function* () {
  const session = yield* openSession
  const token = randomUUID()
  const node = yield* session.run("register node", (sql) => registerNode(sql, token, []))
  let seen = node.eventId
  yield* Effect.addFinalizer(() => Effect.ignore(session.run("leave", (sql) => leaveNode(sql, node))))

  /** Waits until there are events it has not confirmed, and answers them. */
  const hear = Effect.gen(function* () {
    while (true) {
      const events = yield* session.run("read events", (sql) => eventsAfter(sql, seen))
      if (events.length > 0) return events
    }
  })

  return {
    nodeId: node.id,
    hear,
    confirm: (eventId: bigint) =>
      session.run("confirm", async (sql) => {
        await beat(sql, node, eventId, undefined)
        await announceProgress(sql, node.id)
        seen = eventId
      }),
    answerHeld: (eventId: bigint, held: bigint) =>
      session.run("answer held", async (sql) => {
        await sql`insert into node_answers (event_id, node_id, value)
          values (${eventId}, ${node.id}, ${sql.json(String(held))})`
      })
  }
})
