/** What could not be answered, as the log tells it: while the database is away, anybody can have any number of requests fail. */
import { describeFault } from "../telemetry/describe-fault.ts"
import { fewInTheLog, Sampler } from "../telemetry/Sampler.ts"

export type TellUnanswered = (
  request: { readonly method: string; readonly path: string },
  fault: unknown
) => void

export const tellUnanswered = (warn: (message: string) => void): TellUnanswered => {
  const sampler = new Sampler({
    ...fewInTheLog,
    tellMore: (count) => warn(`More requests to the dashboard could not be answered: ${count}`)
  })
  return ({ method, path }, fault) => {
    if (sampler.take()) warn(`Could not answer ${method} ${path}: ${describeFault(fault)}`)
  }
}
