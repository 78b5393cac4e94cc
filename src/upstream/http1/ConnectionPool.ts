/** The connections to one provider: as many as there are calls under way, and those that wait for the next. */
import { type AnswerListener, Connection, type ConnectionKeeper } from "./Connection.ts"
import { type Origin, originOf } from "./open-socket.ts"
import type { AnswerHead } from "./read-head.ts"
import { requestText } from "./request-text.ts"

export interface PooledRequest {
  /** From the origin on, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/**
 * A new connection costs the first event two or three trips to another continent. Providers close idle ones later than this,
 * or say in `keep-alive` when they will, which is heeded.
 */
const idleMs = 30_000
const toldIdleMsMax = 600_000
/** Before the provider closes it: a call that goes out meanwhile would be lost. */
const marginMs = 2_000

export class ConnectionPool implements ConnectionKeeper {
  readonly #origin: Origin
  readonly #connections = new Set<Connection>()
  /** The one used last is used next, so that those which are too many grow old. */
  #idle: Array<Connection> = []

  /** `url`: the provider's origin. */
  constructor(url: string) {
    this.#origin = originOf(url)
  }

  /** `connectTimeoutMs`: for the whole way to a connection that can be used, where a new one is needed. */
  send({ body, headers, path }: PooledRequest, connectTimeoutMs: number, listener: AnswerListener): void {
    const head = requestText(this.#origin.host, path, headers, body.byteLength)
    if (head === undefined) return listener.onFailure("invalid request")
    const connection = this.#idle.pop() ?? this.#connect(connectTimeoutMs)
    connection.send({ head, body }, listener)
  }

  release(connection: Connection, { headers }: AnswerHead): void {
    const waitsMs = idleMsOf(headers["keep-alive"])
    if (waitsMs <= 0) return connection.close("idle")
    connection.idleUntilMs = Date.now() + waitsMs
    this.#idle.push(connection)
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place !== -1) this.#idle.splice(place, 1)
  }

  closeIdle(nowMs: number): void {
    const old = this.#idle.filter(({ idleUntilMs }) => idleUntilMs <= nowMs)
    if (old.length === 0) return
    this.#idle = this.#idle.filter(({ idleUntilMs }) => idleUntilMs > nowMs)
    for (const connection of old) connection.close("idle")
  }

  close(): void {
    for (const connection of this.#connections) connection.close("shutdown")
  }

  #connect(timeoutMs: number): Connection {
    const connection = new Connection(this.#origin, timeoutMs, this)
    this.#connections.add(connection)
    return connection
  }
}

const idleMsOf = (keepAlive: string | undefined): number => {
  const seconds = keepAlive === undefined ? undefined : /(?:^|[\t ,])timeout="?(\d+)/i.exec(keepAlive)?.[1]
  if (seconds === undefined) return idleMs
  return Math.min(Number(seconds) * 1000 - marginMs, toldIdleMsMax)
}
