/**
 * Hands requests for the dashboard to its own thread, over a loopback connection that only this process can use, and
 * passes the answers on with back-pressure.
 */
import { Context, Deferred, Effect, Layer } from "effect"
import { Pool, type Dispatcher } from "undici"
import type * as uWS from "uWebSockets.js"
import type { IncomingHttpHeaders } from "node:http"
import type { CallId } from "../domain/ids.ts"
import type { BodyTooLarge, NoRoomForBody } from "../gateway/Client.ts"
import { byteText } from "../sockets/byte-text.ts"
import type { DashboardPlaces, Place } from "./DashboardPlaces.ts"
import type { Exchange } from "./Exchange.ts"
import { type Content, Unsent } from "./Unsent.ts"

export interface DashboardTarget {
  readonly url: string
  readonly secret: string
}

export class DashboardProxy extends Context.Service<
  DashboardProxy,
  {
    /** `id`: what its answer has as `request-id`. */
    serve(exchange: Exchange, req: uWS.HttpRequest, places: DashboardPlaces, id: CallId): void
    /** Where the dashboard is now; `undefined` while it is not there. */
    aim(target: DashboardTarget | undefined): void
  }
>()("tollgate/http/DashboardProxy") {
  static readonly layer = Layer.effect(
    DashboardProxy,
    Effect.acquireRelease(
      Effect.map(Effect.context<never>(), (context) => new DashboardConnections(context)),
      (proxy) => Effect.promise(() => proxy.close())
    )
  )
}

export const dashboardBodyBytesMax = 256 * 1024

/** How long a request waits for a dashboard that starts, or starts anew: as long as that takes on a busy machine. */
export const startMaxMs = 5_000

type Passed = Dispatcher.DispatchOptions & { readonly headers: Record<string, string> }

/** Said of one connection, or said by us: the client's own are not passed on. */
const notForwarded = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
  "proxy-connection",
  "content-length",
  "date",
  "uwebsockets",
  "x-real-ip",
  "x-forwarded-for",
  "x-forwarded-proto",
  "x-forwarded-host",
  "request-id",
  "x-request-id",
  "x-tollgate-internal"
])

class DashboardConnections {
  readonly #context: Context.Context<never>
  #target: DashboardTarget | undefined
  #pool: Pool | undefined
  /** Done while it is there. */
  #aimed = Deferred.makeUnsafe<void>()

  constructor(context: Context.Context<never>) {
    this.#context = context
  }

