/**
 * The end of a connection whose client was answered while it was still sending. Closed at once, its sending would fail,
 * and most clients would never read the answer: so what is on its way is taken for a moment, and thrown away (RFC 9112
 * §9.6).
 */
import { type Line, placeFor } from "../collections/Line.ts"
import type { Intake } from "./Intake.ts"
import { bytesPerReadMax, type ReadPace } from "./ReadPace.ts"

/**
 * Who sends nothing for so long has read the answer, or will not; and who never stops is let go of in the end. A client
 * that is short of time, or whose packets are lost, is silent for a second easily, and has to send all of a large file
 * before it looks for the answer: both are nginx's `lingering_timeout` and `lingering_time`.
 */
const silenceMs = 5_000
const silencesMax = 6

const reading = { bytes: bytesPerReadMax, mayFlood: true }

export class Lingering {
  readonly #intake: Intake
  readonly #pace: ReadPace
  readonly #close: () => void
  readonly #timer: NodeJS.Timeout
  readonly #place = placeFor<Lingering>(this)
  #moved = false
  #checks = 0
  #ended = false
  /** Bytes that were asked for to be read, while more of them may come. */
  #reading = 0
  #waits = false

  /** In `line` until its end. `close` is called once, unless `end` is called before. */
  constructor(intake: Intake, pace: ReadPace, line: Line<Lingering>, close: () => void) {
    this.#intake = intake
    this.#pace = pace
    this.#close = close
    line.join(this.#place)
    this.#timer = setInterval(() => this.#check(), silenceMs)
    this.#read()
  }

  receive(bytes: number, isLast: boolean): void {
    if (this.#ended) return
    this.#moved = true
    this.#pace.came(undefined, bytes, this.#reading)
    this.#reading = 0
    if (isLast) this.finish()
    else this.#read()
  }

  /** The connection is to go, whatever of it is read. */
  finish(): void {
    this.end()
    this.#close()
  }

  /** The connection is gone. */
  end(): void {
    this.#ended = true
    this.#place.line?.leave(this.#place)
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
    if (isSilent || this.#checks >= silencesMax) this.finish()
  }
}
