/** Mail that is kept nowhere and that nobody waits for: what a server does not take for now is tried again, while this node lives. */
import { setTimeout as delay } from "node:timers/promises"
import { MailNotSent } from "./send-mail.ts"

/** A server that restarts is back within a minute; one that lets nobody in at first (greylisting) wants to be asked minutes later. */
const usualPausesMs = [20_000, 60_000, 300_000, 900_000]

/** They hold links, and memory; beyond, whoever misses a mail asks for another. */
const waitingMax = 200

export class MailAgain {
  readonly #pausesMs: ReadonlyArray<number>
  readonly #ended = new AbortController()
  #waiting = 0

  constructor(pausesMs: ReadonlyArray<number> = usualPausesMs) {
    this.#pausesMs = pausesMs
  }

  /** Fails as the first attempt does; others follow by themselves, as long as the mail `isWanted`. */
  async send(attempt: () => Promise<void>, isWanted: () => Promise<boolean>): Promise<void> {
    try {
      await attempt()
    } catch (cause) {
      if (isPassing(cause)) void this.#goOn(attempt, isWanted)
      throw cause
    }
  }

  close(): void {
    this.#ended.abort()
  }

  async #goOn(attempt: () => Promise<void>, isWanted: () => Promise<boolean>): Promise<void> {
    if (this.#waiting === waitingMax) return
    this.#waiting += 1
    try {
      for (const pause of this.#pausesMs) {
        await delay(pause, undefined, { ref: false, signal: this.#ended.signal })
        if (!(await isWanted()) || (await hasEnded(attempt))) return
      }
    } catch {
      // The node ends, or its database is away. That the mail was not sent has been said.
    } finally {
      this.#waiting -= 1
    }
  }
}

const isPassing = (cause: unknown): boolean => cause instanceof MailNotSent && cause.isPassing

const hasEnded = (attempt: () => Promise<void>): Promise<boolean> =>
  attempt().then(
    () => true,
    (cause: unknown) => !isPassing(cause)
  )
