/** Tells every running node of a change, in the transaction that makes it. */
import type { KeyId } from "../domain/ids.ts"
import type { Transaction } from "./Database.ts"

type EventKind =
  /** Subject: the key that was changed or revoked, or whose maker's budget changed. */
  | "key"
  /** Subject: the account whose wallet was credited or corrected. */
  | "wallet"
  /** Subject: the account that was disabled or enabled. */
  | "account"
  | "maintenance"
  | "models"
  /** What operators say of routes to providers has changed. */
  | "routes"
  /** A question, subject: the account; each node answers in node_answers how many µVND of its wallet it holds. */
  | "held"

/** The event's id, for `awaitNodes`. Call it last in a transaction, since it holds up other announcements until the end. */
export const announceEvent = async (
  transaction: Transaction,
  kind: EventKind,
  subject = ""
): Promise<bigint> => {
  const [event] = await transaction<[{ id: bigint }]>`select emit_event(${kind}, ${subject}) as id`
  return event.id
}

/** Of each of these keys; the last one's event, `undefined` where there are none. */
export const announceKeys = async (
  transaction: Transaction,
  keyIds: ReadonlyArray<KeyId>
): Promise<bigint | undefined> => {
  let eventId: bigint | undefined
  for (const keyId of keyIds) eventId = await announceEvent(transaction, "key", keyId)
  return eventId
}
