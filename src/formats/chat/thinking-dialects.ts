/** The ways in which chat providers are told how much to think. */
import type { JsonObject } from "../json/json.ts"

/** What the caller wants; `undefined` leaves it to the model. */
export interface AskedThinking {
  readonly thinks: boolean | undefined
  readonly effort: string | undefined
}

export type ThinkingDialect = (asked: AskedThinking) => JsonObject

export const plainEffort: ThinkingDialect = ({ thinks, effort }) => ({
  reasoning_effort: thinks === false ? "none" : effort === "max" ? "xhigh" : effort
})

/** For those of whom some do not think unless they are given an effort. */
export const thinksByEffort: ThinkingDialect = (asked) =>
  plainEffort(asked.thinks === true ? { ...asked, effort: asked.effort ?? "medium" } : asked)

/** For those that always think and refuse `none`. */
export const withoutNone: ThinkingDialect = (asked) =>
  asked.thinks === false ? { reasoning_effort: "minimal" } : plainEffort(asked)

/** For those with three steps, which can not be told to stop. */
export const threeSteps: ThinkingDialect = ({ thinks, effort }) => ({
  reasoning_effort: thinks === false ? "low" : effort === "max" || effort === "xhigh" ? "high" : effort
})

export const threeStepsOrNone: ThinkingDialect = (asked) =>
  asked.thinks === false ? { reasoning_effort: "none" } : threeSteps(asked)

/** For those that always think, in three steps of their own. */
export const alwaysThinking: ThinkingDialect = ({ thinks, effort }) => ({
  reasoning_effort: thinks === false || effort === "low" ? "low" : highOrMax(effort)
})

/** For those that know all or nothing, and refuse what is between. */
export const allOrNothing: ThinkingDialect = ({ thinks, effort }) => ({
  reasoning_effort: thinks === false || (thinks === undefined && effort === "low") ? "none" : "high"
})

export const thinkingSwitch: ThinkingDialect = ({ thinks }) => ({
  thinking: { type: thinks === false ? "disabled" : "enabled" }
})

export const switchAndEffort: ThinkingDialect = (asked) => ({
  ...thinkingSwitch(asked),
  reasoning_effort: highOrMax(asked.effort)
})

export const qwenSwitch: ThinkingDialect = ({ thinks }) => ({ enable_thinking: thinks !== false })

/** For those that refuse to be told. */
export const untold: ThinkingDialect = () => ({})

const highOrMax = (effort: string | undefined): string | undefined => {
  if (effort === undefined) return undefined
  return effort === "max" || effort === "xhigh" ? "max" : "high"
}
