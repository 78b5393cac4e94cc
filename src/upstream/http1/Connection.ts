/** One connection to a provider. It carries one call at a time, so that one which breaks or is read slowly concerns no other. */
import type { Socket } from "node:net"
import { steadyMs } from "../../telemetry/steady-clock.ts"
import { AnswerReader } from "./AnswerReader.ts"
import type { Endpoint } from "./Endpoint.ts"
import { openSocket, type SocketListener } from "./open-socket.ts"
import type { AnswerHead } from "./read-head.ts"

/** Bytes as they go out: the head of a request, and its body. */
export interface Outgoing {
  readonly head: string
  readonly body: Uint8Array
}

/** A call that a connection carries; what it hears is as an `AnswerListener` hears it. */
export interface Carried {
  onProgress(): void
  /** `isFirst`: none came before that only informed. */
  onHead(head: AnswerHead, isFirst: boolean): void
  onData(bytes: Buffer): void
  onEnd(): void
  /** `hasBegun`: a byte of the answer has come. */
  onFailure(reason: string, hasBegun: boolean): void
}

export type ConnectionPhase = "connecting" | "idle" | "carrying"

/** Who keeps connections between calls. */
export interface ConnectionKeeper {
  /** It has come about. */
  connected(connection: Connection): void
  /** It can carry another call; `head` is that of its last answer. */
  release(connection: Connection, head: AnswerHead): void
  /** It is no more; `phase` is the one it was in. */
  closed(connection: Connection, phase: ConnectionPhase, reason: string): void
  /** Something threw while an answer was read. */
  faulted(fault: unknown): void
}

/** A body that is no larger goes out in one piece with the head of its request. */
const wholeBytesMax = 64 * 1024
/** Larger ones go out in slices: TLS would encrypt all of one at once, while everybody else waits. */
const sliceBytes = 256 * 1024

/** From the first byte of a head to its last: heads come at once, or never. */
const headMs = 15_000

/**
 * So old a connection is closed once its call is over, so that what has changed in a provider's name is followed. From some time before
 * it makes room for a younger one, those that were opened together not all at once.
 */
const ageMsMax = 300_000
const agedMs = 240_000
const agedSpreadMs = 45_000

const nothing = new Uint8Array()

export class Connection implements SocketListener {
  readonly #destroy: () => void
  /** Once it is connected. */
  #socket: Socket | undefined
  readonly #keeper: ConnectionKeeper
  #timer: NodeJS.Timeout | undefined
  #phase: ConnectionPhase | "closed" = "connecting"
  #carried: Carried | undefined
  #reader = new AnswerReader()
  #hasBegun = false
  /** What of a large body has not been given to the socket yet. */
  #unsent: Uint8Array = nothing
  #isPaused = false
  #bornMs = 0
  #agedFromMs = 0
  #isUnused = true
  /** Among all calls that began to wait for one, and all connections that were begun meanwhile. */
  readonly order: number
  /** Of an idle one: when it is to be closed, ms since 1970. */
  idleUntilMs = 0

  constructor(endpoint: Endpoint, connectTimeoutMs: number, keeper: ConnectionKeeper, order: number) {
    this.#keeper = keeper
    this.order = order
    this.#destroy = openSocket(endpoint, connectTimeoutMs, this)
    this.#timer = setTimeout(() => this.close("connect timeout"), connectTimeoutMs)
  }

  /** It has carried no call yet. */
  get isUnused(): boolean {
    return this.#isUnused
  }

  /** It makes room for another one where there is one. */
  isAged(nowMs: number): boolean {
    return nowMs >= this.#agedFromMs
  }

  /** It carries no other call. */
  isOld(nowMs: number): boolean {
    return nowMs >= this.#bornMs + ageMsMax
  }

  /**
   * The system has taken all that it was to send. Behind TLS that is told a loop of events later, and the answer may come before:
   * it is asked when the next call is to go out.
   */
  get hasSentAll(): boolean {
    return this.#unsent.byteLength === 0 && this.#socket!.writableLength === 0
  }

