/** Sends a stream's frames one by one, at the reader's pace, with whatever the settings do to them on the way. */
import { pieceBytesMax } from "../../sockets/in-pieces.ts"
import type { LocalExchange } from "../../sockets/LocalExchange.ts"
import type { Settings } from "../settings.ts"
import { byteLength, type Frame, type StreamAnswer, toBuffer } from "./Answer.ts"

/** A reader as fast as the sender must not keep the thread from everyone else. */
const burstBytesMax = 256 * 1024

/** What the chunked encoding adds to a frame, at most. */
const framingBytesMax = 16

/** `sent` hears of bytes as they go, `done` of the end. Gives back what stops it. */
export const deliverStream = (
  exchange: LocalExchange,
  answer: StreamAnswer,
  settings: Settings,
  sent: (bytes: number) => void,
  done: () => void
): (() => void) => {
  const delivery = new Delivery(exchange, answer, settings, sent, done)
  exchange.cork(() => {
    exchange.begin(answer.status, answer.headers)
    delivery.start()
  })
  delivery.run()
  return () => delivery.stop()
}

/** Nothing is sent now; somebody else decides whether anything ever is. */
const wait = Symbol("wait")
type Next = Frame | undefined | typeof wait

class Delivery {
  #timer: NodeJS.Timeout | undefined
  /** So far. */
  #events = 0
  /** What goes before the next event: rests of frames, pings, the frames of a failure. */
  #queue: Array<Frame> = []
  /** No event follows. */
  #ended = false
  /** Nothing is sent any more, though the answer has not ended. */
  #halted = false
  /** A timer goes on. */
  #waiting = false
  /** The reader has to catch up first. */
  #stalled = false
  readonly #exchange: LocalExchange
  readonly #answer: StreamAnswer
  readonly #settings: Settings
  readonly #sent: (bytes: number) => void
  readonly #done: () => void

  constructor(
    exchange: LocalExchange,
    answer: StreamAnswer,
    settings: Settings,
    sent: (bytes: number) => void,
    done: () => void
  ) {
    this.#exchange = exchange
    this.#answer = answer
    this.#settings = settings
    this.#sent = sent
    this.#done = done
  }

  start(): void {
    const { first, hang } = this.#settings
    this.#exchange.whenWritable(() => {
      this.#stalled = false
      this.run()
    })
    if (first === 0 && hang !== "first") return void this.#runCorked()
    this.#openBody()
    if (hang === "first") this.#halted = true
    else this.#later(first)
  }

  /** Sends until the reader or a setting says to wait. */
  run(): void {
    let burst = 0
    let more = !this.#waiting && !this.#stalled
    while (more && this.#exchange.isOpen) {
      more = false
      this.#exchange.cork(() => {
        const written = this.#runCorked()
        more = written > 0
        burst += written
      })
      if (!more || burst < burstBytesMax) continue
      this.#waiting = true
      setImmediate(() => this.#resume())
      return
    }
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#answer.frames.return?.()
  }

  /** Headers leave with the first byte of the body only; one byte is no event yet. */
  #openBody(): void {
    const frame = this.#next()
    if (frame === undefined || frame === wait) return
    const bytes = toBuffer(frame)
    this.#queue.unshift(bytes.subarray(1))
    this.#put(bytes.subarray(0, 1), 1)
  }

  #later(ms: number): void {
    this.#waiting = true
    this.#timer = setTimeout(() => this.#resume(), ms)
  }

  #resume(): void {
    this.#waiting = false
    this.run()
  }

  /** Fills one cork. Gives the bytes written if more may follow at once, else 0. */
  #runCorked(): number {
    let written = 0
    while (this.#exchange.isOpen && !this.#halted) {
      const frame = this.#take()
      if (frame === wait) return 0
      if (frame === undefined) return this.#finish()
      const bytes = byteLength(frame)
      if (written > 0 && written + bytes + framingBytesMax > pieceBytesMax) {
        this.#queue.unshift(frame)
        return written
      }
      written += bytes + framingBytesMax
      if (!this.#put(frame, bytes)) return 0
      const pause = this.#settings.drip?.everyMs ?? this.#settings.interval
      if (pause > 0) {
        this.#later(pause)
        return 0
      }
    }
    return written
  }

  #put(frame: Frame, bytes: number): boolean {
    this.#sent(bytes)
    const roomLeft = this.#exchange.write(frame)
    this.#stalled = !roomLeft
    return roomLeft
  }

  /** What is sent next: a frame, or a piece of one that is large, or with `drip` a small piece. */
  #take(): Next {
    const frame = this.#queue.shift() ?? this.#next()
    if (frame === undefined || frame === wait) return frame
    const bytesMax = Math.min(this.#settings.drip?.bytes ?? Infinity, pieceBytesMax - framingBytesMax)
    if (byteLength(frame) <= bytesMax) return frame
    const bytes = toBuffer(frame)
    this.#queue.unshift(bytes.subarray(bytesMax))
    return bytes.subarray(0, bytesMax)
  }

  /** The next event, or what a setting makes of it. */
  #next(): Next {
    if (this.#ended) return undefined
    const settings = this.#settings
    const { wire } = this.#answer
    if (this.#events === settings.hang) return this.#halt()
    if (this.#events === settings.cutAfter) return this.#cut()
    if (this.#events === settings.endAfter) return this.#end([])
    if (this.#events === settings.failAfter) return this.#fail()
    const next = this.#events === settings.rubbishAfter ? wire.rubbish : undefined
    const frame = next ?? this.#answer.frames.next().value
    this.#events++
    if (frame === undefined) return undefined
    if (settings.ping !== undefined && this.#events % settings.ping === 0 && wire.ping !== undefined)
      this.#queue.push(this.#dress(wire.ping))
    return this.#dress(frame)
  }

  #dress(frame: Frame): Frame {
    if (!this.#answer.wire.textual || typeof frame !== "string") return frame
    const commented = this.#settings.comments ? `${frame}: the simulator is well\n\n` : frame
    return this.#settings.crlf ? commented.replaceAll("\n", "\r\n") : commented
  }

  #end(frames: ReadonlyArray<Frame>): Frame | undefined {
    this.#ended = true
    this.#queue.push(...frames.slice(1))
    return frames[0]
  }

  /** A wire without a place for errors breaks off. */
  #fail(): Next {
    const frames = this.#answer.wire.failure()
    return frames.length === 0 ? this.#cut() : this.#end(frames)
  }

  /** What has been written goes out first: the reader sees exactly so many events and then a broken connection. */
  #cut(): typeof wait {
    setImmediate(() => this.#exchange.destroy())
    return this.#halt()
  }

  #halt(): typeof wait {
    this.#halted = true
    return wait
  }

  #finish(): 0 {
    this.#exchange.end()
    this.#done()
    return 0
  }
}
