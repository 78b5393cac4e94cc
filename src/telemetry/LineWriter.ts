/**
 * Writes log lines to a file descriptor without waiting for it, many lines to a write. A thread ends after its last one.
 * What a full pipe, a full disk or a failing one does not take is kept, in order, and tried again.
 */
import { write as writeBytes } from "node:fs"

/** What may wait in memory when nobody reads the log. */
const waitingBytesMax = 4 * 1024 * 1024
const retryMs = 20
/** How long a disk that is full or fails is left alone. */
const failedRetryMs = 1_000
/** How long lines are gathered into one write. */
const gatherMs = 10

export class LineWriter {
  readonly #descriptor: number
  #waiting: Array<string> = []
  #waitingBytes = 0
  #busy = false
  #dropped = 0
  readonly #describeDropped: (lines: number) => string
  readonly #writeBytes: WriteBytes

  /** `describeDropped` is the line that stands where lines were dropped. */
  constructor(
    descriptor: number,
    describeDropped: (lines: number) => string,
    write: WriteBytes = writeBytes
  ) {
    this.#descriptor = descriptor
    this.#describeDropped = describeDropped
    this.#writeBytes = write
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
    this.#writeBytes(this.#descriptor, bytes, (error, written) => {
      if (error !== null) this.#failed(error, bytes)
      else if (written < bytes.length) this.#writeAll(bytes.subarray(written))
      else this.#flush()
    })
  }

  #failed({ code }: NodeJS.ErrnoException, bytes: Buffer): void {
    const again = () => this.#writeAll(bytes)
    if (code === "EAGAIN") setTimeout(again, retryMs)
    else if (code !== undefined && nobodyReads.has(code)) this.#drop(bytes)
    // A thread whose log can not be written may end all the same.
    else setTimeout(again, failedRetryMs).unref()
  }

  #drop(bytes: Buffer): void {
    this.#dropped += bytes.reduce((lines, byte) => (byte === lineFeed ? lines + 1 : lines), 0)
    this.#flush()
  }
}

type WriteBytes = (
  descriptor: number,
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void
) => void

/** The reader of the pipe is gone, or the descriptor is closed: no later write goes better. */
const nobodyReads: ReadonlySet<string> = new Set(["EPIPE", "EBADF"])
const lineFeed = 10
