/**
 * One HTTP request and its answer.
 *
 * uWebSockets.js frees `req` when its handler returns, delivers the body only to listeners attached by then, and
 * forbids touching `res` after an abort. An Exchange takes what is needed at once, so that nothing else need know.
 */
import { Effect } from "effect"
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import type { AccountId } from "../domain/ids.ts"
import type {
  BodyTooLarge,
  Client,
  NoRoomForBody,
  RequestHeaders,
  ResponseHeaders
} from "../gateway/Client.ts"
import { plainAddress } from "../domain/address-block.ts"
import { endHead } from "../sockets/end-head.ts"
import { writeHead } from "../sockets/write-head.ts"
import { readForwardedFor, toldAddress } from "./told-address.ts"
import type { Connection, Occupant } from "./Connection.ts"
import type { Edge } from "./Edge.ts"
import { Intake } from "./Intake.ts"
import type { Lingering } from "./Lingering.ts"
import { PacedWriter } from "./PacedWriter.ts"
import { readHeaders } from "./read-headers.ts"
import { RequestBody } from "./RequestBody.ts"
import { type Content, contentFor, Unsent } from "./Unsent.ts"

export class Exchange implements Client, Occupant {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly headers: RequestHeaders
  readonly #res: HttpResponse
  readonly #edge: Edge
  readonly #intake: Intake
  readonly #writer: PacedWriter
  /** What a proxy says that is believed. */
  readonly #forwardedFor: string
  /** Known as soon as the handler has returned. */
  #connection: Connection | undefined
  /** Only of a request that has one. */
  #body: RequestBody | undefined
  /** All of the request has come. */
  #complete = false
  /** And nobody is still being told of it: only then may the exchange end, and the connection wait for the next. */
  #settled = false
  #isKnown = false
  /** Set once the answer went out before the whole body had come. */
  #lingering: Lingering | undefined
  /** The answer is not complete yet. */
  #open = true
  /** Over: the client has left, or its connection is free for the next request. */
  #over = false
  #started = false
  #closeAfter = false
  #onAbort: (() => void) | undefined
  #extra: ResponseHeaders = []

  constructor(res: HttpResponse, req: HttpRequest, edge: Edge) {
    this.#res = res
    this.#edge = edge
    this.#intake = new Intake(res)
    this.#writer = new PacedWriter(res, edge.unread, (end) => this.#end(end))
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ""
    this.headers = readHeaders(req)
    this.#forwardedFor = edge.trustsProxy() ? readForwardedFor(req) : ""
    edge.openExchanges++
    res.onAborted(() => {
      this.#open = false
      this.#finish(true)
      this.#onAbort?.()
    })
  }

  begin(connection: Connection): void {
    this.#connection = connection
    this.#body?.comesFrom(connection.address)
  }

  receive(chunk: ArrayBuffer, isLast: boolean): void {
    if (isLast) this.#receiveLast()
    this.#body?.receive(chunk, isLast)
    this.#lingering?.receive(chunk.byteLength, isLast)
  }

  #receiveLast(): void {
    this.#complete = true
    this.#edge.endOfTurn.add(() => (this.#settled = true))
    // What was read already comes also while a connection is paused; reading on starts its clock.
    if (!this.#intake.paused) return
    this.#intake.resume()
    this.#writer.outlastClock()
  }

  get address(): string {
    return plainAddress(this.toldAddress ?? this.remoteAddress)
  }

  /** Where a proxy in front of us says that the request comes from, if one is believed. */
  get toldAddress(): string | undefined {
    return this.#over ? undefined : toldAddress(this.#forwardedFor)
  }

  /** Where the connection comes from; empty once it may be gone. */
  get remoteAddress(): string {
    return this.#over ? "" : Buffer.from(this.#res.getRemoteAddressAsText()).toString()
  }

  get isOpen(): boolean {
    return this.#open
  }

  get isOver(): boolean {
    return this.#over
  }

  get isStarted(): boolean {
    return this.#started
  }

  get body(): Effect.Effect<Buffer, BodyTooLarge | NoRoomForBody> {
    return this.#body?.asked ?? Effect.succeed(Buffer.alloc(0))
  }

  countBodyFor(account: AccountId): void {
    this.#isKnown = true
    this.#body?.countFor(account)
  }

  takeRoom(bytes: number): boolean {
    return this.#body?.takeRoom(bytes) === true
  }

