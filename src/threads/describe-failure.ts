/** What killed a thread, in words. Anything can be thrown, also what can not be turned into text. */
import { inspect } from "node:util"

export const describeFailure = (cause: unknown, withStack: boolean): string => {
  if (!(cause instanceof Error)) return inspect(cause, { depth: 1, breakLength: Infinity, compact: true })
  return (withStack ? cause.stack : undefined) ?? cause.message
}
