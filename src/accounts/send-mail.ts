/** Sends a mail by the server of the settings, by way of a proxy where one leads there. */
import { chooseProxy, isLoopback, type Place, placeOf, type Proxies } from "../config/choose-proxy.ts"
import type { MailSettings } from "../config/settings.ts"
import { openTunnel } from "../outgoing/open-tunnel.ts"
import { trustSystem } from "../outgoing/trust-system.ts"

/** No absence note answers what a program has sent: RFC 3834 §5. */
const headers = { "Auto-Submitted": "auto-generated" }

const timeLimits = { connectionTimeout: 10_000, greetingTimeout: 10_000 }

export interface Patience {
  /** Between what the server says. */
  readonly silenceMsMax: number
  /** Altogether: a server may say something again and again, and never end. */
  readonly mailMsMax: number
}

/** A person may be waiting. */
const patienceOfPeople: Patience = { silenceMsMax: 20_000, mailMsMax: 120_000 }

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
  /** Nobody has such an address, or not any more, says the server. */
  readonly isOfNobody: boolean
  /** It may be taken in some minutes: the server has not said that it never will be. */
  readonly isPassing: boolean

  constructor(cause: unknown) {
    const outcome = outcomeOf(cause as Failure)
    super(`a mail could not be sent: ${outcome}`)
    this.name = "MailNotSent"
    this.outcome = outcome
    this.isOfNobody = isOfNobody(cause as Failure)
    this.isPassing = !outcome.startsWith("SMTP 5")
  }
}

/** As nodemailer has it. */
interface Failure {
  readonly code?: unknown
  /** Of the connection; `code` says of all of these `ESOCKET`. */
  readonly originalCode?: unknown
  readonly command?: unknown
  readonly response?: unknown
  readonly responseCode?: unknown
}

const outcomeOf = ({ code, originalCode, responseCode }: Failure): string => {
  // Also where a server that is asked for TLS all the same answers by a number.
  if (code === "ETLS") return "no TLS"
  if (typeof responseCode === "number") return `SMTP ${responseCode}`
  if (typeof originalCode === "string") return originalCode
  return typeof code === "string" ? code : "not sent"
}

/**
 * Only where the server says so by its enhanced status code (RFC 3463): 550 alone may mean as well that it relays nothing for us, which
 * an operator mends.
 */
const isOfNobody = ({ command, response }: Failure): boolean =>
  command === "RCPT TO" && /^5\d\d[ -]5\.(?:1\.(?:[1-6]|10)|2\.1)\b/.test(String(response))

/** Fails with nothing but `MailNotSent`. */
export const sendMail = async (
  mail: MailServer,
  { messageId, subject, text, to }: Mail,
  { mailMsMax, silenceMsMax }: Patience = patienceOfPeople
): Promise<void> => {
  const { createTransport } = await import("nodemailer")
  trustSystem()
  const place = placeOf(mail.url)
  const proxy = chooseProxy(mail.proxies, place)
  const options = { ...securityOf(mail.url, place), ...timeLimits, socketTimeout: silenceMsMax }
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
  const signal = AbortSignal.timeout(mailMsMax)
  try {
    const named = messageId === undefined ? {} : { messageId: `<${messageId}>` }
    await transport.sendMail({ from: senderOf(mail.from), to, subject, text, headers, signal, ...named })
  } catch (cause) {
    throw new MailNotSent(signal.aborted ? { code: "ETIMEDOUT" } : cause)
  } finally {
    transport.close()
  }
}

/** `url` has the last word: of the other options, it may name each one. */
const securityOf = (
  text: string,
  { hostname, port }: Place
): { readonly url: string; readonly requireTLS: boolean } => {
  const { password, searchParams, username } = new URL(text)
  const leavesPlain = searchParams.has("requireTLS") || searchParams.has("ignoreTLS")
  return {
    // There TLS comes first, whatever the address begins with (RFC 8314, section 7.3).
    url: port === 465 ? text.replace(/^smtp:/i, "smtps:") : text,
    // Whoever is in between could strike out the server's offer of TLS and read the password (RFC 3207, section 6).
    requireTLS: username + password !== "" && !leavesPlain && !isLoopback(hostname)
  }
}

/** A name as it is: with a colon in it nodemailer would make it a group of addresses, which no mail comes from. */
const senderOf = (from: string): string | { readonly name: string; readonly address: string } => {
  const [, name = "", address] = /^(.*)<([^<>]+)>$/.exec(from.trim()) ?? []
  if (address === undefined) return from.trim()
  return {
    name: name
      .trim()
      .replace(/^"(.*)"$/, "$1")
      .replaceAll(/\\(.)/g, "$1"),
    address
  }
}
