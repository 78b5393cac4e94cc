/** The uWebSockets.js front of a gateway thread: one fiber for each call, interrupted when its client goes away. */
import { Context, Effect, FiberSet, Layer, Schedule, Schema } from "effect"
import * as uWS from "uWebSockets.js"
import type { Limits } from "../config/settings.ts"
import { makeCallId } from "../domain/ids.ts"
import {
  busy,
  type CallError,
  invalidRequest,
  noWebSocket,
  wrongMethod,
  wrongPath
} from "../gateway/CallError.ts"
import { idHeaders, jsonType } from "../gateway/answer-headers.ts"
import { Gateway, type GatewayShape } from "../gateway/Gateway.ts"
import { renderPathError } from "../gateway/render-call-error.ts"
import { serveCall } from "../gateway/serve-call.ts"
import { serveModels } from "../gateway/serve-models.ts"
import { serveReport } from "../gateway/serve-report.ts"
import { findAlone, listenOn, type Place } from "../sockets/listen-on.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import { corsHeaders, isForAnyOrigin, preflightHeaders } from "./cors.ts"
import { DashboardProxy, dashboardBodyBytesMax } from "./DashboardProxy.ts"
import type { Edge } from "./Edge.ts"
import { Exchange } from "./Exchange.ts"
import { openEdge } from "./open-edge.ts"
import { OpenFibers } from "./OpenFibers.ts"
import { Operations } from "./Operations.ts"
import { type Destination, destinationOf, unknownDestination } from "./destinations.ts"

export class PortTaken extends Schema.TaggedError<PortTaken>()("PortTaken", {
  host: Schema.String,
  port: Schema.Int
}) {
  override get message() {
    return `Can not listen on ${this.host} port ${this.port}: it is in use, not permitted or not of this machine (HOST, PORT)`
  }
}

export class HttpServer extends Context.Service<
  HttpServer,
  {
    readonly port: number
    /** Answers from now on close their connections. */
    readonly closeAfterAnswers: Effect.Effect<void>
    /** Takes no more connections either. */
    readonly stopListening: Effect.Effect<void>
    /** Ends when no call is under way, and every client has taken its answer. */
    readonly idle: Effect.Effect<unknown>
    /** Ends calls that still wait, as for their bodies; what is done for them is charged and answered. */
    readonly endCalls: () => void
    /** Cuts every connection, at the very end. */
    readonly closeNow: () => void
  }
>()("tollgate/http/HttpServer") {
  static readonly layer = (place: Place) =>
    Layer.effect(
      HttpServer,
      Effect.gen(function* () {
        const gateway = yield* Gateway
        const operations = yield* Operations
        const dashboard = yield* DashboardProxy
        const [calls, others] = yield* Effect.all([OpenFibers.make, OpenFibers.make])
        const edge = openEdge(gateway)
        const front = new Front(gateway, operations, dashboard, { calls, others }, edge)
        const app = uWS.App()
        app.filter((handle, count) =>
          count > 0 ? edge.connections.opened(handle) : edge.connections.closed()
        )
        for (const method of methods) app[method]("/*", (res, req) => front.receiveFirst(res, req))
        app.any("/*", (res, req) => front.receive(res, req))
        const closeNow = () => void app.close()
        const socket = yield* Effect.acquireRelease(listen(app, place), () => Effect.sync(closeNow))
        const keepResting = Effect.sync(() => front.keepResting())
        yield* Effect.forkScoped(Effect.repeat(keepResting, Schedule.spaced("250 millis")))
        return HttpServer.of({
          port: uWS.us_socket_local_port(socket),
          closeAfterAnswers: Effect.sync(() => front.closeAfterAnswers()),
          stopListening: Effect.sync(() => front.stopListening(socket)),
          idle: Effect.all([
            calls.whenEmpty,
            others.whenEmpty,
            FiberSet.awaitEmpty(gateway.drains),
            edge.unread.whenNone
          ]),
          endCalls: () => calls.interrupt(),
          closeNow
        })
      })
    )
}

const listen = (app: uWS.TemplatedApp, place: Place) =>
  Effect.suspend(() => {
    const port = place.isShared && place.port !== 0 ? place.port : findAlone(app, place)
    // Shared with our other threads at least.
    const socket = port !== undefined && listenOn(app, { ...place, port, isShared: true })
    return socket === false ? new PortTaken(place) : Effect.succeed(socket)
  })

