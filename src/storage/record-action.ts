/** Writes down what an operator did, in the transaction that does it. */
import type { Transaction } from "./Database.ts"

export type ActionDetail = Readonly<Record<string, string | number | boolean | null>>

export interface Action {
  /** Who acted: `cli`, or the account of an operator. */
  readonly actor: string
  /** What was done, as noun and verb: `key.revoke`. */
  readonly action: string
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
