/** The settings that gateway threads work with: those of the configuration, with what operators say of routes laid over them. */
import { Effect } from "effect"
import { Config } from "../config.ts"
import { layRoutes } from "../config/lay-routes.ts"
import { NodeEvents } from "../ledger/node/NodeEvents.ts"

export const settingsInForce = Effect.gen(function* () {
  const settings = yield* (yield* Config).get
  const changes = (yield* NodeEvents).routes()
  return layRoutes(settings, changes, () => undefined)
})
