/** Mails a link, and keeps beside it what became of the mail, for whoever is asked why nothing came. */
import type { ConnectionPool } from "../storage/postgres/ConnectionPool.ts"
import { noteMail } from "../storage/people/open-links.ts"
import { MailNotSent } from "./send-mail.ts"

/** `identifier`: of the link. Fails as `send` does, and never because that could not be kept. */
export const mailLink = async (
  pool: ConnectionPool,
  identifier: string,
  send: () => Promise<void>
): Promise<void> => {
  const note = (outcome: string) => pool.run((sql) => noteMail(sql, identifier, outcome)).catch(() => {})
  try {
    await send()
  } catch (cause) {
    if (cause instanceof MailNotSent) await note(cause.outcome)
    throw cause
  }
  await note("sent")
}
