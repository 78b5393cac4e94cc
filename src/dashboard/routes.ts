/** Routes that the API's definition does not have yet, below `/dashboard/api`. */
import type { Route } from "./route.ts"

export const routes: ReadonlyArray<Route> = []

export interface Match {
  readonly route: Route
  readonly parameters: Readonly<Record<string, string>>
}

/** The routes of this path, whatever their method. */
export const matchRoutes = (path: string): ReadonlyArray<Match> => {
  const given = path.split("/")
  return routes.flatMap((route) => {
    const expected = route.path.split("/")
    if (expected.length !== given.length) return []
    const parameters: Record<string, string> = {}
    for (const [index, part] of expected.entries()) {
      const value = given[index] ?? ""
      if (!part.startsWith(":")) {
        if (part !== value) return []
      } else if (/^[\w-]{1,100}$/.test(value)) parameters[part.slice(1)] = value
      else return []
    }
    return [{ route, parameters }]
  })
}
