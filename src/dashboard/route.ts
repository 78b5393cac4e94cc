/** What a route of the dashboard's own API is: who may call it, and what it answers. */
import { Schema } from "effect"
import type { Person } from "../storage/PersonStore.ts"
import { ApiProblem } from "./ApiProblem.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { readJson } from "./read-json.ts"

export interface Ask extends Incoming {
  /** The values of the `:names` in the route's path. */
  readonly parameters: Readonly<Record<string, string>>
}

type Handle = (ask: Ask, context: DashboardContext) => Promise<Reply>
type PersonalHandle = (ask: Ask, context: DashboardContext, person: Person) => Promise<Reply>

interface Place {
  readonly method: "GET" | "POST"
  /** With `:names` for single segments. */
  readonly path: string
}

export type Route =
  | (Place & { readonly access: "anyone"; readonly handle: Handle })
  /** A signed-in person; every query is bound to their account. */
  | (Place & { readonly access: "account"; readonly handle: PersonalHandle })
  /** A person whose account is an operator's, by the database at this moment. */
  | (Place & { readonly access: "operator"; readonly handle: PersonalHandle })

export const forAnyone = (method: Place["method"], path: string, handle: Handle): Route => ({
  method,
  path,
  access: "anyone",
  handle
})
export const forAccount = (method: Place["method"], path: string, handle: PersonalHandle): Route => ({
  method,
  path,
  access: "account",
  handle
})
export const forOperator = (method: Place["method"], path: string, handle: PersonalHandle): Route => ({
  method,
  path,
  access: "operator",
  handle
})

/** Reads a body of this form; build the reader once per route. */
export const bodyOf = <A>(schema: Schema.Decoder<A>) => {
  const decode = Schema.decodeUnknownSync(schema)
  return (ask: Incoming): A => {
    try {
      return decode(readJson(ask))
    } catch {
      throw new ApiProblem(400, "invalid")
    }
  }
}

/** A moment in the query string, in milliseconds since 1970. */
export const momentOf = (ask: Incoming, name: string, otherwise: number): Date => {
  const text = ask.query.get(name)
  const ms = text === null || text === "" ? otherwise : Number(text)
  // PostgreSQL's range is wider; nobody needs it.
  if (!Number.isSafeInteger(ms) || ms < 0 || ms > 4_102_444_800_000) throw new ApiProblem(400, "invalid")
  return new Date(ms)
}

/** A value of the query string; `undefined` when it is absent or empty. */
export const textOf = (ask: Incoming, name: string): string | undefined => {
  const text = ask.query.get(name)
  if (text === null || text === "") return undefined
  if (text.length > 200 || text.includes("\0")) throw new ApiProblem(400, "invalid")
  return text
}

/** An identity column's value in the query string or path. */
export const numberTextOf = (text: string | undefined): string | undefined => {
  if (text !== undefined && !/^\d{1,18}$/.test(text)) throw new ApiProblem(400, "invalid")
  return text
}
