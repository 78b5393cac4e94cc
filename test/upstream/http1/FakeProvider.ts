/**
 * A provider whose every socket is in a test's hands, in place of the system's. It forbids what no provider endures: a request on a
 * connection that carries another one, or that is no more.
 */
import { EventEmitter } from "node:events"
import { type OnReadOpts, Socket } from "node:net"
import { vi } from "vitest"

export class FakeSocket extends EventEmitter {
  isConnected = false
  isClosed = false
  isPaused = false
  /** The system takes all that is written. */
  takesMore = true
  /** The path of the request that is unanswered. */
  asked: string | undefined
  writableLength = 0
  /** The paths of all requests that have come. */
  readonly requests: Array<string> = []
  readonly #onread: OnReadOpts
  /** Of an answer that has begun. */
  #rest = ""

  constructor(onread: OnReadOpts) {
    super()
    this.#onread = onread
  }

  connect(): void {
    this.isConnected = true
    this.emit("connect")
  }

  /** What Node has read comes also where it is not to be read any more. */
  send(text: string): void {
    const { buffer, callback } = this.#onread
    const length = (buffer as Buffer).write(text, "latin1")
    callback(length, buffer as Buffer)
  }

  /** All of an answer, or what is still to come of it; or half of that. */
  answer({ headers = "", isWhole = true, status = 200 } = {}): void {
    const rest = this.#rest === "" ? answerOf(this.asked!, headers, status) : this.#rest
    const length = isWhole ? rest.length : Math.ceil(rest.length / 2)
    this.#rest = rest.slice(length)
    if (this.#rest === "") this.asked = undefined
    this.send(rest.slice(0, length))
  }

  /** Says that it had been idle for too long, and closes. */
  timeOut(): void {
    if (this.#rest !== "") return
    this.asked = undefined
    this.send("HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
    this.emit("end")
  }

  drain(): void {
    this.takesMore = true
    this.writableLength = 0
    this.emit("drain")
  }

  fail(code: string): void {
    this.emit("error", Object.assign(new Error(code), { code }))
    this.destroy()
  }

  write(bytes: Uint8Array | string): boolean {
    if (!this.isConnected || this.isClosed) throw new Error("written to a connection that is not there")
    if (!this.takesMore) this.writableLength += bytes.length
    const [, path] =
      /^POST (\S+) HTTP\/1\.1\r\n/.exec(Buffer.from(bytes as string).toString("latin1", 0, 40)) ?? []
    if (path === undefined) return this.takesMore
    if (this.asked !== undefined) throw new Error("a request came before the one before was answered")
    if (this.writableLength > bytes.length) throw new Error("a request came behind one that is not taken")
    this.asked = path
    this.requests.push(path)
    return this.takesMore
  }

  destroy(): void {
    if (this.isClosed) return
    this.isClosed = true
    setImmediate(() => this.emit("close"))
  }

  pause(): void {
    this.isPaused = true
  }

  resume(): void {
    this.isPaused = false
  }

  cork(): void {}

  uncork(): void {}

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }
}

const answerOf = (body: string, headers: string, status: number) =>
  `HTTP/1.1 ${status} Said\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`

/** Every socket that is opened from now on; until mocks are restored. */
export const meetSockets = (): ReadonlyArray<FakeSocket> => {
  const sockets: Array<FakeSocket> = []
  vi.spyOn(Socket.prototype, "connect").mockImplementation(((args: [{ readonly onread: OnReadOpts }]) => {
    const socket = new FakeSocket(args[0].onread)
    sockets.push(socket)
    return socket
  }) as never)
  return sockets
}
