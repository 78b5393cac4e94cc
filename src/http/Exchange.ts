/**
 * One HTTP request and its answer.
 *
 * uWebSockets.js frees `req` when its handler returns, delivers the body only to listeners attached by then, and
 * forbids touching `res` after an abort. An Exchange takes what is needed at once, so that nothing else need know.
 */
import { Effect, Exit } from "effect"
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { BodyBytes } from "../compute/BodyBytes.ts"
import { BodyTooLarge, type Client, type RequestHeaders, type ResponseHeaders } from "../gateway/Client.ts"
import { endHead } from "../sockets/end-head.ts"
import { PacedWriter } from "./PacedWriter.ts"
import { statusLine } from "./status-line.ts"
import type { Underway } from "./Underway.ts"

/** How long, and how much, a refused body is still taken and thrown away. */
const discardMs = 2_000
const discardedBytesMax = 64 * 1024 * 1024

const noBody = Exit.succeed(Buffer.alloc(0))

export class Exchange implements Client {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: string
  readonly headers: RequestHeaders
  readonly #res: HttpResponse
  readonly #writer: PacedWriter
  readonly #isHead: boolean
  /** Known once the body is complete, or too large. */
  #body: Exit.Exit<Buffer, BodyTooLarge> | undefined = noBody
  #onBody: ((body: Exit.Exit<Buffer, BodyTooLarge>) => void) | undefined
  #open = true
  #gone = false
  #discarded = 0
  /** Ends an answer that went out before the whole body had come. */
  #endEarly: ((how: "well" | "cut") => void) | undefined
  #started = false
  #bodyComplete = true
  #closeAfter = false
  #onAbort: (() => void) | undefined
  #extra: ResponseHeaders = []

  constructor(res: HttpResponse, req: HttpRequest, unread: Underway) {
    this.#res = res
    this.#writer = new PacedWriter(res, unread)
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    this.query = req.getQuery() ?? ""
    this.headers = {
      apiKey: req.getHeader("x-api-key"),
      authorization: req.getHeader("authorization"),
      contentType: req.getHeader("content-type"),
      contentEncoding: req.getHeader("content-encoding"),
      anthropicVersion: req.getHeader("anthropic-version") || req.getHeader("msgapi-version"),
      anthropicBeta: req.getHeader("anthropic-beta"),
      codexResponsesLite: req.getHeader("x-openai-internal-codex-responses-lite"),
      traceParent: req.getHeader("traceparent")
    }
    this.#isHead = this.method === "HEAD"
    res.onAborted(() => {
      this.#open = false
      this.#gone = true
      this.#writer.forget()
      this.#endEarly?.("cut")
      this.#onAbort?.()
    })
  }

  get isOpen(): boolean {
    return this.#open
  }

  get isStarted(): boolean {
    return this.#started
  }

  get body(): Effect.Effect<Buffer, BodyTooLarge> {
    return Effect.callback((resume) => {
      const body = this.#body
      if (body === undefined) {
        this.#onBody = resume
        return
      }
      // A connection that waits for its next request must not keep the last one's body.
      this.#body = noBody
      resume(body)
    })
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

  /** Collects the body, of `declared` bytes if that was announced. Must be called before the handler returns. */
  collectBody(declared: number | undefined, bytesMax: number): void {
    this.#body = undefined
    this.#bodyComplete = false
    const body = new BodyBytes(declared)
    let tooLarge = declared !== undefined && declared > bytesMax
    if (tooLarge) this.#settleBody(Exit.fail(new BodyTooLarge()))
    this.#res.onData((chunk, isLast) => {
      if (tooLarge) return this.#discard(chunk.byteLength, isLast)
      if (body.size + chunk.byteLength > bytesMax) {
        tooLarge = true
        body.forget()
        this.#settleBody(Exit.fail(new BodyTooLarge()))
        return
      }
      body.add(chunk)
      if (!isLast) return
      this.#bodyComplete = true
      this.#settleBody(Exit.succeed(body.take()))
    })
  }

  #settleBody(body: Exit.Exit<Buffer, BodyTooLarge>): void {
    if (this.#onBody === undefined) {
      this.#body = body
      return
    }
    this.#onBody(body)
    this.#onBody = undefined
  }

  /** Whatever body comes is not kept. */
  ignoreBody(): void {
    this.#bodyComplete = false
    this.#res.onData((chunk, isLast) => this.#discard(chunk.byteLength, isLast))
  }

  respond(status: number, headers: ResponseHeaders, body: string | Uint8Array): void {
    if (!this.#open) return
    this.#open = false
    if (this.#bodyComplete) return this.#answer(status, headers, body)
    // A small body comes with the headers, and is only delivered when the handler has returned.
    setImmediate(() => {
      if (this.#gone) return
      if (this.#bodyComplete) this.#answer(status, headers, body)
      else this.#answerEarly(status, headers, body)
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
    this.#writer.end(piece)
  }

  drop(): void {
    if (this.#open) this.#res.close()
  }

  #answer(status: number, headers: ResponseHeaders, body: string | Uint8Array): void {
    const head = () => this.#head(status, headers)
    if (!this.#isHead) return this.#writer.endWith(head, body, this.#closeAfter)
    this.#res.cork(() => {
      head()
      endHead(this.#res, Buffer.byteLength(body))
    })
  }

  /**
   * Answers a client that still sends its body. A connection that is closed under it would fail its sending, and most
   * clients would never read the answer: so what comes is thrown away for a while.
   */
  #answerEarly(status: number, headers: ResponseHeaders, body: string | Uint8Array): void {
    const res = this.#res
    this.#closeAfter = true
    res.cork(() => {
      this.#head(status, headers)
      res.write(body)
    })
    const end = (how: "well" | "cut") => {
      this.#endEarly = undefined
      clearTimeout(timer)
      if (this.#gone) return
      if (how === "cut") res.close()
      else res.cork(() => res.end())
    }
    const timer = setTimeout(() => end("well"), discardMs)
    this.#endEarly = end
  }

  #discard(bytes: number, isLast: boolean): void {
    this.#discarded += bytes
    if (isLast) this.#bodyComplete = true
    if (isLast) this.#endEarly?.("well")
    else if (this.#discarded > discardedBytesMax) this.#endEarly?.("cut")
  }

  #head(status: number, headers: ResponseHeaders): void {
    const res = this.#res
    res.writeStatus(statusLine(status))
    for (const [name, value] of headers) res.writeHeader(name, value)
    for (const [name, value] of this.#extra) res.writeHeader(name, value)
    if (this.#closeAfter) res.writeHeader("connection", "close")
  }
}
