/** The JSON of a request's body. */
import { ApiProblem } from "./ApiProblem.ts"
import type { Incoming } from "./exchange.ts"

/** PostgreSQL's text can not hold NUL, and nothing that people type has one. */
export const readJson = ({ body }: Pick<Incoming, "body">): unknown => {
  try {
    return JSON.parse(body.toString("utf8"), (_, value: unknown) => {
      if (typeof value === "string" && value.includes("\0")) throw new SyntaxError("a text with NUL")
      return value
    })
  } catch {
    throw new ApiProblem(400, "invalid")
  }
}