  carry({ body, head }: Outgoing, carried: Carried): void {
    const socket = this.#socket!
    this.#phase = "carrying"
    this.#isUnused = false
    this.#carried = carried
    this.#hasBegun = false
    if (body.byteLength <= wholeBytesMax) {
      const bytes = Buffer.allocUnsafe(head.length + body.byteLength)
      bytes.set(body, bytes.write(head, "latin1"))
      socket.write(bytes)
      return
    }
    this.#unsent = body
    socket.cork()
    socket.write(head, "latin1")
    this.#sendOn()
    socket.uncork()
  }

  /** Stops reading; what has been read already still comes. */
  pause(): void {
    this.#isPaused = true
    this.#socket?.pause()
  }

  resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    this.#socket?.resume()
  }

  /** The call that it carries hears no more, and nothing else can follow an answer that is not read to its end. */
  abort(): void {
    this.#carried = undefined
    this.close("aborted")
  }

  close(reason: string): void {
    const phase = this.#phase
    if (phase === "closed") return
    this.#phase = "closed"
    const carried = this.#carried
    this.#carried = undefined
    clearTimeout(this.#timer)
    this.#destroy()
    this.#keeper.closed(this, phase, reason)
    carried?.onFailure(reason, this.#hasBegun)
  }

  connected(socket: Socket): void {
    this.#socket = socket
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#phase = "idle"
    this.#bornMs = steadyMs()
    this.#agedFromMs = this.#bornMs + agedMs + Math.random() * agedSpreadMs
    this.#keeper.connected(this)
  }

  drained(): void {
    this.#sendOn()
    this.#carried?.onProgress()
  }

  /** As much as the socket takes; it says when it takes more. */
  #sendOn(): void {
    let takesMore = true
    while (takesMore && this.#unsent.byteLength > 0) {
      const slice = this.#unsent.subarray(0, sliceBytes)
      this.#unsent = this.#unsent.subarray(sliceBytes)
      takesMore = this.#socket!.write(slice)
    }
    // An empty piece of the body would keep all of it in memory, for as long as the connection is used.
    if (this.#unsent.byteLength === 0) this.#unsent = nothing
  }

  /** What is thrown here would end the thread, with all calls that have nothing to do with this one. */
  read(bytes: Buffer): void {
    try {
      this.#read(bytes)
    } catch (fault) {
      this.#keeper.faulted(fault)
      this.close("fault")
    }
  }

  #read(bytes: Buffer): void {
    const carried = this.#carried
    // Bytes that nobody asked for would be taken for the next call's answer.
    if (carried === undefined) return this.close("surplus")
    this.#hasBegun = true
    const { body, head, outcome } = this.#reader.read(bytes)
    if (head !== undefined) carried.onHead(head, this.#reader.isFirstHead)
    if (body !== undefined && this.#carried === carried) carried.onData(body)
    if (this.#carried !== carried) return
    if (this.#reader.isWithinHead || this.#timer !== undefined) this.#limitHead()
    if (outcome === "more") return
    if (outcome === "broken") return this.close("malformed")
    if (outcome === "encoded") return this.close("encoded")
    this.#finish(carried, outcome === "ended")
  }

  #limitHead(): void {
    if (this.#reader.isWithinHead) this.#timer ??= setTimeout(() => this.close("head timeout"), headMs)
    else {
      clearTimeout(this.#timer)
      this.#timer = undefined
    }
  }

  failed(reason: string): void {
    this.close(reason)
  }

  ended(): void {
    const carried = this.#carried
    if (carried !== undefined && this.#reader.head?.framing === "close") this.#finish(carried, false)
    else this.close("closed")
  }

  #finish(carried: Carried, isExact: boolean): void {
    this.#carried = undefined
    const head = this.#reader.head!
    // An idle connection keeps nothing of the answer before.
    this.#reader = new AnswerReader()
    const isGivenAway = this.#unsent.byteLength === 0
    if (isExact && isGivenAway && head.keepsAlive) {
      this.#phase = "idle"
      // An idle connection is read from too, or nobody would see it being closed.
      this.resume()
      this.#keeper.release(this, head)
    } else this.close("finished")
    carried.onEnd()
  }
}
