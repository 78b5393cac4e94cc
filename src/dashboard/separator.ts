/** What stands between the cells of a CSV. */
import { ApiProblem } from "./ApiProblem.ts"
import type { Incoming } from "./exchange.ts"
import { textOf } from "./route.ts"

/** Where the decimal point is a comma, spreadsheets split at semicolons. */
export const separatorOf = (ask: Incoming): "," | ";" => {
  const separator = textOf(ask, "sep") ?? ","
  if (separator !== "," && separator !== ";") throw new ApiProblem(400, "invalid")
  return separator
}
