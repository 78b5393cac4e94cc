/** What of the audit log an account may read, by what it is about. What is not here concerns operators or people alone. */
import type { AuditAction } from "./audit-actions.ts"

export const activities = {
  keys: ["key.create", "key.revoke", "key.rotate", "key.show", "key.update"],
  members: [
    "invitation.accept",
    "invitation.create",
    "invitation.withdraw",
    "member.budget",
    "member.leave",
    "member.remove",
    "member.role"
  ],
  tokens: ["token.create", "token.revoke"],
  alerts: ["account.alerts", "webhook.create", "webhook.delete", "webhook.rotate", "webhook.update"],
  money: ["account.bill", "wallet.credit"],
  account: ["account.close", "account.create", "account.disable", "account.enable"]
} as const satisfies Readonly<Record<string, ReadonlyArray<AuditAction>>>

export type ActivityKind = keyof typeof activities
export const activityKinds = Object.keys(activities) as ReadonlyArray<ActivityKind>
