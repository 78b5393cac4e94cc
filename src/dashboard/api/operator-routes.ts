/** Routes to providers as an operator sees and changes them. */
import { Clock, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { addRoute, changeRoute, removeRoute, setRouteSetting } from "../../accounts/routes.ts"
import { isWeight, weightMax } from "../../domain/route-changes.ts"
import type { RouteTried } from "../../domain/route-tried.ts"
import { recordRouteTest } from "../../storage/routes/RouteStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { readRoutes } from "../known-routes.ts"
import { readHealth, routeView } from "../route-views.ts"
import { askSecondFactor } from "./ask-password.ts"
import { act, query, refuse, refuseBad, refuseWait } from "./refuse.ts"

/** In a minute, by all operators together: each costs a little. */
const testsMax = 20

export const operatorRouteHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorRoutes", (handlers) => {
    const knownRoutes = query("read routes", (sql) => readRoutes(sql, context.settings))
    const requireKnown = Effect.fnUntraced(function* (id: string) {
      const route = (yield* knownRoutes).find((each) => each.id === id)
      return route ?? (yield* refuse("not_found"))
    })
    const modelsOf = (provider: string) =>
      context.catalogue.models.filter(({ upstream }) => upstream.provider === provider)
    const requireModels = (provider: string, ids: ReadonlyArray<string>) => {
      const own = new Set(modelsOf(provider).map(({ id }) => id))
      if (own.size === 0) return refuseBad("provider", "must be one that models of the catalogue name")
      return ids.every((id) => own.has(id))
        ? Effect.void
        : refuseBad("models", "names what the provider has not")
    }
    const privateRanges = () => context.settings.webhooks.privateRanges
    return handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const nowMs = yield* Clock.currentTimeMillis
        const routes = yield* knownRoutes
        const health = yield* query("read route health", (sql) => readHealth(sql, nowMs))
        return {
          routes: routes.map((route) => Object.assign(route, routeView(health, route.id))),
          providers: Object.keys(context.settings.providers).filter((name) => modelsOf(name).length > 0)
        }
      }),

      /** In force on every node once this is answered, as are all that follow. */
      set: Effect.fnUntraced(function* ({ payload: { paused, route, weight } }) {
        const { actor } = yield* Caller
        yield* requireKnown(route)
        if (weight != null && !isWeight(weight))
          return yield* refuseBad("weight", `must be above 0 and at most ${weightMax}`)
        yield* act(setRouteSetting(route, settingOf(paused, weight), actor))
        return {}
      }),

      /** `id` names the addition, so that a form sent twice adds one route. */
      add: Effect.fnUntraced(function* ({ payload }) {
        const { base_url: baseUrl, id: name, key, models, priority, provider } = payload
        const { actor } = yield* Caller
        yield* askSecondFactor
        yield* requireModels(provider, models)
        const asked = { provider, baseUrl, key, models, priority }
        return { id: yield* act(addRoute(asked, privateRanges(), actor, name)) }
      }),

      change: Effect.fnUntraced(function* ({ payload: { base_url: baseUrl, route, ...others } }) {
        const { actor } = yield* Caller
        yield* askSecondFactor
        const { provider } = yield* requireKnown(route)
        yield* requireModels(provider, others.models ?? [])
        const change = { ...others, ...(baseUrl !== undefined && { baseUrl }) }
        yield* act(changeRoute(route, change, privateRanges(), actor))
        return {}
      }),

      remove: Effect.fnUntraced(function* ({ payload: { route } }) {
        const { actor } = yield* Caller
        yield* act(removeRoute(route, actor))
        return {}
      }),

      test: Effect.fnUntraced(function* ({ payload: { route } }) {
        const { actor } = yield* Caller
        yield* requireKnown(route)
        const nowMs = yield* Clock.currentTimeMillis
        yield* refuseWait(context.limits.take("test of a route", "all", testsMax, 60_000, nowMs))
        yield* query("record test of a route", (sql) => recordRouteTest(sql, route, actor))
        const tried = yield* Effect.promise(() => context.tryRoute(route))
        if (tried === undefined) return yield* refuse("unavailable")
        return renderTried(tried)
      })
    })
  })

/** Of what is given. */
const settingOf = (paused: boolean | undefined, weight: number | null | undefined) => ({
  ...(paused !== undefined && { isPaused: paused }),
  ...(weight !== undefined && { weight: weight ?? undefined })
})

const renderTried = (tried: RouteTried) => ({
  model: tried.model,
  status: tried.status ?? null,
  first_byte_ms: tried.firstByteMs ?? null,
  total_ms: tried.totalMs,
  fault: tried.fault ?? null,
  message: tried.message ?? null
})
