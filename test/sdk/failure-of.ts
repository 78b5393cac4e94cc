/** What the official clients make of the gateway's errors. */
import { assert } from "@effect/vitest"

/** The error that a client's call ends with, which is of the client's own `kind`. */
export const failureOf = async <Failure>(
  kind: new (...parts: never) => Failure,
  call: Promise<unknown>
): Promise<Failure> => {
  try {
    await call
  } catch (error) {
    if (error instanceof kind) return error
    throw error
  }
  return assert.fail("the call succeeds")
}

/** How a failed call is told, whatever client asks; the last is whether trying again may help, by `x-should-retry`. */
const failures = [
  ["bad", 400, "invalid_request_error", "false"],
  ["wrongKey", 401, "authentication_error", "false"],
  ["poor", 402, "insufficient_balance", "false"],
  ["unknownModel", 404, "not_found_error", "false"],
  ["limited", 429, "rate_limit_error", null],
  ["broken", 502, "api_error", null]
] as const

interface ClientError {
  readonly status: number | undefined
  readonly type?: string | null | undefined
  readonly message: string
  readonly requestID: string | null | undefined
  readonly headers: Headers | undefined
  readonly error: unknown
}

type Failing = readonly [call: () => Promise<unknown>, kind: new (...parts: never) => unknown]

/** Each failing call ends with the client's class for it, with status, type, message, id and whether to try again. */
export const expectFailures = async (
  calls: Readonly<Record<(typeof failures)[number][0], Failing>>,
  failure: (call: Promise<unknown>) => Promise<ClientError>
): Promise<void> => {
  for (const [name, status, type, shouldRetry] of failures) {
    const [call, kind] = calls[name]
    const error = await failure(call())
    assert.instanceOf(error, kind)
    assert.strictEqual(error.status, status)
    assert.strictEqual(error.type, type)
    assert.isNotEmpty(error.message)
    assert.match(error.requestID!, /\S/)
    assert.strictEqual(error.headers!.get("x-should-retry"), shouldRetry)
    // Of a body the one client keeps all, the other what stands under `error`.
    const body = error.error as { readonly request_id?: string; readonly message?: string }
    if (body.request_id === undefined) assert.isNotEmpty(body.message)
    else assert.strictEqual(body.request_id, error.requestID)
  }
}
