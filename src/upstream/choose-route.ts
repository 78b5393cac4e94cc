/**
 * In which order a provider's routes are tried: by priority, and among equals by chance in proportion to their weight.
 * Those that are not to be used now come not at all, or last where they only asked for patience.
 */
import type { Route } from "../config/settings.ts"

export const orderRoutes = (routes: ReadonlyArray<Route>, random: () => number): ReadonlyArray<Route> => {
  if (routes.length < 2) return routes
  // Weighted shuffle: the smallest of -ln(u)/weight comes first with probability proportional to its weight.
  return routes
    .map((route) => ({ route, draw: -Math.log(1 - random()) / Math.max(route.weight, 1e-9) }))
    .sort((left, right) => left.route.priority - right.route.priority || left.draw - right.draw)
    .map(({ route }) => route)
}

export interface RouteReadiness {
  /** Its circuit lets a call through. */
  readonly admitted: boolean
  /** It told us to come back later, and later is not yet. */
  readonly resting: boolean
}

/** The routes that one call may be tried on, in order. Patience never takes the only route away. */
export const chooseRoutes = (
  ordered: ReadonlyArray<Route>,
  readinessOf: (route: Route) => RouteReadiness,
  attemptsMax: number
): ReadonlyArray<Route> => {
  const ready: Array<Route> = []
  const resting: Array<Route> = []
  for (const route of ordered) {
    const readiness = readinessOf(route)
    if (readiness.admitted) (readiness.resting ? resting : ready).push(route)
  }
  return [...ready, ...resting].slice(0, attemptsMax)
}

/** The route for a second try beside those under way: one that nobody has tried yet, or else the best. Never one that asked for patience. */
export const chooseBeside = (
  ordered: ReadonlyArray<Route>,
  tried: ReadonlyArray<{ readonly route: string }>,
  readinessOf: (route: Route) => RouteReadiness
): Route | undefined => {
  const ready = ordered.filter((route) => {
    const { admitted, resting } = readinessOf(route)
    return admitted && !resting
  })
  return ready.find(({ id }) => tried.every(({ route }) => route !== id)) ?? ready[0]
}
