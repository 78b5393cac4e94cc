/**
 * One call's way to its answer: it waits for a connection and is carried by one. Providers close idle connections whenever they
 * like: one that turns out to have been closed has answered nothing, and the call goes out once again, on a fresh one.
 */
import { steadyMs } from "../../telemetry/steady-clock.ts"
import type { Carried, Connection, Outgoing } from "./Connection.ts"
import type { AnswerHead } from "./read-head.ts"

/** Who hears of one call: head, data and end in this order, or a failure at any time; nothing after the end or a failure. */
export interface AnswerListener {
  /** More of a large request has gone out. */
  onProgress(): void
  onHead(head: AnswerHead): void
  /** `bytes` are the listener's to keep. */
  onData(bytes: Buffer): void
  onEnd(): void
  /** `reason`: a code of the operating system or of TLS, or a word of ours. `isUnsent`: no provider can have worked on it. */
  onFailure(reason: string, isUnsent: boolean): void
}

/** Who finds connections for calls. */
export interface Dispatcher {
  /** It does not wait any more. */
  giveUp(delivery: Delivery): void
  /** It needs a connection that has never been idle. */
  sendAgain(delivery: Delivery): void
}

/** Reasons of a connection that its provider has closed. */
const closings: ReadonlySet<string> = new Set(["closed", "ECONNRESET", "ECONNABORTED", "EPIPE"])
/** Some say so, to whoever comes next: the connection was idle for too long. */
const requestTimeout = 408

export class Delivery implements Carried {
  readonly #dispatcher: Dispatcher
  readonly #listener: AnswerListener
  readonly #waitMs: number
  /** Kept for as long as it may have to go out. */
  #outgoing: Outgoing | undefined
  #connection: Connection | undefined
  #waitTimer: NodeJS.Timeout | undefined
  #isSecond = false
  /** Until then the connection that carries it may turn out to have been closed. */
  #doubtedUntilMs = 0
  #isOver = false
  #hadSentAll = false
  /** In the line of those that wait. */
  place = -1
  /** Among all that began to wait, and all connections that were begun meanwhile. */
  order = 0

  /** `waitMs`: how long it may wait for a connection. */
  constructor(dispatcher: Dispatcher, outgoing: Outgoing, waitMs: number, listener: AnswerListener) {
    this.#dispatcher = dispatcher
    this.#outgoing = outgoing
    this.#waitMs = waitMs
    this.#listener = listener
  }

  /** It was sent once, and waits for its second connection. */
  get isSecond(): boolean {
    return this.#isSecond
  }

  /** The system has taken all of the request, as far as is known. */
  get hasSentAll(): boolean {
    return this.#connection?.hasSentAll ?? this.#hadSentAll
  }

  /** Stops reading the answer; what has been read already still comes. */
  pause(): void {
    this.#connection?.pause()
  }

  resume(): void {
    this.#connection?.resume()
  }

  /** Breaks the call off; its listener hears no more. */
  abort(): void {
    if (this.#isOver) return
    const connection = this.#connection
    this.#end()
    if (connection === undefined) this.#dispatcher.giveUp(this)
    else connection.abort()
  }

  /** No connection is at hand: the time for which it may wait begins. */
  limitWait(): void {
    this.#waitTimer ??= setTimeout(() => {
      this.#dispatcher.giveUp(this)
      this.fail("connect timeout")
    }, this.#waitMs)
  }

  /** There is no connection for it. */
  fail(reason: string): void {
    if (this.#isOver) return
    this.#end()
    this.#listener.onFailure(reason, true)
  }

  /** `doubtedUntilMs`: until then it may turn out that the provider has closed it while it was idle; 0 for a fresh one. */
  goOut(connection: Connection, doubtedUntilMs: number): void {
    clearTimeout(this.#waitTimer)
    this.#waitTimer = undefined
    this.#connection = connection
    const outgoing = this.#outgoing!
    this.#doubtedUntilMs = doubtedUntilMs
    if (doubtedUntilMs === 0) this.#outgoing = undefined
    connection.carry(outgoing, this)
  }

  onProgress(): void {
    this.#listener.onProgress()
  }

  onHead(head: AnswerHead, isFirst: boolean): void {
    if (isFirst && head.status === requestTimeout && this.#mayGoAgain()) {
      this.#connection!.abort()
      return this.#goAgain()
    }
    this.#outgoing = undefined
    this.#listener.onHead(head)
  }

  onData(bytes: Buffer): void {
    this.#listener.onData(bytes)
  }

  onEnd(): void {
    this.#hadSentAll = this.hasSentAll
    this.#end()
    this.#listener.onEnd()
  }

  onFailure(reason: string, hasBegun: boolean): void {
    if (!hasBegun && closings.has(reason) && this.#mayGoAgain()) return this.#goAgain()
    this.#end()
    this.#listener.onFailure(reason, false)
  }

  #mayGoAgain(): boolean {
    return this.#outgoing !== undefined && !this.#isSecond && steadyMs() < this.#doubtedUntilMs
  }

  #goAgain(): void {
    this.#connection = undefined
    this.#isSecond = true
    this.#dispatcher.sendAgain(this)
  }

  #end(): void {
    this.#isOver = true
    this.#connection = undefined
    this.#outgoing = undefined
    clearTimeout(this.#waitTimer)
  }
}
