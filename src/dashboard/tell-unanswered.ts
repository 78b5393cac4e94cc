/** What could not be answered, as the log tells it: while the database is away, anybody can have any number of requests fail. */
import { describeFault } from "../telemetry/describe-fault.ts"
import { type Incoming, requestIdHeader } from "./exchange.ts"
import { fewWarnings, type Warn } from "./few-warnings.ts"

export type TellUnanswered = (request: Pick<Incoming, "method" | "path" | "header">, fault: unknown) => void

export const tellUnanswered = (warn: Warn): TellUnanswered => {
  const warnOfFew = fewWarnings(warn, "More requests to the dashboard could not be answered")
  return ({ header, method, path }, fault) =>
    warnOfFew(() => `Could not answer ${method} ${path}: ${describeFault(fault)}`, header(requestIdHeader))
}
