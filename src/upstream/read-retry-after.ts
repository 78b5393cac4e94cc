/** When a provider says to come back. */

/** In seconds, from seconds or a date; at most an hour. */
export const readRetryAfter = (
  value: string | ReadonlyArray<string> | undefined,
  nowMs: number
): number | undefined => {
  if (typeof value !== "string") return undefined
  // Some providers give fractions, which a date's parser would take for a day.
  const isSeconds = /^\d{1,9}(\.\d+)?$/.test(value)
  const seconds = isSeconds ? Number(value) : (Date.parse(value) - nowMs) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 3600) : undefined
}

/**
 * Google tells it in the error's body alone, as `google.rpc.RetryInfo`:
 * https://cloud.google.com/apis/design/errors#error_details and https://github.com/vercel/ai/issues/18627
 */
export const readRetryDelay = (body: Buffer): number | undefined =>
  readRetryAfter(/"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body.toString("latin1"))?.[1], 0)
