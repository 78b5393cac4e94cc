/** The connections to one provider: as many as there are calls under way, and those that wait for the next. */
import { type AnswerListener, Connection, type ConnectionKeeper, type Outgoing } from "./Connection.ts"
import { type Origin, originOf } from "./open-socket.ts"
import type { AnswerHead } from "./read-head.ts"
import { requestText } from "./request-text.ts"

export interface PooledRequest {
  /** From the origin on, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** A call that one of the idle connections is to carry. */
interface WaitingCall {
  readonly outgoing: Outgoing
  readonly connectTimeoutMs: number
  readonly listener: AnswerListener
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
  /** Idle since this turn of the event loop. */
  #fresh: Array<Connection> = []
  #waiting: Array<WaitingCall> = []
  #isTurning = false
  #isClosed = false

  /** `url`: the provider's origin. */
  constructor(url: string) {
    this.#origin = originOf(url)
  }

  /** `connectTimeoutMs`: for the whole way to a connection that can be used, where a new one is needed. */
  send({ body, headers, path }: PooledRequest, connectTimeoutMs: number, listener: AnswerListener): void {
    const head = requestText(this.#origin.host, path, headers, body.byteLength)
    if (head === undefined) return listener.onFailure("invalid request")
    // A call that goes on to its next route, say: a connection made now would outlive everybody.
    if (this.#isClosed) return listener.onFailure("shutdown")
    const outgoing = { head, body }
    if (this.#waiting.length >= this.#idle.length + this.#fresh.length)
      return this.#connect(connectTimeoutMs).send(outgoing, listener)
    this.#waiting.push({ outgoing, connectTimeoutMs, listener })
    this.#turnSoon()
  }

  release(connection: Connection, { headers }: AnswerHead): void {
    const waitsMs = idleMsOf(headers["keep-alive"])
    if (waitsMs <= 0) return connection.close("idle")
    connection.idleUntilMs = Date.now() + waitsMs
    this.#fresh.push(connection)
    this.#turnSoon()
  }

  forget(connection: Connection): void {
    if (!this.#connections.delete(connection)) return
    remove(this.#fresh, connection)
    remove(this.#idle, connection)
  }

  closeIdle(nowMs: number): void {
    const old = this.#idle.filter(({ idleUntilMs }) => idleUntilMs <= nowMs)
    if (old.length === 0) return
    this.#idle = this.#idle.filter(({ idleUntilMs }) => idleUntilMs > nowMs)
    for (const connection of old) connection.close("idle")
  }

  close(): void {
    this.#isClosed = true
    for (const { listener } of this.#waiting.splice(0)) listener.onFailure("shutdown")
    for (const connection of this.#connections) connection.close("shutdown")
  }

  /**
   * An idle connection carries a call only once everything was read that has come: some providers close without a word behind
   * their answer, and a late byte would be taken for the call's own answer. One loop of events lies between each two turns.
   */
  #turnSoon(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isTurning = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const call of waiting) {
      const connection = this.#idle.pop()
      if (connection !== undefined) connection.send(call.outgoing, call.listener)
      else if (this.#waiting.length < this.#fresh.length) this.#waiting.push(call)
      else this.#connect(call.connectTimeoutMs).send(call.outgoing, call.listener)
    }
    for (const connection of this.#fresh) this.#idle.push(connection)
    this.#fresh = []
    if (this.#waiting.length > 0) this.#turnSoon()
  }

  #connect(timeoutMs: number): Connection {
    const connection = new Connection(this.#origin, timeoutMs, this)
    this.#connections.add(connection)
    return connection
  }
}

const remove = (connections: Array<Connection>, connection: Connection): void => {
  const place = connections.indexOf(connection)
  if (place !== -1) connections.splice(place, 1)
}

const idleMsOf = (keepAlive: string | undefined): number => {
  const seconds = keepAlive === undefined ? undefined : /(?:^|[\t ,])timeout="?(\d+)/i.exec(keepAlive)?.[1]
  if (seconds === undefined) return idleMs
  return Math.min(Number(seconds) * 1000 - marginMs, toldIdleMsMax)
}
