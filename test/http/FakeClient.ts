/**
 * A client on its connection, as uWebSockets.js tells of it: one request at a time, whose `req` is freed when the handler
 * returns, and handles that nobody may touch after their end. What it is sent can be read here.
 */
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import type { Edge } from "../../src/http/Edge.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import { LocalExchange } from "../../src/sockets/LocalExchange.ts"

/** What is gathered under one cork; more is lost if there is no room for it. */
const corkBytesMax = 16 * 1024
/** How long a connection may stand still while its clock runs. */
const clockMs = 10_000

interface Asked {
  readonly method?: string
  readonly url?: string
  readonly query?: string
  /** A list is of one that comes several times. */
  readonly headers?: Readonly<Record<string, string | ReadonlyArray<string>>>
  /** A body follows; without one the client has said all. */
  readonly hasBody?: boolean
}

type OnData = (chunk: ArrayBuffer, isLast: boolean) => void

export class Received {
  status = ""
  readonly headers: Array<readonly [name: string, value: string]> = []
  body = ""
  isWhole = false

  header(name: string): string | undefined {
    return this.headers.find(([each]) => each === name)?.[1]
  }
}

export class FakeClient {
  readonly answers: Array<Received> = []
  isAlive = true
  /** It is not read. */
  isHeldBack = false
  /** How often it was stopped to be read. */
  pauses = 0
  /** It takes what it is sent. */
  keepsUp = true
  /** All of its request has come. */
  hasSaidAll = false
  /** Its connection was closed for having stood still for too long, though it was not the one who was waited for. */
  isCutOff = false
  #clock: NodeJS.Timeout | undefined
  readonly #edge: Edge
  #isAnswered = true
  #onAborted: (() => void) | undefined
  #onData: OnData | undefined
  #onWritable: (() => void) | undefined

  constructor(edge: Edge) {
    this.#edge = edge
    edge.connections.opened(this.#handle(() => this.isAlive))
  }

  get last(): Received {
    return this.answers.at(-1)!
  }

  /** Its next request; none while one is under way. */
  ask(asked: Asked, serve: (exchange: Exchange) => void): Exchange | undefined {
    return this.#ask(asked, (res, req) => {
      const exchange = new Exchange(res, req, this.#edge)
      this.#edge.connections.arrive(exchange)
      serve(exchange)
      return exchange
    })
  }

