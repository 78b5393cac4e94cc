/** Every way a call can be refused or fail, and how that looks to its caller: the contract's table of errors. */
import { Data } from "effect"
import type { BudgetHolder } from "../domain/key-settings.ts"
import { vietnamTime } from "../domain/vietnam-days.ts"
import { brokenOff, unreadable } from "../formats/errors/stream-failure.ts"
import type { ErrorType } from "../formats/errors/upstream-errors.ts"
import type { JsonObject } from "../formats/json/json.ts"

export class CallError extends Data.TaggedError("CallError")<{
  readonly status: number
  readonly type: ErrorType
  readonly message: string
  readonly param?: string | undefined
  readonly code?: string | undefined
  readonly details?: JsonObject | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly allow?: string | undefined
}> {}

const finalStatuses: ReadonlySet<number> = new Set([400, 401, 402, 403, 404, 405, 413, 415])

/** Whether a retry can not mend it. */
export const isFinal = (error: CallError): boolean => finalStatuses.has(error.status)

const usualRetryAfterSeconds = 5

/** Every 429 and 503 tells when to come back, also where nobody knows better. */
export const retryAfterOf = (error: CallError): number | undefined =>
  error.retryAfterSeconds ??
  (error.status === 429 || error.status === 503 ? usualRetryAfterSeconds : undefined)

export const invalidRequest = (message: string, param?: string, details?: JsonObject): CallError =>
  new CallError({ status: 400, type: "invalid_request_error", message, param, details })

export const notAuthenticated = (message: string): CallError =>
  new CallError({ status: 401, type: "authentication_error", message, code: "invalid_api_key" })

export const insufficientBalance = (publicUrl: string): CallError =>
  new CallError({
    status: 402,
    type: "insufficient_balance",
    message: `The wallet's balance does not cover this call. Top up at ${publicUrl}/dashboard/topup`,
    code: "insufficient_balance"
  })

/** The wallet could pay, the key or the member who made it may not. `resetsAtMs`: when the period of the call ends. */
export const budgetSpent = (
  publicUrl: string,
  of: BudgetHolder,
  resetsAtMs: number | undefined
): CallError => {
  const budget =
    of === "key" ? "The budget of this API key" : "The budget of the member who made this API key"
  const raised =
    of === "key"
      ? `it can be raised at ${publicUrl}/dashboard/keys`
      : `an owner or admin of the account can raise it at ${publicUrl}/dashboard/members`
  return new CallError({
    status: 402,
    type: "insufficient_balance",
    message: `${budget} is spent. ${beginsAnew(resetsAtMs)}; ${raised}. The wallet itself is topped up at ${publicUrl}/dashboard/topup`,
    code: "insufficient_balance"
  })
}

/** A call that outlasts the period in which it began is paid out of that to its end. */
const beginsAnew = (atMs: number | undefined): string => {
  if (atMs === undefined) return "It does not begin anew"
  const at = vietnamTime(atMs)
  return atMs > Date.now() ? `It begins anew at ${at}` : `It began anew at ${at}, for calls made since`
}

/** What the key's owner has not allowed it. */
export const notPermitted = (message: string, param?: string): CallError =>
  new CallError({ status: 403, type: "permission_error", message, param, code: "permission_denied" })

/** `near`: the models that the name may mean. */
export const modelNotFound = (name: string, near: ReadonlyArray<string> = []): CallError =>
  new CallError({
    status: 404,
    type: "not_found_error",
    message: `model not found: ${name.slice(0, 200)}`,
    param: "model",
    code: "model_not_found",
    details: near.length === 0 ? undefined : { did_you_mean: near }
  })

export const wrongPath = (message: string): CallError =>
  new CallError({ status: 404, type: "not_found_error", message })

export const wrongMethod = (allow: string): CallError =>
  new CallError({
    status: 405,
    type: "invalid_request_error",
    message: `This path takes ${allow} only.`,
    allow
  })

/** Codex tries a WebSocket first, and falls back to POST on this status. */
export const noWebSocket = (): CallError =>
  new CallError({
    status: 426,
    type: "invalid_request_error",
    message: "This path takes POST only, not a WebSocket."
  })

export const compressedBody = (): CallError =>
  new CallError({
    status: 415,
    type: "invalid_request_error",
    message: "Compressed request bodies are not accepted: send it without content-encoding."
  })

export const requestTooLarge = (bytesMax: number): CallError =>
  new CallError({
    status: 413,
    type: "request_too_large",
    message: `The request body is larger than ${bytesMax} bytes.`
  })

export const rateLimited = (retryAfterMs: number): CallError =>
  new CallError({
    status: 429,
    type: "rate_limit_error",
    message: "This key's limit of calls per minute is reached.",
    retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000))
  })

export const upstreamFailed = (message: string, retryAfterSeconds?: number): CallError =>
  new CallError({ status: 502, type: "api_error", message, retryAfterSeconds })

/** `retryAfterSeconds` where an open circuit says when the model is tried again. */
export const modelUnreachable = (retryAfterSeconds?: number): CallError =>
  upstreamFailed("The model can not be reached right now.", retryAfterSeconds)

export const answerBrokenOff = (): CallError => upstreamFailed(brokenOff.message)

export const answerUnreadable = (): CallError => upstreamFailed(unreadable.message)

const unavailable = (message: string, retryAfterSeconds?: number): CallError =>
  new CallError({ status: 503, type: "service_unavailable", message, retryAfterSeconds })

export const ledgerUnavailable = (): CallError =>
  unavailable("The service can not take calls right now. Please try again shortly.")

/** `message`: what operators say of it, one line. */
export const inMaintenance = (message: string | undefined): CallError => {
  const standing = "The service is under maintenance. Please try again later."
  return unavailable(message === undefined ? standing : `${standing} ${message}`, 60)
}

export const restarting = (): CallError => unavailable("The service is restarting. Please try again.", 1)

export const busy = (): CallError => unavailable("The service is busy. Please try again shortly.", 1)
