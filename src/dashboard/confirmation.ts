/** What a second factor that somebody has, or ought to have, is asked for. */
import type { Person } from "../storage/people/PersonStore.ts"
import { ApiProblem } from "./ApiProblem.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Confirmation } from "./definition/access.ts"

/** So long after a second factor was shown it is not asked for again. */
const freshSeconds = 600

export const hasSecondFactor = ({ hasTotp, passkeys }: Person): boolean => hasTotp || passkeys > 0

export const confirmationOf = (person: Person): Confirmation => {
  if (!hasSecondFactor(person)) return "none"
  const ago = person.confirmedSecondsAgo
  return ago !== undefined && ago < freshSeconds ? "fresh" : "due"
}

/** Signed in, but by one factor of two: nothing is answered until the other was shown. */
export const awaitsConfirmation = ({ confirmedSecondsAgo, hasTotp }: Person): boolean =>
  hasTotp && confirmedSecondsAgo === undefined

/** An operator who must have a second factor first. */
export const lacksSecondFactor = (person: Person, { settings }: DashboardContext): boolean =>
  person.role !== undefined && settings.operatorsNeedSecondFactor && !hasSecondFactor(person)

/** Refuses what asks for a second factor that has not been shown in this session. */
export const requireSecondFactor = (
  person: Person,
  who: "account" | "operator",
  context: DashboardContext
): void => {
  if (awaitsConfirmation(person)) throw new ApiProblem(403, "confirm_needed")
  if (who !== "operator" || !context.settings.operatorsNeedSecondFactor) return
  if (!hasSecondFactor(person)) throw new ApiProblem(403, "second_factor_needed")
  if (person.confirmedSecondsAgo === undefined) throw new ApiProblem(403, "confirm_needed")
}
