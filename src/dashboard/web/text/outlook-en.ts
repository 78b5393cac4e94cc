/** The words of what lies ahead of an account, in English. */
import type { vietnamese } from "./outlook-vi.ts"

const calls = (count: string): string => (count === "1" ? "1 call" : `${count} calls`)

export const english: typeof vietnamese = {
  title: "Spending in the last two weeks",
  held: "On hold",
  heldHint: "For calls in progress",
  daysLeft: "Lasts about",
  days: (count) => (count === "1" ? "1 day" : `${count} days`),
  daysLeftHint: "At last week's pace",
  perDay: (day) => `Show the calls of ${day}`,
  chart: "Cost by day",
  refusedTitle: (count) => `${calls(count)} refused (402) in the last 24 hours`,
  refusedSince: (first, last) => `First ${first}, most recently ${last}.`,
  becauseBalance: (count) => `${calls(count)}: the balance didn't cover what the call would have held`,
  becauseBudget: (count) =>
    `${calls(count)}: what was left of this key's budget didn't cover what the call would have held`,
  becauseMemberBudget: (count) =>
    `${calls(count)}: what was left of the budget of the member who made this key didn't cover what the call would have held`,
  payNow: (amount) => `Top up ${amount} by QR`,
  otherAmount: "Another amount",
  raiseBudget: "Edit the budget",
  seeCalls: "Show these calls"
}
