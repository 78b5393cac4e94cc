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
