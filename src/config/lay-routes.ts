/** Lays what operators say of routes over the providers of the configuration. */
import type { AddedRoute, RouteChanges } from "../domain/route-changes.ts"
import type { ProviderSettings, Route, Settings } from "./settings.ts"

/** An added route as it is called; `undefined` where its key can not be opened here. */
export type OpenRoute = (route: AddedRoute) => Route | undefined

/** A provider that calls nothing of knows no route: its routes are left out. The simulator stands in only for providers without a route of their own. */
export const layRoutes = (settings: Settings, changes: RouteChanges, open: OpenRoute): Settings => ({
  ...settings,
  providers: Object.fromEntries(
    Object.entries(settings.providers).map(([name, provider]) => {
      const added = changes.added
        .filter((route) => route.provider === name)
        .flatMap((route) => open(route) ?? [])
      const isStoodInFor = settings.simulatorUrl !== undefined && added.length > 0
      const routes = [...(isStoodInFor ? [] : provider.routes), ...added]
      return [name, withSettings({ ...provider, routes }, changes)]
    })
  )
})

const withSettings = (provider: ProviderSettings, { settings }: RouteChanges): ProviderSettings => ({
  ...provider,
  routes: provider.routes.map((route) => {
    const setting = settings.get(route.id)
    if (setting === undefined) return route
    const { isPaused, weight = route.weight } = setting
    return { ...route, weight, ...(isPaused && { isPaused }) }
  })
})