  /** The same of a server that only this machine can ask. */
  askLocally(asked: Asked, serve: (exchange: LocalExchange) => void): LocalExchange | undefined {
    return this.#ask(asked, (res, req) => {
      const exchange = new LocalExchange(res, req)
      serve(exchange)
      return exchange
    })
  }

  #ask<A>(asked: Asked, handle: (res: HttpResponse, req: HttpRequest) => A): A | undefined {
    if (!this.isAlive || !this.#isAnswered) return undefined
    this.#isAnswered = false
    this.hasSaidAll = false
    const received = new Received()
    this.answers.push(received)
    const state = { isFreed: false }
    const res = this.#handle(() => this.isAlive && !received.isWhole)
    const exchange = handle(res, requestOf(asked, state))
    state.isFreed = true
    this.#tell(new ArrayBuffer(0), asked.hasBody !== true)
    return exchange
  }

  /** A piece of its request's body. */
  send(text: string, isLast = false): void {
    this.#tell(new TextEncoder().encode(text).buffer, isLast)
  }

  /** The end of a request stops the clock before it is told. */
  #tell(chunk: ArrayBuffer, isLast: boolean): void {
    if (!this.isAlive) return
    if (isLast) {
      clearTimeout(this.#clock)
      this.hasSaidAll = true
    }
    this.#onData?.(chunk, isLast)
  }

  #startClock(): void {
    clearTimeout(this.#clock)
    this.#clock = setTimeout(() => {
      this.isCutOff = this.hasSaidAll && this.keepsUp
      this.leave()
    }, clockMs)
  }

  /** It takes what it is sent again. */
  read(): void {
    this.keepsUp = true
    if (!this.isAlive || this.#isAnswered || this.#onWritable === undefined) return
    clearTimeout(this.#clock)
    this.#onWritable()
  }

  leave(): void {
    if (!this.isAlive) return
    this.isAlive = false
    clearTimeout(this.#clock)
    this.#edge.connections.closed()
    this.#onAborted?.()
  }

  #handle(isAlive: () => boolean): HttpResponse {
    const received = this.answers.at(-1)
    const touched = <Arguments extends ReadonlyArray<unknown>, A>(act: (...given: Arguments) => A) => {
      return (...given: Arguments): A => {
        if (!isAlive()) throw new Error("a handle was touched after its end")
        return act(...given)
      }
    }
    const write = (bytes: Uint8Array | string) => {
      if (received!.status === "") throw new Error("a body went out before its head")
      received!.body += Buffer.from(bytes as Uint8Array).toString()
      return this.keepsUp
    }
    let corked: number | undefined
    const cork = (act: () => void) => {
      if (corked !== undefined) return act()
      corked = 0
      act()
      corked = undefined
    }
    const gather = (bytes: Uint8Array | string) => {
      if (corked !== undefined) corked += Buffer.byteLength(bytes)
      if (corked !== undefined && corked > corkBytesMax) throw new Error("a write went beyond its cork")
      return write(bytes)
    }
    const finish = (closes = false) => {
      this.#answered(received!)
      if (closes) this.leave()
    }
    const end = (bytes: Uint8Array | string = "", closes?: boolean) => {
      // Of what has not been streamed the length is told.
      if (received!.body === "") received!.headers.push(["content-length", String(Buffer.byteLength(bytes))])
      write(bytes)
      finish(closes)
    }
    let offset = 0
    return {
      onAborted: touched((listener: () => void) => (this.#onAborted = listener)),
      onData: touched((listener: OnData) => (this.#onData = listener)),
      onWritable: touched((listener: () => void) => (this.#onWritable = listener)),
      getRemoteAddress: touched(() => new Uint8Array([198, 51, 100, 7]).buffer),
      getRemoteAddressAsText: touched(() => new TextEncoder().encode("198.51.100.7").buffer),
      cork: touched(cork),
      pause: touched(() => {
        this.isHeldBack = true
        this.pauses++
        clearTimeout(this.#clock)
      }),
      resume: touched(() => {
        this.isHeldBack = false
        this.#startClock()
      }),
      close: touched(() => this.leave()),
      writeStatus: touched((status: string) => (received!.status = status)),
      writeHeader: touched((name: string, value: string) => received!.headers.push([name, value])),
      write: touched(gather),
      end: touched(end),
      endWithoutBody: touched(() => finish()),
      getWriteOffset: touched(() => offset),
      tryEnd: touched((bytes: Uint8Array | string, total: number) => {
        if (!this.keepsUp && total > 0) return [false, false]
        write(bytes)
        offset += Buffer.byteLength(bytes)
        if (offset === total) this.#answered(received!)
        return [true, offset === total]
      })
    } as unknown as HttpResponse
  }

  /** The connection waits for the next request. */
  #answered(received: Received): void {
    received.isWhole = true
    this.#isAnswered = true
    clearTimeout(this.#clock)
    this.#onAborted = this.#onData = this.#onWritable = undefined
  }
}

const requestOf = ({ headers = {}, method = "POST", query, url = "/v1/messages" }: Asked, state: object) => {
  const told = <A>(value: A): A => {
    if ("isFreed" in state && state.isFreed === true) throw new Error("a request was read after its handler")
    return value
  }
  return {
    getMethod: () => told(method.toLowerCase()),
    getCaseSensitiveMethod: () => told(method),
    getUrl: () => told(url),
    getQuery: () => told(query),
    getHeader: (name: string) => told([headers[name] ?? ""].flat()[0]),
    forEach: (tell: (name: string, value: string) => void) => {
      for (const [name, values] of Object.entries(told(headers)))
        for (const value of [values].flat()) tell(name, value)
    }
  } as unknown as HttpRequest
}
