/** In which order a provider's routes are tried: by priority, and among equals by chance in proportion to their weight. */
import type { Route } from "../config/settings.ts"

export const orderRoutes = (routes: ReadonlyArray<Route>, random: () => number): ReadonlyArray<Route> => {
  if (routes.length < 2) return routes
  // Weighted shuffle: the smallest of -ln(u)/weight comes first with probability proportional to its weight.
  return routes
    .map((route) => ({ route, draw: -Math.log(1 - random()) / Math.max(route.weight, 1e-9) }))
    .sort((left, right) => left.route.priority - right.route.priority || left.draw - right.draw)
    .map(({ route }) => route)
}