  aim(target: DashboardTarget | undefined): void {
    if (target?.url !== this.#target?.url) {
      void this.#pool?.destroy()
      this.#pool =
        target === undefined ? undefined : new Pool(target.url, { headersTimeout: 60_000, bodyTimeout: 0 })
      if (target === undefined) this.#aimed = Deferred.makeUnsafe()
    }
    this.#target = target
    if (target !== undefined) Deferred.doneUnsafe(this.#aimed, Effect.void)
  }

  serve(exchange: Exchange, req: uWS.HttpRequest, places: DashboardPlaces, id: CallId): void {
    const headers = this.#headersOf(exchange, req, id)
    const { remoteAddress, toldAddress } = exchange
    const path = byteText(exchange.query === "" ? exchange.path : `${exchange.path}?${exchange.query}`)
    const served = Effect.matchEffect(exchange.body, {
      onFailure: (refusal) => Effect.sync(() => refuse(exchange, refusal)),
      onSuccess: (body) => {
        const place = places.take(toldAddress, remoteAddress)
        if (place === undefined) return Effect.sync(() => unavailable(exchange, busy))
        const sent = body.length === 0 ? null : body
        return Effect.map(this.#there, () =>
          this.#pass(exchange, place, { path, method: exchange.method, headers, body: sent })
        )
      }
    })
    const unsent = () => unreachable(exchange)
    Effect.runCallbackWith(this.#context)(Effect.catchDefect(served, () => Effect.sync(unsent)))
  }

  /** The dashboard is there, or does not come in time. */
  get #there(): Effect.Effect<unknown> {
    return this.#pool === undefined
      ? Effect.timeoutOption(Deferred.await(this.#aimed), startMaxMs)
      : Effect.void
  }

  #pass(exchange: Exchange, place: Place, request: Passed): void {
    if (this.#pool === undefined) {
      place.leave()
      return unavailable(exchange, starting)
    }
    try {
      // It may be another one than was there when the request began.
      request.headers["x-tollgate-internal"] = this.#target!.secret
      this.#pool.dispatch(request, new Relay(exchange, place))
    } catch (fault) {
      place.leave()
      throw fault
    }
  }

  close(): Promise<unknown> {
    Deferred.doneUnsafe(this.#aimed, Effect.void)
    return this.#pool?.destroy() ?? Promise.resolve()
  }

  #headersOf(exchange: Exchange, req: uWS.HttpRequest, id: CallId): Record<string, string> {
    const headers: Record<string, string> = {}
    let forwardedProto = ""
    req.forEach((name, value) => {
      if (name === "x-forwarded-proto") forwardedProto = value
      if (!notForwarded.has(name)) headers[name] = byteText(value)
    })
    headers["x-real-ip"] = exchange.address
    headers["x-forwarded-proto"] = forwardedProto === "https" ? "https" : "http"
    headers["x-forwarded-host"] = headers["host"] ?? ""
    headers["x-request-id"] = id
    return headers
  }
}

const refuse = (exchange: Exchange, refusal: BodyTooLarge | NoRoomForBody): void =>
  refusal._tag === "NoRoomForBody" ? unavailable(exchange, busy) : tell(exchange, 413, "too_large", tooLarge)

const unavailable = (exchange: Exchange, said: Said): void =>
  tell(exchange, 503, "unavailable", said, [["retry-after", "2"]])

const unreachable = (exchange: Exchange): void => tell(exchange, 502, "unavailable", away)

/** What people read, who are told what to do, too: which language is theirs is the dashboard's to know. */
interface Said {
  readonly vi: string
  readonly en: string
}

const again = { vi: "Hãy thử lại sau ít phút.", en: "Please try again in a few minutes." }
const starting: Said = {
  vi: `Trang quản lý đang khởi động. ${again.vi}`,
  en: `The dashboard is starting. ${again.en}`
}
const busy: Said = { vi: `Dịch vụ đang bận. ${again.vi}`, en: `The service is busy. ${again.en}` }
const away: Said = {
  vi: `Trang quản lý tạm thời không mở được. ${again.vi}`,
  en: `The dashboard can't be opened right now. ${again.en}`
}
const tooLarge: Said = { vi: "Nội dung gửi lên quá lớn.", en: "The request is too large." }

type Headers = ReadonlyArray<readonly [string, string]>

/** Programs are told in the API's own shape, people in words. */
const tell = (exchange: Exchange, status: number, code: string, said: Said, headers: Headers = []) => {
  const isApi = /^(?:\/dashboard)?\/api\//.test(exchange.path)
  const type = isApi ? "application/json; charset=utf-8" : "text/plain; charset=utf-8"
  const text = isApi ? JSON.stringify({ error: { code, message: said.en } }) : `${said.vi}\n${said.en}\n`
  exchange.respond(status, [["content-type", type], ...headers], text)
}

class Relay implements Dispatcher.DispatchHandler {
  readonly #exchange: Exchange
  readonly #place: Place
  /** Goes out with the first of the body, or with the end where there is none. */
  #head: { readonly status: number; readonly headers: Headers } | undefined
  /** What it has for a body where none comes. */
  #bodiless: Content = ""

  constructor(exchange: Exchange, place: Place) {
    this.#exchange = exchange
    this.#place = place
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#exchange.onAbort(() => controller.abort(new Error("client left")))
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    if (headers["content-type"]?.startsWith("text/event-stream") === true) this.#place.letGo()
    const passed: Array<readonly [string, string]> = []
    for (const [name, value] of Object.entries(headers)) {
      if (value === undefined || notForwarded.has(name)) continue
      for (const each of Array.isArray(value) ? value : [value]) passed.push([name, each])
    }
    this.#head = { status, headers: passed }
    if (this.#exchange.method === "HEAD") this.#bodiless = new Unsent(lengthIn(headers))
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#head !== undefined) this.#exchange.start(this.#head.status, this.#head.headers)
    this.#head = undefined
    if (this.#exchange.write(chunk)) return
    controller.pause()
    this.#exchange.whenWritable(() => controller.resume())
  }

  onResponseEnd(): void {
    this.#place.leave()
    if (this.#head === undefined) this.#exchange.end()
    else this.#exchange.respond(this.#head.status, this.#head.headers, this.#bodiless)
  }

  onResponseError(): void {
    this.#place.leave()
    if (this.#exchange.isStarted) this.#exchange.drop()
    else unreachable(this.#exchange)
  }
}

const lengthIn = ({ "content-length": told }: IncomingHttpHeaders): number | undefined =>
  told === undefined ? undefined : Number(told)