  /** Runs `listener` if the client goes away before the answer is complete. */
  onAbort(listener: () => void): void {
    this.#onAbort = listener
    if (!this.#open) listener()
  }

  /** Headers that every answer of this exchange carries. */
  always(headers: ResponseHeaders): void {
    this.#extra = headers
  }

  /** The connection ends with this answer. */
  closeAfter(): void {
    this.#closeAfter = true
  }

  /** The request has a body, of `declared` bytes if that was announced; beyond `bytesMax` nothing of it is kept. */
  expectBody(declared: number | undefined, bytesMax: number): void {
    this.#body = new RequestBody(this.#edge, this.#intake, declared, bytesMax)
  }

  respond(status: number, headers: ResponseHeaders, body: Content): void {
    if (!this.#open) return
    this.#open = false
    this.#body?.release()
    const content = contentFor(this.method === "HEAD", status, body)
    const head = () => this.#head(status, headers)
    this.#afterThisTurn(() => {
      if (this.#complete) this.#answer(head, content)
      else this.#answerEarly(head, content)
    })
  }

  start(status: number, headers: ResponseHeaders): void {
    if (!this.#open) return
    this.#started = true
    this.#writer.begin(() => this.#head(status, headers))
  }

  write(piece: Uint8Array | string): boolean {
    return this.#open ? this.#writer.write(piece) : true
  }

  whenWritable(listener: () => void): void {
    this.#writer.whenWritable(() => {
      if (this.#open) listener()
    })
  }

  end(piece: Uint8Array | string = ""): void {
    if (!this.#open) return
    this.#open = false
    this.#body?.release()
    this.#afterThisTurn(() => this.#writer.end(piece))
  }

  drop(): void {
    if (this.#open) this.breakOff()
  }

  /** Whatever has been said. Not in this turn: what comes of the request may be told yet. */
  breakOff(): void {
    this.#open = false
    this.#close()
  }

  /** A small body comes with the headers, and is only told of when the handler has returned. */
  #afterThisTurn(answer: () => void): void {
    if (this.#settled) return answer()
    this.#edge.endOfTurn.add(() => {
      if (!this.#over) answer()
    })
  }

  #answer(head: () => void, content: Content): void {
    const isUnsent = content instanceof Unsent
    if (this.#connection?.mayGoOnAfter(!isUnsent && content.length > 0) === false) this.#closeAfter = true
    if (this.#closeAfter) this.#answerLast(head, content, () => this.#close())
    else if (isUnsent) this.#answerBare(head, () => endHead(this.#res, content.bytes))
    else this.#writer.endWith(head, content)
  }

  /** Answers a client that still sends its body: the answer is there as a whole, whenever the client looks for it. */
  #answerEarly(head: () => void, content: Content): void {
    this.#closeAfter = true
    if (this.#connection === undefined) this.#edge.connections.waitNoLonger()
    this.#answerLast(head, content, () => {
      this.#lingering = this.#edge.linger(this.#intake, () => this.#close())
    })
  }

  /** The connection's last answer; what becomes of the connection is for whoever is told that it is `sent`. */
  #answerLast(head: () => void, content: Content, sent: () => void): void {
    const isUnsent = content instanceof Unsent
    const bytes = isUnsent ? content.bytes : content.length
    if (bytes === undefined) {
      this.#answerBare(head, () => endHead(this.#res, bytes))
      // uWebSockets.js, told to close, would tell a length.
      this.#edge.endOfTurn.add(() => this.#edge.connections.closeResting(this.#connection))
    } else if (bytes === 0) {
      // Told to close, uWebSockets.js says so itself.
      this.#closeAfter = false
      this.#answerBare(head, () => this.#res.end("", true))
    } else if (isUnsent) {
      this.#res.cork(() => {
        head()
        this.#res.tryEnd("", bytes)
      })
      sent()
    } else this.#writer.sendWith(head, content, sent)
  }

  #answerBare(head: () => void, end: () => unknown): void {
    this.#res.cork(() => {
      head()
      this.#end(() => (end(), true))
    })
  }

  /** Not from inside the connection's own callbacks. */
  #close(): void {
    this.#edge.endOfTurn.add(() => {
      if (!this.#over) this.#res.close()
    })
  }

  /** Runs what may end the exchange. uWebSockets.js may close the connection with it, and tells nobody but all. */
  #end(end: () => boolean): void {
    const { connections } = this.#edge
    const before = connections.closes
    if (end()) this.#finish(connections.closes !== before)
  }

  /** From here on nothing of this exchange may be touched below. */
  #finish(isClosed: boolean): void {
    if (this.#over) return
    this.#over = true
    this.#edge.openExchanges--
    this.#writer.forget()
    this.#body?.release()
    this.#lingering?.end()
    const connection = this.#connection
    if (connection === undefined) return
    connection.isKnown ||= this.#isKnown
    connection.vacate(isClosed, this.#complete)
  }

  #head(status: number, headers: ResponseHeaders): void {
    const res = this.#res
    writeHead(res, status, headers)
    for (const [name, value] of this.#extra) res.writeHeader(name, value)
    if (this.#closeAfter) res.writeHeader("connection", "close")
  }
}
