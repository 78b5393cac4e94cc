/** What operators do to the routes to providers; what is not given stays as it is. Once it returns, every node does as it says. */
import { Effect } from "effect"
import type { RouteSetting } from "../domain/route-changes.ts"
import { Database } from "../storage/Database.ts"
import { writeRouteSetting } from "../storage/RouteStore.ts"
import { RouteNotFound } from "./added-routes.ts"
import { awaitNodes } from "./await-nodes.ts"

export const setRoute = Effect.fn("setRoute")(function* (
  route: string,
  change: Partial<RouteSetting>,
  actor: string
) {
  const database = yield* Database
  const eventId = yield* database.run("write route setting", (sql) =>
    writeRouteSetting(sql, route, change, actor)
  )
  if (eventId === undefined) return yield* new RouteNotFound()
  yield* awaitNodes(eventId)
})
