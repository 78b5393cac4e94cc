/**
 * The end of a connection whose client was answered while it was still sending. Closed at once, its sending would fail,
 * and most clients would never read the answer: so what is on its way is taken for a moment, and thrown away (RFC 9112
 * §9.6).
 */
import type { Intake } from "./Intake.ts"
import { bytesPerReadMax, type ReadPace } from "./ReadPace.ts"

/** Who sends nothing for so long has read the answer, or will not. */
const silenceMs = 1_000
const silencesMax = 3

const reading = { bytes: bytesPerReadMax, mayFlood: true }

export class Lingering {
  readonly #intake: Intake
  readonly #pace: ReadPace
  readonly #close: () => void
  readonly #timer: NodeJS.Timeout
  #moved = false
  #checks = 0
  #ended = false
  /** Bytes that were asked for to be read, while more of them may come. */
  #reading = 0
  #waits = false

  /** `close` is called once, unless `end` is called before. */
  constructor(intake: Intake, pace: ReadPace, close: () => void) {
    this.#intake = intake
    this.#pace = pace
    this.#close = close
    this.#timer = setInterval(() => this.#check(), silenceMs)
    this.#read()
  }

  receive(bytes: number, isLast: boolean): void {
    if (this.#ended) return
    this.#moved = true
    this.#pace.came(undefined, bytes, this.#reading)
    this.#reading = 0
    if (isLast) this.#finish()
    else this.#read()
  }

  /** The connection is gone. */
  end(): void {
    this.#ended = true
    clearInterval(this.#timer)
  }

  #read(): void {
    // One read may bring many chunks: it waits for its turn once.
    if (this.#waits) return
    this.#waits = true
    const goOn = () => {
      this.#waits = false
      this.#reading = bytesPerReadMax
      if (!this.#ended) this.#intake.resume()
    }
    if (this.#pace.ask(undefined, reading, goOn)) goOn()
    else this.#intake.pause()
  }

  #check(): void {
    this.#checks++
    const isSilent = !this.#moved && !this.#intake.paused
    this.#moved = false
    if (isSilent || this.#checks >= silencesMax) this.#finish()
  }

  #finish(): void {
    this.end()
    this.#close()
  }
}
