/** A server that takes mail for anybody and keeps it. */
import { SMTPServer } from "smtp-server"
import { listen } from "../listen.ts"

export interface TakenMail {
  readonly to: string
  /** Headers and body as they came. */
  readonly text: string
}

export interface MailServer {
  /** For `SMTP_URL`. */
  readonly url: string
  readonly taken: ReadonlyArray<TakenMail>
  /** Waits until so many mails to this address have come. */
  readonly next: (count: number, to: string) => Promise<ReadonlyArray<TakenMail>>
  /** So many of the next mails are refused for now, in words that quote whom they are for and where their links lead. */
  readonly refuse: (mails: number) => void
  /** It says so late that it has taken a mail. */
  readonly answerAfter: (ms: number) => void
  readonly stop: () => void
}

export const startMailServer = async (): Promise<MailServer> => {
  const taken: Array<TakenMail> = []
  const waiting = new Set<() => void>()
  let refusals = 0
  let answersAfterMs = 0
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk: Buffer) => void chunks.push(chunk))
      stream.on("end", () => {
        const [to] = session.envelope.rcptTo
        if (refusals > 0) {
          refusals -= 1
          return done(Object.assign(new Error(`try later: ${quoteOf(to, chunks)}`), { responseCode: 451 }))
        }
        taken.push({ to: to?.address ?? "", text: Buffer.concat(chunks).toString() })
        for (const look of waiting) look()
        setTimeout(done, answersAfterMs)
      })
    }
  })
  smtp.on("error", () => {})
  const port = await listen(smtp.server)
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    next: (count, to) =>
      new Promise((resolve) => {
        const look = () => {
          const own = taken.filter((mail) => mail.to === to)
          if (own.length < count) return
          waiting.delete(look)
          resolve(own)
        }
        waiting.add(look)
        look()
      }),
    refuse: (mails) => {
      refusals = mails
    },
    answerAfter: (ms) => {
      answersAfterMs = ms
    },
    stop: () => void smtp.close(() => {})
  }
}

/** As filters of addresses have it. */
const quoteOf = (to: { readonly address: string } | undefined, chunks: ReadonlyArray<Buffer>): string => {
  const text = Buffer.concat(chunks).toString().replaceAll("=\r\n", "").replaceAll("=3D", "=")
  return `<${to?.address}> ${/https?:\S+/.exec(text)?.[0] ?? ""}`
}
