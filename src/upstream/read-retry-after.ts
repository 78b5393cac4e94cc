/** When a provider says to come back. */
import type { AnswerHeaders } from "./http1/read-head.ts"

const number = /^\d{1,9}(\.\d+)?$/

/** In seconds, from milliseconds as OpenAI and Azure may tell them, from seconds or a date; at most an hour. */
export const readRetryAfter = (
  { "retry-after": told = "", "retry-after-ms": exact = "" }: AnswerHeaders,
  nowMs: number
): number | undefined => {
  if (number.test(exact)) return wholeSeconds(Number(exact) / 1000)
  // Some providers give fractions, which a date's parser would take for a day.
  return wholeSeconds(number.test(told) ? Number(told) : (Date.parse(told) - nowMs) / 1000)
}

/**
 * Google tells it in the error's body alone, as `google.rpc.RetryInfo`:
 * https://cloud.google.com/apis/design/errors#error_details and https://github.com/vercel/ai/issues/18627
 */
export const readRetryDelay = (body: Buffer): number | undefined =>
  wholeSeconds(Number(/"retryDelay"\s*:\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body.toString("latin1"))?.[1]))

const wholeSeconds = (seconds: number): number | undefined =>
  Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 1), 3600) : undefined
