/** What pages of any origin may call and read: the key is the credential. */
import type { Destination } from "./destinations.ts"

/** Also what a wrong base address leads to, or the browser would not show its page what is wrong. */
export const isForAnyOrigin = (path: string, destination: Destination): boolean =>
  path.startsWith("/v1/") || destination._tag === "WrongBase"

export const corsHeaders = [
  ["access-control-allow-origin", "*"],
  ["access-control-expose-headers", "*"]
] as const

/** No client has so many names of headers; they need not be told again at any length. */
const askedMax = 1_000

export const preflightHeaders = (asked: string) =>
  [
    ["access-control-allow-methods", "GET, POST, OPTIONS"],
    ["access-control-allow-headers", asked === "" || asked.length > askedMax ? "*" : asked],
    ["access-control-max-age", "86400"]
  ] as const