type Fibers = Readonly<Record<"calls" | "others", OpenFibers>>

class Front {
  readonly #gateway: GatewayShape
  readonly #operations: Operations["Service"]
  readonly #dashboard: DashboardProxy["Service"]
  readonly #fibers: Fibers
  readonly #edge: Edge
  #closing = false
  #closed = false
  /** Another handle to the connection of the request that is being told of. */
  #spare: uWS.HttpResponse | undefined

  constructor(
    gateway: GatewayShape,
    operations: Operations["Service"],
    dashboard: DashboardProxy["Service"],
    fibers: Fibers,
    edge: Edge
  ) {
    this.#gateway = gateway
    this.#operations = operations
    this.#dashboard = dashboard
    this.#fibers = fibers
    this.#edge = edge
  }

  closeAfterAnswers(): void {
    this.#closing = true
  }

  /** Those that are not needed any more end by themselves within some seconds. */
  keepResting(): void {
    if (!this.#closing) this.#edge.connections.keepResting()
  }

  stopListening(socket: uWS.us_listen_socket): void {
    this.#closing = true
    if (!this.#closed) uWS.us_listen_socket_close(socket)
    this.#closed = true
  }

  /**
   * A request in chunks may stand still for long, and nothing tells on which connection it came (see `Connection`): handed on as if
   * it were not taken, it comes again, to `receive`, with a second handle to that.
   */
  receiveFirst(res: uWS.HttpResponse, req: uWS.HttpRequest): void {
    if (!isInChunks(req)) return this.receive(res, req)
    this.#spare = res
    req.setYield(true)
  }

  receive(res: uWS.HttpResponse, req: uWS.HttpRequest): void {
    const spare = this.#spare
    this.#spare = undefined
    // Without a second handle nobody would hear of the connection again.
    if (isInChunks(req) && spare === undefined) return void res.close()
    const exchange = new Exchange(res, req, this.#edge)
    if (spare === undefined) this.#edge.connections.arrive(exchange)
    else this.#edge.connections.arriveInChunks(exchange, res, spare)
    try {
      this.#receive(exchange, req)
    } catch (fault) {
      // It breaks this connection off, not all calls of the thread.
      const stack = describeFault(fault)
      this.#gateway.log.problem("A request was broken off by a fault of the gateway", { stack })
      exchange.breakOff()
    }
  }

  #receive(exchange: Exchange, req: uWS.HttpRequest): void {
    if (this.#closing) exchange.closeAfter()
    const destination = destinationOf(exchange.method, exchange.path)
    const { hasDashboard, limits } = this.#gateway.models.settings()
    const declared = declaredLength(req)
    if (declared !== 0) exchange.expectBody(declared, bodyBytesMax(destination, limits))
    if (isInChunks(req) && !isInChunksAlone(req)) return this.#refuseEncoding(exchange)
    const isOpen = isForAnyOrigin(exchange.path, destination)
    if (isOpen) exchange.always(corsHeaders)
    if (isOpen && exchange.method === "OPTIONS") {
      const allowed = preflightHeaders(req.getHeader("access-control-request-headers"))
      return exchange.respond(204, [...idHeaders(nameless()), ...allowed], "")
    }
    switch (destination._tag) {
      case "Call": {
        const serve = this.#edge.openExchanges > limits.maxOpenCalls ? refuseBusy : destination.serve
        const served = serveCall(this.#gateway, exchange, destination.endpoint, serve)
        return this.#serve(exchange, served, this.#fibers.calls)
      }
      case "Models":
        return this.#serve(exchange, serveModels(this.#gateway, exchange, destination.id))
      case "Report":
        return this.#serve(exchange, serveReport(this.#gateway, exchange, destination.report))
      case "Operations":
        exchange.always(idHeaders(nameless()))
        return this.#serve(exchange, this.#operations.serve(destination.page, exchange))
      case "Dashboard": {
        if (!hasDashboard) return this.#refuse(exchange, unknownDestination, req)
        const { id } = nameless()
        exchange.always(idHeaders({ id }))
        return this.#dashboard.serve(exchange, req, this.#edge.dashboardPlaces, id)
      }
      case "Root":
        return this.#answerRoot(exchange, req)
      case "ChangePassword":
        if (!hasDashboard) return this.#refuse(exchange, unknownDestination, req)
        return exchange.respond(302, [...idHeaders(nameless()), ["location", "/dashboard/account"]], "")
      default:
        return this.#refuse(exchange, destination, req)
    }
  }

  #serve(exchange: Exchange, effect: Effect.Effect<unknown>, among = this.#fibers.others): void {
    const fiber = among.run(effect)
    exchange.onAbort(() => fiber.interruptUnsafe())
  }

  #refuseEncoding(exchange: Exchange): void {
    // What others take for the next request may have been read as chunks of this one.
    exchange.closeAfter()
    const error = invalidRequest("Of transfer encodings only chunked is accepted.")
    const { body, headers, status } = renderPathError(error, nameless().id)
    exchange.respond(status, headers, body)
  }

  /** People are sent to the dashboard, programs get what they can read. */
  #answerRoot(exchange: Exchange, req: uWS.HttpRequest): void {
    const ids = idHeaders(nameless())
    const isPerson = /\btext\/html\b/.test(req.getHeader("accept"))
    if (isPerson && this.#gateway.models.settings().hasDashboard) {
      return exchange.respond(302, [...ids, ["location", "/dashboard"], ["vary", "accept"]], "")
    }
    exchange.respond(200, [jsonType, ...ids], '{"service":"tollgate"}')
  }

  #refuse(exchange: Exchange, destination: Destination, req: uWS.HttpRequest): void {
    const call = nameless()
    if (exchange.path === "/v1/responses" && req.getHeader("upgrade") !== "") {
      const { body, headers, status } = renderPathError(noWebSocket(), call.id)
      return exchange.respond(status, [...headers, ["upgrade", "HTTP/1.1"]], body)
    }
    const error = errorOf(destination, exchange.path, this.#gateway.models.settings().publicUrl)
    const { body, headers, status } = renderPathError(error, call.id)
    exchange.respond(status, headers, body)
  }
}

/** Beyond what a thread can hold open, a quick refusal is better than a slow death. */
const refuseBusy = () => Effect.fail(busy())

const errorOf = (destination: Destination, path: string, publicUrl: string): CallError => {
  if (destination._tag === "WrongMethod") return wrongMethod(destination.allow)
  if (destination._tag === "WrongBase") {
    // Who sends no version leaves it to the base address, whichever protocol it speaks.
    const base = /\/v1\//.test(path)
      ? `Messages clients take ${publicUrl} as base address, chat-completions and Responses clients take ${publicUrl}/v1.`
      : `This client takes ${publicUrl}/v1 as base address.`
    return wrongPath(`There is no ${shown(path)}: the path is ${destination.right}. ${base}`)
  }
  return wrongPath(`There is no ${shown(path)}.`)
}

const shown = (path: string): string => path.slice(0, 200)

/** What is answered without being a call has an id all the same, as every answer has. */
const nameless = () => ({ id: makeCallId(Date.now()) })

/** All that anybody sends; others have no second handle. */
const methods = ["get", "post", "options", "put", "patch", "head", "del"] as const

const isInChunks = (req: uWS.HttpRequest): boolean => req.getHeader("transfer-encoding") !== ""

/** uWebSockets.js takes every transfer encoding for chunks, and any number of them; whoever stands before us may not. */
const isInChunksAlone = (req: uWS.HttpRequest): boolean => {
  const encodings: Array<string> = []
  req.forEach((name, value) => {
    if (name === "transfer-encoding") encodings.push(value.toLowerCase())
  })
  return encodings.length === 1 && encodings[0] === "chunked"
}

/** What is kept of a request's body. */
const bodyBytesMax = (destination: Destination, { maxBodyBytes }: Limits): number => {
  if (destination._tag === "Call") return maxBodyBytes
  return destination._tag === "Dashboard" ? dashboardBodyBytesMax : 0
}

/** `undefined` where a body comes of which no length was announced; 0 without a body. */
const declaredLength = (req: uWS.HttpRequest): number | undefined => {
  const text = req.getHeader("content-length")
  if (text === "") return req.getHeader("transfer-encoding") === "" ? 0 : undefined
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
