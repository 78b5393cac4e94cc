/** Sends a mail by the server of the settings, by way of a proxy where one leads there. */
import { chooseProxy, placeOf, type Proxies } from "../config/choose-proxy.ts"
import type { MailSettings } from "../config/settings.ts"
import { openTunnel } from "../outgoing/open-tunnel.ts"
import { trustSystem } from "../outgoing/trust-system.ts"

/** No absence note answers what a program has sent: RFC 3834 §5. */
const headers = { "Auto-Submitted": "auto-generated" }

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000 }
/** Between answers of the server, where a person may be waiting. */
const silenceMsMax = 20_000

export interface MailServer extends MailSettings {
  readonly proxies: Proxies
}

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Without angle brackets; a mail that is sent twice has the same. */
  readonly messageId?: string
}

/** A server's own words may hold anything, the mail and its links too: `outcome` says by number or code what they come to. */
export class MailNotSent extends Error {
  readonly outcome: string

  constructor(cause: unknown) {
    const outcome = outcomeOf(cause)
    super(`a mail could not be sent: ${outcome}`)
    this.name = "MailNotSent"
    this.outcome = outcome
  }
}

const outcomeOf = (cause: unknown): string => {
  const { code, responseCode } = cause as { readonly code?: unknown; readonly responseCode?: unknown }
  if (typeof responseCode === "number") return `SMTP ${responseCode}`
  return typeof code === "string" ? code : "not sent"
}

/** Fails with nothing but `MailNotSent`. */
export const sendMail = async (
  mail: MailServer,
  { messageId, subject, text, to }: Mail,
  socketTimeout = silenceMsMax
): Promise<void> => {
  const { createTransport } = await import("nodemailer")
  trustSystem()
  const place = placeOf(mail.url)
  const proxy = chooseProxy(mail.proxies, place)
  const options = { url: mail.url, ...timeLimits, socketTimeout }
  const transport =
    proxy === undefined
      ? createTransport(options)
      : createTransport({
          ...options,
          getSocket: (_, done) => {
            openTunnel(proxy, place, timeLimits.connectionTimeout, (failure, connection) =>
              failure === undefined ? done(null, { connection }) : done(failure, false)
            )
          }
        })
  try {
    const named = messageId === undefined ? {} : { messageId: `<${messageId}>` }
    await transport.sendMail({ from: mail.from, to, subject, text, headers, ...named })
  } catch (cause) {
    throw new MailNotSent(cause)
  } finally {
    transport.close()
  }
}
