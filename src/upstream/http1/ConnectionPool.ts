/** The connections to one provider: as many as there are calls under way, and those that wait for the next. */
import { WaitingLine } from "../../collections/WaitingLine.ts"
import { Connection, type ConnectionKeeper, type ConnectionPhase } from "./Connection.ts"
import { type AnswerListener, Delivery, type Dispatcher } from "./Delivery.ts"
import type { Endpoint } from "./Endpoint.ts"
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
/** Before the provider closes it: a call that goes out meanwhile would have to go out twice. */
const marginMs = 2_000

/** A handshake takes both sides a millisecond of CPU, and a provider that has just come back has all of them to make. */
const connectingMax = 64

export class ConnectionPool implements ConnectionKeeper, Dispatcher {
  readonly #endpoint: Endpoint
  readonly #connections = new Set<Connection>()
  #connecting = 0
  /** The one used last is used next, so that those which are too many grow old. */
  #idle: Array<Connection> = []
  /** Idle since this turn of the event loop. */
  #fresh: Array<Connection> = []
  /** Each gets the first connection that is free, new or used. */
  readonly #waiting = new WaitingLine<Delivery>()
  /** Each gets the first connection that is new. */
  readonly #waitingAgain = new WaitingLine<Delivery>()
  #connectTimeoutMs = 0
  #isTurning = false
  #isClosed = false

  constructor(endpoint: Endpoint) {
    this.#endpoint = endpoint
  }

  /** `connectTimeoutMs`: for the whole way to a connection that can be used, where none is idle. */
  send({ body, headers, path }: PooledRequest, connectTimeoutMs: number, listener: AnswerListener): Delivery {
    const head = requestText(this.#endpoint.host, path, headers, body.byteLength)
    const delivery = new Delivery(this, { head: head ?? "", body }, connectTimeoutMs, listener)
    this.#connectTimeoutMs = connectTimeoutMs
    if (head === undefined) delivery.fail("invalid request")
    // A call that goes on to its next route, say: a connection made now would outlive everybody.
    else if (this.#isClosed) delivery.fail("shutdown")
    else this.#wait(delivery)
    return delivery
  }

  sendAgain(delivery: Delivery): void {
    if (this.#isClosed) return delivery.fail("shutdown")
    delivery.place = this.#waitingAgain.add(delivery)
    delivery.limitWait()
    this.#openAsNeeded()
  }

  giveUp(delivery: Delivery): void {
    const line = delivery.isSecond ? this.#waitingAgain : this.#waiting
    line.leave(delivery.place)
  }

  connected(connection: Connection): void {
    this.#connecting--
    const delivery = this.#waitingAgain.take() ?? this.#waiting.take()
    if (delivery !== undefined) return delivery.goOut(connection, false)
    connection.idleUntilMs = Date.now() + idleMs
    this.#idle.push(connection)
  }

  release(connection: Connection, { headers }: AnswerHead): void {
    const waitsMs = idleMsOf(headers["keep-alive"])
    if (waitsMs <= 0) return connection.close("idle")
    connection.idleUntilMs = Date.now() + waitsMs
    this.#fresh.push(connection)
    this.#turnSoon()
  }

  closed(connection: Connection, phase: ConnectionPhase, reason: string): void {
    this.#connections.delete(connection)
    if (phase === "connecting") {
      this.#connecting--
      if (this.#missing > 0) (this.#waitingAgain.take() ?? this.#waiting.take())?.fail(reason)
    } else if (phase === "idle") {
      remove(this.#fresh, connection)
      remove(this.#idle, connection)
      // They have counted on it.
      for (const delivery of this.#waiting) delivery.limitWait()
    }
    this.#openAsNeeded()
  }

  closeIdle(nowMs: number): void {
    const old = this.#idle.filter(({ idleUntilMs }) => idleUntilMs <= nowMs)
    if (old.length === 0) return
    this.#idle = this.#idle.filter(({ idleUntilMs }) => idleUntilMs > nowMs)
    for (const connection of old) connection.close("idle")
  }

  close(): void {
    this.#isClosed = true
    for (const line of [this.#waitingAgain, this.#waiting])
      for (let each = line.take(); each !== undefined; each = line.take()) each.fail("shutdown")
    for (const connection of this.#connections) connection.close("shutdown")
  }

  get #free(): number {
    return this.#idle.length + this.#fresh.length
  }

  /** How many connections those that wait need beside those that are free or being made. */
  get #missing(): number {
    const waiting = Math.max(0, this.#waiting.length - this.#free)
    return this.#waitingAgain.length + waiting - this.#connecting
  }

  #wait(delivery: Delivery): void {
    delivery.place = this.#waiting.add(delivery)
    if (this.#waiting.length > this.#free) {
      delivery.limitWait()
      this.#openAsNeeded()
    }
    if (this.#free > 0) this.#turnSoon()
  }

  #openAsNeeded(): void {
    if (this.#isClosed) return
    while (this.#missing > 0 && this.#connecting < connectingMax) {
      this.#connecting++
      this.#connections.add(new Connection(this.#endpoint, this.#connectTimeoutMs, this))
    }
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
    while (this.#idle.length > 0 && this.#waiting.length > 0)
      this.#waiting.take()!.goOut(this.#idle.pop()!, true)
    for (const connection of this.#fresh) this.#idle.push(connection)
    this.#fresh = []
    if (this.#idle.length > 0 && this.#waiting.length > 0) this.#turnSoon()
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
