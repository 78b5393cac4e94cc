/** Warnings of what anybody can have happen any number of times: few in a while, and how many more there were. */
import { fewInTheLog, Sampler } from "../telemetry/Sampler.ts"
import type { Warn } from "./tell-unanswered.ts"

export const fewWarnings = (warn: Warn, more: string): Warn => {
  const sampler = new Sampler({ ...fewInTheLog, tellMore: (count) => warn(`${more}: ${count}`) })
  return (message, requestId) => {
    if (sampler.take()) warn(message, requestId)
  }
}
