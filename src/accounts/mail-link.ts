/** Mails a link, and keeps beside it what became of the mail, for whoever is asked why nothing came. */
import type { ConnectionPool } from "../storage/postgres/ConnectionPool.ts"
import { isLinkOpen, noteMail } from "../storage/people/open-links.ts"
import type { MailAgain } from "./mail-again.ts"
import { MailNotSent } from "./send-mail.ts"

export interface Mailing {
  readonly again: MailAgain
  readonly pool: ConnectionPool
}

/** `identifier`: of the link. Fails as `send` does at first, and never because that could not be kept. */
export const mailLink = (
  { again, pool }: Mailing,
  identifier: string,
  send: () => Promise<void>
): Promise<void> => {
  const note = (outcome: string) => pool.run((sql) => noteMail(sql, identifier, outcome)).catch(() => {})
  const attempt = async () => {
    try {
      await send()
    } catch (cause) {
      if (cause instanceof MailNotSent) await note(cause.outcome)
      throw cause
    }
    await note("sent")
  }
  return again.send(attempt, () => pool.run((sql) => isLinkOpen(sql, identifier)))
}
