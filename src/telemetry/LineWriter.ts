/** Writes log lines to a file descriptor without waiting for it, many lines to a write. A thread ends after its last one. */
import { write } from "node:fs"

/** What may wait in memory when nobody reads the log. */
const waitingBytesMax = 4 * 1024 * 1024
const retryMs = 20
/** How long lines are gathered into one write. */
const gatherMs = 10

export class LineWriter {
  readonly #descriptor: number
  #waiting: Array<string> = []
  #waitingBytes = 0
  #busy = false
  #dropped = 0
  readonly #describeDropped: (lines: number) => string

  /** `describeDropped` is the line that stands where lines were dropped. */
  constructor(descriptor: number, describeDropped: (lines: number) => string) {
    this.#descriptor = descriptor
    this.#describeDropped = describeDropped
  }

  /** `line` has no line end. */
  write(line: string): void {
    if (this.#waitingBytes > waitingBytesMax) {
      this.#dropped++
      return
    }
    this.#tellDropped()
    this.#add(line)
    if (this.#busy) return
    this.#busy = true
    setTimeout(() => this.#flush(), gatherMs)
  }

  #tellDropped(): void {
    if (this.#dropped > 0) this.#add(this.#describeDropped(this.#dropped))
    this.#dropped = 0
  }

  #add(line: string): void {
    this.#waiting.push(line)
    this.#waitingBytes += line.length + 1
  }

  #take(): Buffer {
    const text = this.#waiting.length === 0 ? "" : `${this.#waiting.join("\n")}\n`
    this.#waiting = []
    this.#waitingBytes = 0
    return Buffer.from(text)
  }

  #flush(): void {
    const bytes = this.#take()
    if (bytes.length === 0) {
      this.#busy = false
      return
    }
    this.#writeAll(bytes)
  }

  #writeAll(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      const rest = error === null ? bytes.subarray(written) : bytes
      if (error !== null && error.code !== "EAGAIN") this.#flush()
      else if (rest.length === 0) this.#flush()
      // A pipe that is full takes more later.
      else setTimeout(() => this.#writeAll(rest), error === null ? 0 : retryMs)
    })
  }
}
