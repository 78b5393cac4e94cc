/** The JSON of a request's body. */
import { ApiProblem } from "./ApiProblem.ts"
import type { Incoming } from "./exchange.ts"

/** PostgreSQL's text can hold neither NUL nor half a character, and nothing that people type has one. */
export const readJson = ({ body }: Pick<Incoming, "body">): unknown => {
  try {
    return JSON.parse(body.toString("utf8"), (_, value: unknown) => {
      if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
        throw new SyntaxError("a text that is none")
      return value
    })
  } catch {
    throw new ApiProblem(
      400,
      "invalid",
      [],
      "What was sent is not JSON, or has NUL or half a character in it"
    )
  }
}
