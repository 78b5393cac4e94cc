/** What customers can be told of. The names are those of the wire. */
export const alertKinds = [
  /** The balance is less than the account's own threshold. */
  "balance.low",
  /** It does not cover the calls any more. */
  "balance.empty",
  /** At the pace of the last week it lasts for fewer days than the account has said. */
  "balance.days_left",
  "top_up.credited",
  /** 80 % of a key's budget. */
  "budget.nearly_spent",
  "budget.spent",
  /** 80 % of what all keys that a member has made may spend together. */
  "member_budget.nearly_spent",
  "member_budget.spent",
  /** Within three days. */
  "key.expiring",
  "key.created",
  "key.rotated",
  "key.revoked",
  /** From an address or with a program that the person is not signed in with. */
  "sign_in.new",
  /** What the person comes in by: password, second factors, accounts elsewhere. */
  "security.changed"
] as const

export type AlertKind = (typeof alertKinds)[number]

/** What people can cause as often as they like: of each kind an account is told so often in an hour. */
export const boundedKinds: ReadonlyArray<AlertKind> = [
  "key.created",
  "key.rotated",
  "key.revoked",
  "sign_in.new"
]
export const toldPerHourMax = 100

/** What is sent when a webhook is tried out. */
export const testKind = "test"

export const isAlertKind = (kind: string): kind is AlertKind =>
  (alertKinds as ReadonlyArray<string>).includes(kind)
