/** Writes down how routes fare on this node, every few seconds and only where there is something to say. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { NodeLife } from "../../ledger/NodeLife.ts"
import { Database } from "../../storage/Database.ts"
import { writeRouteHealth, writeRouteStates } from "../../storage/routes/RouteHealthStore.ts"
import { RouteBook } from "../../telemetry/RouteBook.ts"
import { GatewayThreads } from "../../threads/GatewayThreads.ts"

const writeEvery = "5 seconds"

/** Runs until it is interrupted. What can not be written now is written later. */
export const keepRouteHealth = Effect.gen(function* () {
  const database = yield* Database
  const threads = yield* GatewayThreads
  // The dates of calls, so that all nodes tell of the same minutes.
  const { deadline } = yield* NodeLife
  const book = new RouteBook()
  const writer = randomUUID()
  let hadConditions = false
  threads.onRoutes((thread, { conditions, tallies }) =>
    book.hear(thread, tallies, conditions, deadline.dateMs())
  )

  const write = Effect.gen(function* () {
    const nowMs = deadline.dateMs()
    const { rows, written } = book.unwritten(nowMs)
    if (rows.length > 0)
      yield* database.run("write route health", (sql) => writeRouteHealth(sql, writer, rows))
    written()
    const conditions = book.conditions(nowMs)
    if (conditions.length > 0 || hadConditions)
      yield* database.run("write route states", (sql) => writeRouteStates(sql, writer, conditions))
    hadConditions = conditions.length > 0
  })
  return yield* write.pipe(
    Effect.catchTag("DatabaseError", (error) => Effect.logDebug(error.message)),
    Effect.delay(writeEvery),
    Effect.forever
  )
})
