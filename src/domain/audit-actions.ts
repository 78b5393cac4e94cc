/** What the audit log tells of, as noun and verb. */
export const auditActions = [
  "account.alerts",
  "account.bill",
  "account.close",
  "account.create",
  "account.disable",
  "account.enable",
  "account.role",
  "invoice.retry",
  "key.create",
  "key.revoke",
  "key.rotate",
  "key.show",
  "key.update",
  "model.override",
  "person.email",
  "person.rename",
  "person.reset_link",
  "route.set",
  "setting.write",
  "token.create",
  "token.revoke",
  "transfer.assign",
  "wallet.credit",
  "webhook.create",
  "webhook.delete",
  "webhook.rotate",
  "webhook.update"
] as const

export type AuditAction = (typeof auditActions)[number]
