/** How an attempt to deliver an alert ended, in the words of the API, where no server's number or code says so. */
export type DeliveryOutcome =
  | "sent"
  | "paused"
  | "too many mails"
  /** The webhook. */
  | "deleted"
  | "no member any more"
  | "no mail server"
  /** The mail, for a reason that has no code. */
  | "not sent"
  | "no secret"
  | "address not allowed"
  | "no answer in 10 s"
  | "address not found"
  | "connection refused"
  | "certificate not trusted"
  | "connection lost"
