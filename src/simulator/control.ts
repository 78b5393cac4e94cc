/** The simulator's own paths, under `/_sim/`: what was seen, what shall be different, what to replay. */
import { isJsonObject } from "../formats/json/json.ts"
import type { LocalExchange } from "../sockets/LocalExchange.ts"
import type { Observer } from "./http/Observer.ts"
import type { Replays } from "./http/Replays.ts"
import { jsonIn } from "./read-json.ts"
import { noSettings, parseSettings, type Settings } from "./settings.ts"

export interface Control {
  readonly observer: Observer
  readonly replays: Replays
  defaults: Settings
}

/** A question for a state that does not come is answered all the same. */
const patienceMs = 10_000

export const isControl = (path: string): boolean => path.startsWith("/_sim/")

export const serveControl = (control: Control, exchange: LocalExchange, body: Buffer): void => {
  switch (`${exchange.method} ${exchange.path}`) {
    case "get /_sim/calls":
      return reportWhen(control.observer, exchange)
    case "post /_sim/reset":
      control.observer.reset()
      control.replays.clear()
      control.defaults = noSettings
      return send(exchange, 200, { ok: true })
    case "post /_sim/defaults":
      return setDefaults(control, exchange, body)
    case "post /_sim/replay":
      return addReplay(control, exchange, body)
    default:
      return send(exchange, 404, { error: "calls, reset, defaults, replay" })
  }
}

/** `?aborted=1&finished=3&openStreams=0` waits until the counts have been reached (for open streams: fallen). */
const reportWhen = (observer: Observer, exchange: LocalExchange): void => {
  const wanted = new URLSearchParams(exchange.query)
  const counts = ["started", "finished", "aborted"] as const
  const reached = () =>
    counts.every((name) => observer[name] >= Number(wanted.get(name) ?? 0)) &&
    observer.openStreams <= Number(wanted.get("openStreams") ?? Infinity)
  if (reached()) return send(exchange, 200, observer.report())
  const answer = () => {
    forget()
    clearTimeout(timer)
    send(exchange, 200, observer.report())
  }
  const forget = observer.onChange(() => reached() && answer())
  const timer = setTimeout(answer, patienceMs)
  exchange.onGone(() => {
    forget()
    clearTimeout(timer)
  })
}

/** The body is the settings as a text, `latency=50 tokens=64`, and replaces the defaults before. */
const setDefaults = (control: Control, exchange: LocalExchange, body: Buffer): void => {
  const settings = parseSettings(body.toString())
  if (typeof settings === "string") return send(exchange, 400, { error: settings })
  control.defaults = settings
  send(exchange, 200, { ok: true })
}

const addReplay = (control: Control, exchange: LocalExchange, body: Buffer): void => {
  const order = jsonIn(body.toString())
  const complaint = isJsonObject(order) ? control.replays.add(order) : "the body is a JSON object"
  if (complaint === undefined) send(exchange, 200, { ok: true })
  else send(exchange, 400, { error: complaint })
}

const send = (exchange: LocalExchange, status: number, body: unknown): void =>
  exchange.cork(() => {
    exchange.begin(status, [["content-type", "application/json"]])
    exchange.end(JSON.stringify(body))
  })
