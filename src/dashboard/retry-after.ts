/** What both of our documents say of refusals that end by themselves (RFC 9110, 10.2.3). */

export const retryStatuses: ReadonlySet<number> = new Set([429, 503])

export const retryAfter = {
  "retry-after": { description: "In how many seconds to ask again", schema: { type: "integer" } }
}
