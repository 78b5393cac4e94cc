/** The words of what may be set on a key, in English. */
import type { vietnamese } from "./key-settings-vi.ts"

export const english: typeof vietnamese = {
  edit: "Edit",
  editTitle: (name) => `Edit “${name}”`,
  save: "Save",
  savedToast: "Saved. Applies from the next call.",
  more: "Budget and limits",
  budget: "Budget",
  budgetHint: "The most this key can spend. Leave empty to use the whole balance.",
  budgetBad: "Enter an amount above 0, such as 500,000 or 500k.",
  budgetPeriod: "Budget period",
  periods: { total: "Total", day: "Daily", week: "Weekly", month: "Monthly" },
  ofBudget: (spent, budget) => `${spent} of ${budget}`,
  ownBudget: "Budget shared by the API keys you made",
  resets: (day) => `resets on ${day}`,
  models: "Models",
  modelsHint:
    "Model IDs separated by commas; claude-* covers every model starting with claude-. Leave empty to allow all.",
  endpoints: "Endpoints",
  endpointsHint: "Select none to allow all.",
  addresses: "Allowed IP addresses",
  addressesHint: "For example 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32. Leave empty to allow any.",
  lastDay: "Expiry date",
  lastDayHint: "The key expires at the end of this day, Vietnam time. Leave empty for no expiry.",
  pause: "Pause",
  resume: "Resume",
  madeBy: (email) => `made by ${email}`,
  paused: "Paused",
  expired: "Expired",
  pausedToast: "Key paused",
  resumedToast: "Key active again",
  rotate: "Rotate",
  rotateTitle: (name) => `Rotate “${name}”`,
  rotateHint: "The key keeps its settings and its usage. Enter your password to get the new secret.",
  overlap: "Keep the old secret for",
  overlapDays: (days) =>
    days === 0
      ? "The old secret stops working immediately"
      : `The old secret works for ${days === 1 ? "one more day" : `${days} more days`}`,
  formerUntil: (when) => `The old secret works until ${when}.`,
  formerEnds: (when) =>
    `The secret before this one, which still works until ${when}, stops working immediately: a key has one old secret.`,
  problems: {
    too_many_keys: "You already have 10 active keys, the maximum. Revoke one first.",
    key_not_showable: "This key can't be shown again.",
    secret_replaced: "The secret has been replaced since this page was loaded. Close this and look again."
  }
}
