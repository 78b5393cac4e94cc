/** When a provider says to come back. */

/** In seconds, from seconds or a date; at most an hour. */
export const readRetryAfter = (
  value: string | ReadonlyArray<string> | undefined,
  nowMs: number
): number | undefined => {
  if (typeof value !== "string") return undefined
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - nowMs) / 1000)
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 1), 3600) : undefined
}
