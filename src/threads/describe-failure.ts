/** What killed a thread, in words. */
import { inspect } from "node:util"
import { describeFault } from "../telemetry/describe-fault.ts"

/** A start that fails is told in one line, whatever it says; what comes later may have had to do with a caller. */
export const describeFailure = (cause: unknown, hasStarted: boolean): string => {
  if (hasStarted) return describeFault(cause)
  return cause instanceof Error
    ? cause.message
    : inspect(cause, { depth: 1, breakLength: Infinity, compact: true })
}
