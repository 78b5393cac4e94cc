/** Every route of the dashboard's own API, below `/dashboard/api`. */
import { keyRoutes } from "./api/keys.ts"
import { modelRoutes } from "./api/models.ts"
import { operatorAccountRoutes } from "./api/operator-accounts.ts"
import { operatorServiceRoutes } from "./api/operator-service.ts"
import { operatorTransferRoutes } from "./api/operator-transfers.ts"
import { overviewRoutes } from "./api/overview.ts"
import { sessionRoutes } from "./api/session.ts"
import { statementRoutes } from "./api/statement.ts"
import { topUpRoutes } from "./api/top-ups.ts"
import { usageRoutes } from "./api/usage.ts"
import type { Route } from "./route.ts"

export const routes: ReadonlyArray<Route> = [
  ...sessionRoutes,
  ...overviewRoutes,
  ...keyRoutes,
  ...usageRoutes,
  ...statementRoutes,
  ...topUpRoutes,
  ...modelRoutes,
  ...operatorAccountRoutes,
  ...operatorTransferRoutes,
  ...operatorServiceRoutes
]

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
