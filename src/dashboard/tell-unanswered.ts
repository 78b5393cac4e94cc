/** What could not be answered, as the log tells it: while the database is away, anybody can have any number of requests fail. */
import { describeFault } from "../telemetry/describe-fault.ts"
import { fewInTheLog, Sampler } from "../telemetry/Sampler.ts"
import { type Incoming, requestIdHeader } from "./exchange.ts"

/** A line for the log; with the id of the request that it is about. */
export type Warn = (message: string, requestId?: string) => void

export type TellUnanswered = (request: Pick<Incoming, "method" | "path" | "header">, fault: unknown) => void

export const tellUnanswered = (warn: Warn): TellUnanswered => {
  const sampler = new Sampler({
    ...fewInTheLog,
    tellMore: (count) => warn(`More requests to the dashboard could not be answered: ${count}`)
  })
  return ({ header, method, path }, fault) => {
    if (sampler.take())
      warn(`Could not answer ${method} ${path}: ${describeFault(fault)}`, header(requestIdHeader))
  }
}
