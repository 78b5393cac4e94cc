/** Routes to providers as an operator sees and changes them. */
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { setRoute } from "../../accounts/provider-routes.ts"
import { isWeight } from "../../domain/route-changes.ts"
import { readRouteChanges, recordRouteTest } from "../../storage/RouteStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { readHealth, routeView } from "../route-views.ts"
import { act, query, refuse } from "./refuse.ts"

/** In a minute, by all operators together: each costs a little. */
const testsMax = 20

export const operatorRouteHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorRoutes", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        const { settings } = yield* query("read route changes", readRouteChanges)
        const health = yield* query("read route health", (sql) => readHealth(sql, nowMs))
        return {
          routes: configuredRoutes(context).map(({ provider, route }) => {
            const { isPaused = false, weight } = settings.get(route.id) ?? {}
            const own = {
              id: route.id,
              provider,
              base_url: route.baseUrl,
              priority: route.priority,
              weight: weight ?? route.weight,
              own_weight: weight ?? null,
              paused: isPaused
            }
            return Object.assign(own, routeView(health, route.id))
          })
        }
      }),

      /** In force on every node once this is answered. */
      set: Effect.fnUntraced(function* ({ payload: { paused, route, weight } }) {
        const { actor } = yield* Caller
        if (configuredRoutes(context).every(({ route: { id } }) => id !== route))
          return yield* refuse("not_found")
        if (weight !== null && !isWeight(weight)) return yield* refuse("invalid")
        yield* act(setRoute(route, { isPaused: paused, weight: weight ?? undefined }, actor))
        return {}
      }),

      test: Effect.fnUntraced(function* ({ payload: { route } }) {
        const { actor } = yield* Caller
        if (configuredRoutes(context).every(({ route: { id } }) => id !== route))
          return yield* refuse("not_found")
        const nowMs = yield* Clock.currentTimeMillis
        const waitSeconds = context.limits.take("test of a route", "all", testsMax, 60_000, nowMs)
        if (waitSeconds > 0) return yield* refuse("too_many_tries", [["retry-after", String(waitSeconds)]])
        yield* query("record test of a route", (sql) => recordRouteTest(sql, route, actor))
        const tried = yield* Effect.promise(() => context.tryRoute(route))
        if (tried === undefined) return yield* refuse("unavailable")
        return {
          model: tried.model,
          status: tried.status ?? null,
          first_byte_ms: tried.firstByteMs ?? null,
          total_ms: tried.totalMs,
          fault: tried.fault ?? null,
          message: tried.message ?? null
        }
      })
    })
  )

/** Without their keys. */
const configuredRoutes = ({ settings }: DashboardContext) =>
  Object.values(settings.providers).flatMap(({ name, routes }) =>
    routes.map((route) => ({ provider: name, route }))
  )
