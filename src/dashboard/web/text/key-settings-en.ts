/** The words of what may be set on a key, in English. */
import type { vietnamese } from "./key-settings-vi.ts"

export const english: typeof vietnamese = {
  edit: "Edit",
  editTitle: (name) => `Edit “${name}”`,
  save: "Save",
  savedToast: "Saved. It applies from the very next call.",
  more: "Budget and limits",
  budget: "Budget",
  budgetHint: "The most this key may spend. Leave empty for all of the balance.",
  budgetBad: "Enter an amount of dong above 0, such as 500,000 or 500k.",
  budgetPeriod: "Period of the budget",
  periods: { total: "In total", day: "A day", week: "A week", month: "A month" },
  ofBudget: (spent, budget) => `${spent} of ${budget}`,
  models: "Models",
  modelsHint: "Ids with commas between them; claude-* is every model that begins so. Leave empty for all.",
  endpoints: "Endpoints",
  endpointsHint: "Choose none to allow all.",
  addresses: "Allowed addresses",
  addressesHint: "For example 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32. Leave empty for any.",
  lastDay: "Last day",
  lastDayHint: "The key ends with this day, Viet Nam time. Leave empty for no end.",
  pause: "Pause",
  resume: "Resume",
  paused: "Paused",
  expired: "Expired",
  pausedToast: "The key is paused",
  resumedToast: "The key works again",
  rotate: "New secret",
  rotateTitle: (name) => `A new secret for “${name}”`,
  rotateHint: "The key keeps its settings and its usage. Enter your password to get the new secret.",
  overlap: "How long the old secret works on",
  overlapDays: (days) =>
    days === 0
      ? "The old secret ends at once"
      : `The old secret works for ${days === 1 ? "one more day" : `${days} more days`}`,
  formerUntil: (when) => `The old secret works until ${when}.`
}
