/** The settings that gateway threads work with: those of the configuration, with what operators say of routes laid over them. */
import { Effect } from "effect"
import { openRoute } from "../../accounts/open-route.ts"
import { SealKeys } from "../../accounts/SealKeys.ts"
import { Config } from "../../config.ts"
import { layRoutes } from "../../config/lay-routes.ts"
import { NodeEvents } from "../../ledger/node/NodeEvents.ts"

export const settingsInForce = Effect.gen(function* () {
  const settings = yield* (yield* Config).get
  const changes = (yield* NodeEvents).routes()
  const open = openRoute(yield* SealKeys, settings)
  const closed = changes.added.filter((route) => open(route) === undefined).map(({ id }) => id)
  if (closed.length > 0)
    yield* Effect.logWarning(
      `No calls go by ${closed.join(", ")}: its address may not be called, or no seal key here opens its key`
    )
  return layRoutes(settings, changes, open)
})
