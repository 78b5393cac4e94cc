/** Warnings of what anybody can have happen any number of times: few in a while, and how many more there were. */
import { fewInTheLog, Sampler } from "../telemetry/Sampler.ts"

/** A line for the log; with the id of the request that it is about. */
export type Warn = (message: string, requestId?: string) => void

/** The message is made where it is told. */
export type WarnOfFew = (message: () => string, requestId: string) => void

export const fewWarnings = (warn: Warn, more: string): WarnOfFew => {
  const sampler = new Sampler({ ...fewInTheLog, tellMore: (count) => warn(`${more}: ${count}`) })
  return (message, requestId) => {
    if (sampler.take()) warn(message(), requestId)
  }
}
