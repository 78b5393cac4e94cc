/**
 * A stand-in for the providers: one HTTP server that speaks each of their wire protocols. It is what a first run, the
 * tests and the benchmarks call instead of a provider; paths match by their end, so that any base URL works.
 */
import { Schema } from "effect"
import * as uWS from "uWebSockets.js"
import { listenOn } from "../sockets/listen-on.ts"
import { LocalExchange } from "../sockets/LocalExchange.ts"
import { type Control, isControl, serveControl } from "./control.ts"
import { plainJson } from "./http/Answer.ts"
import { deliverPlain } from "./http/deliver-plain.ts"
import { deliverStream } from "./http/deliver-stream.ts"
import { type CallRecord, Observer } from "./http/Observer.ts"
import { Replays } from "./http/Replays.ts"
import type { Call } from "./Protocol.ts"
import { route } from "./route.ts"
import { serveCall, type Served } from "./serve-call.ts"
import { gatherSettings, noSettings } from "./settings.ts"

export interface RunningSimulator {
  readonly url: string
  readonly close: () => void
}

export class SimulatorPortTaken extends Schema.TaggedError<SimulatorPortTaken>()("SimulatorPortTaken", {
  port: Schema.Int
}) {
  override get message() {
    return `The simulator can not listen on port ${this.port}.`
  }
}

/** On this machine alone; rejects with `SimulatorPortTaken`. */
export const startSimulator = ({ port = 0 }: { readonly port?: number } = {}): Promise<RunningSimulator> => {
  const control: Control = { observer: new Observer(), replays: new Replays(), defaults: noSettings }
  const app = uWS.App().any("/*", (res, req) => accept(control, new LocalExchange(res, req)))
  return new Promise((resolve, reject) => {
    const socket = listenOn(app, { host: "127.0.0.1", port, isShared: false })
    if (socket === false) return reject(new SimulatorPortTaken({ port }))
    resolve({
      url: `http://127.0.0.1:${uWS.us_socket_local_port(socket)}`,
      close: () => void app.close()
    })
  })
}

const accept = (control: Control, exchange: LocalExchange): void => {
  if (isControl(exchange.path)) return readBody(exchange, (body) => serveControl(control, exchange, body))
  const { observer } = control
  const { method, path, query, headers } = exchange
  const record: CallRecord = {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers,
    body: Buffer.alloc(0),
    model: undefined,
    status: undefined,
    aborted: false,
    done: false,
    bytesSent: 0
  }
  observer.start(record)
  exchange.onGone(() => observer.abort(record))
  readBody(exchange, (body) => {
    record.body = body
    const served = serveAnyhow(control, { method, path, query, headers, raw: body })
    if (served.model !== undefined) observer.named(record, served.model)
    deliver(observer, exchange, record, served)
  })
}

/** Of any size, as the providers' own limits are no part of what is simulated. */
const readBody = (exchange: LocalExchange, done: (body: Buffer) => void): void =>
  exchange.readBody(Infinity, (body) => body !== undefined && done(body))

/** A fault of the simulator's own fails the call that met it, not all calls of its thread. */
const serveAnyhow = (control: Control, call: Call): Served => {
  try {
    return serve(control, call)
  } catch (fault) {
    const answer = plainJson(500, [], { error: { message: `The simulator has failed: ${String(fault)}` } })
    return { answer, settings: noSettings, model: undefined }
  }
}

const serve = (control: Control, call: Call): Served => {
  const recorded = control.replays.take(call.path)
  if (recorded !== undefined) {
    const settings = gatherSettings(control.defaults, call.headers["x-sim"])
    return {
      answer: recorded,
      settings: typeof settings === "string" ? noSettings : settings,
      model: undefined
    }
  }
  const found = route(call)
  return "kind" in found
    ? { answer: found, settings: control.defaults, model: undefined }
    : serveCall(found, call, control.defaults)
}

const deliver = (observer: Observer, exchange: LocalExchange, record: CallRecord, served: Served): void => {
  const { answer, settings } = served
  let stop = () => {}
  let opened = false
  exchange.onGone(() => {
    stop()
    if (opened) observer.streamClosed()
    observer.abort(record)
  })
  const send = () => {
    record.status = answer.status
    const sent = (bytes: number) => {
      record.bytesSent += bytes
    }
    if (answer.kind === "plain") {
      stop = deliverPlain(exchange, answer, settings, sent, () => observer.finish(record))
      return
    }
    opened = true
    observer.streamOpened()
    stop = deliverStream(exchange, answer, settings, sent, () => {
      observer.streamClosed()
      observer.finish(record)
    })
  }
  if (settings.hang === "headers") return
  if (settings.latency === 0) return send()
  const timer = setTimeout(send, settings.latency)
  stop = () => clearTimeout(timer)
}
