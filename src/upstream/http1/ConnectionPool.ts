/** The connections to one provider: as many as there are calls under way, and those that wait for the next. */
import { WaitingLine } from "../../collections/WaitingLine.ts"
import { steadyMs } from "../../telemetry/steady-clock.ts"
import { Connection, type ConnectionKeeper, type ConnectionPhase } from "./Connection.ts"
import { ConnectionCounts } from "./ConnectionCounts.ts"
import { type AnswerListener, Delivery, type Dispatcher } from "./Delivery.ts"
import type { Endpoint } from "./Endpoint.ts"
import { IdleConnections } from "./IdleConnections.ts"
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

/** One that takes longer than this may never come about: whoever comes then does not count on it alone. */
const promisingMs = 1_000

/** What ends later than this was not being closed when the call went out: its provider may have worked on it. */
const closingMs = 10_000

/** With two calls within this time, traffic is steady: one idle connection is kept ready, so that the next call makes none. */
const steadyWithinMs = 60_000
/** One that could not be made, or that nobody used before its provider closed it, is not made again at once. */
const warmAgainMs = 10_000

export class ConnectionPool implements ConnectionKeeper, Dispatcher {
  readonly #endpoint: Endpoint
  readonly #counts: ConnectionCounts
  readonly #tellFault: (fault: unknown) => void
  readonly #connections = new Set<Connection>()
  #connecting = 0
  readonly #idle = new IdleConnections()
  /** Each gets the first connection that is free, new or used. */
  readonly #waiting = new WaitingLine<Delivery>()
  /** Each gets the first connection that is new. */
  readonly #waitingAgain = new WaitingLine<Delivery>()
  #connectTimeoutMs = 0
  #lastOrder = 0
  #lastBegunMs = 0
  /** Since the last tick. */
  #calls = 0
  #lastCallMs = -Infinity
  #callBeforeMs = -Infinity
  #warmFromMs = 0
  #isTurning = false
  #isRetired = false
  #isClosed = false

  constructor(endpoint: Endpoint, counts = new ConnectionCounts(), tellFault = throwAlone) {
    this.#endpoint = endpoint
    this.#counts = counts
    this.#tellFault = tellFault
  }

  get origin(): string {
    return this.#endpoint.origin
  }

  get isEmpty(): boolean {
    return this.#connections.size === 0
  }

  get open(): number {
    return this.#connections.size - this.#connecting
  }

  get idle(): number {
    return this.#idle.count
  }

  get connecting(): number {
    return this.#connecting
  }

  /** Its provider is no longer configured: what is under way ends well, and nothing is kept for later. */
  get isRetired(): boolean {
    return this.#isRetired
  }

