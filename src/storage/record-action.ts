/** Writes down in the audit log what somebody did, customer or operator, in the transaction that does it. */
import type { AuditAction } from "../domain/audit-actions.ts"
import type { Transaction } from "./Database.ts"

export type ActionDetail = Readonly<Record<string, string | number | boolean | null>>

export interface Action {
  /** Who acted: the id of a person or of a management token; `cli`, or `first run`. */
  readonly actor: string
  readonly action: AuditAction
  /** The id of what it was done to. */
  readonly subject: string
  readonly detail?: ActionDetail
}

export const recordAction = async (
  transaction: Transaction,
  { action, actor, detail = {}, subject }: Action
): Promise<void> => {
  await transaction`insert into audit_log (actor, action, subject, detail)
    values (${actor}, ${action}, ${subject}, ${transaction.json(detail)})`
}
