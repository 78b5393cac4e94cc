/** Replies that are JSON. */
import type { ApiProblem } from "./ApiProblem.ts"
import type { Reply } from "./exchange.ts"

const jsonHeaders = [
  ["content-type", "application/json; charset=utf-8"],
  ["cache-control", "no-store"]
] as const

export const json = (body: unknown): Reply => ({
  status: 200,
  headers: jsonHeaders,
  body: JSON.stringify(body)
})

export const problemReply = ({ error, headers, status }: ApiProblem): Reply => ({
  status,
  headers: [...jsonHeaders, ...headers],
  body: JSON.stringify({ error })
})