  /** `connectTimeoutMs`: for the whole way to a connection that can be used, where none is idle. */
  send({ body, headers, path }: PooledRequest, connectTimeoutMs: number, listener: AnswerListener): Delivery {
    const head = requestText(this.#endpoint.host, path, headers, body.byteLength)
    const delivery = new Delivery(this, { head: head ?? "", body }, connectTimeoutMs, listener)
    this.#connectTimeoutMs = connectTimeoutMs
    this.#calls++
    if (head === undefined) delivery.fail("invalid request")
    // A call that goes on to its next route, say: a connection made now would outlive everybody.
    else if (this.#isClosed) delivery.fail("shutdown")
    else this.#wait(delivery)
    return delivery
  }

  sendAgain(delivery: Delivery): void {
    if (this.#isClosed) return delivery.fail("shutdown")
    this.#counts.sentAgain++
    delivery.order = ++this.#lastOrder
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
    this.#counts.opened++
    const delivery = this.#waitingAgain.take() ?? this.#waiting.take()
    if (delivery !== undefined) {
      // Whom the bound on connections being made has kept waiting.
      this.#openAsNeeded()
      return delivery.goOut(connection, 0)
    }
    if (this.#isRetired) return connection.close("idle")
    connection.idleUntilMs = steadyMs() + idleMs
    this.#idle.addUnused(connection)
  }

  release(connection: Connection, { headers }: AnswerHead): void {
    const nowMs = steadyMs()
    const waitsMs = idleMsOf(headers["keep-alive"])
    const makesRoom = this.#idle.count > 0 && connection.isAged(nowMs)
    if (waitsMs <= 0 || this.#isRetired || makesRoom || connection.isOld(nowMs))
      return connection.close("idle")
    connection.idleUntilMs = nowMs + waitsMs
    this.#idle.add(connection)
    this.#turnSoon()
  }

  closed(connection: Connection, phase: ConnectionPhase, reason: string): void {
    this.#connections.delete(connection)
    if (connection.isUnused && reason !== "idle") this.#warmFromMs = steadyMs() + warmAgainMs
    if (phase === "connecting") {
      this.#connecting--
      if (!this.#isClosed) this.#counts.addFailed(reason)
      if (this.#missing > 0) this.#failFirst(connection.order, reason)
    } else if (phase === "idle") {
      this.#idle.remove(connection)
      // They have counted on it.
      for (const delivery of this.#waiting) delivery.limitWait()
    } else if (!wanted.has(reason)) this.#counts.addFailed(reason)
    this.#openAsNeeded()
  }

  faulted(fault: unknown): void {
    this.#tellFault(fault)
  }

  /** Once a second: closes what has been idle for long or has grown old, and keeps one ready where traffic is steady. */
  tick(nowMs: number): void {
    if (this.#calls > 0) {
      this.#callBeforeMs = this.#calls === 1 ? this.#lastCallMs : nowMs
      this.#lastCallMs = nowMs
      this.#calls = 0
    }
    const isSteady = nowMs - this.#callBeforeMs < steadyWithinMs && !this.#isRetired && !this.#isClosed
    for (const connection of this.#idle.takeDue(nowMs, isSteady)) connection.close("idle")
    if (isSteady && nowMs >= this.#warmFromMs && this.#connecting === 0 && !this.#idle.hasYoung(nowMs))
      this.#open()
  }

  retire(): void {
    this.#isRetired = true
    for (const connection of this.#idle.takeAll()) connection.close("idle")
  }

  close(): void {
    this.#isClosed = true
    for (const line of [this.#waitingAgain, this.#waiting])
      for (let each = line.take(); each !== undefined; each = line.take()) each.fail("shutdown")
    for (const connection of this.#connections) connection.close("shutdown")
  }

  /** How many connections those that wait need beside those that are free or being made. */
  get #missing(): number {
    const waiting = Math.max(0, this.#waiting.length - this.#idle.count)
    return this.#waitingAgain.length + waiting - this.#connecting
  }

  #wait(delivery: Delivery): void {
    delivery.order = ++this.#lastOrder
    delivery.place = this.#waiting.add(delivery)
    if (this.#waiting.length > this.#idle.count) {
      delivery.limitWait()
      this.#openAsNeeded()
      if (steadyMs() - this.#lastBegunMs > promisingMs) this.#open()
    }
    if (this.#idle.count > 0) this.#turnSoon()
  }

  /** Whoever has waited for longest has waited for nothing; but not for one that was begun before. */
  #failFirst(begunOrder: number, reason: string): void {
    for (const line of [this.#waitingAgain, this.#waiting]) {
      const { first } = line
      if (first === undefined || first.order > begunOrder) continue
      line.leave(first.place)
      return first.fail(reason)
    }
  }

  #openAsNeeded(): void {
    while (!this.#isClosed && this.#missing > 0 && this.#connecting < connectingMax) this.#open()
  }

  #open(): void {
    if (this.#connecting === connectingMax) return
    this.#connecting++
    this.#lastBegunMs = steadyMs()
    const order = ++this.#lastOrder
    this.#connections.add(new Connection(this.#endpoint, this.#connectTimeoutMs, this, order))
  }

  /** A provider that answered before it took all of a body may never read the rest, nor what is sent behind it. */
  #takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.#idle.take()
      if (connection === undefined || connection.hasSentAll) return connection
      connection.close("finished")
    }
  }

  /** One loop of events lies between each two turns. */
  #turnSoon(): void {
    if (this.#isTurning) return
    this.#isTurning = true
    setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isTurning = false
    const doubtedUntilMs = steadyMs() + closingMs
    while (this.#waiting.length > 0) {
      const connection = this.#takeIdle()
      if (connection === undefined) break
      this.#counts.reused++
      this.#waiting.take()!.goOut(connection, doubtedUntilMs)
    }
    if (this.#idle.settle() && this.#waiting.length > 0) this.#turnSoon()
  }
}

const throwAlone = (fault: unknown): void =>
  queueMicrotask(() => {
    throw fault
  })

/** What ends a connection under a call without being its fault. */
const wanted: ReadonlySet<string> = new Set(["aborted", "finished", "shutdown"])

const idleMsOf = (keepAlive: string | undefined): number => {
  const seconds = keepAlive === undefined ? undefined : /(?:^|[\t ,])timeout="?(\d+)/i.exec(keepAlive)?.[1]
  if (seconds === undefined) return idleMs
  return Math.min(Number(seconds) * 1000 - marginMs, toldIdleMsMax)
}
