/**
 * Traces, sent to a collector as OTLP over HTTP in JSON: one span for each call, its attempts inside. Nothing of it is
 * on a call's way but a few ids; batches go out on the side, and what a collector does not take in time is dropped.
 */
import { Context, Effect, Layer } from "effect"
import { request } from "undici"
import { noProxies, placeOf, type Proxies } from "../config/choose-proxy.ts"
import type { TelemetrySettings } from "../config/settings.ts"
import { outwardAgent } from "../outgoing/connect-outward.ts"
import { beginTrace, type CallTrace } from "./CallTrace.ts"
import { type Attributes, type FinishedSpan, renderSpans } from "./render-spans.ts"
import { steadyMs } from "./steady-clock.ts"

/** A call that is over, as its spans tell it. */
export interface TracedCall {
  readonly trace: CallTrace
  readonly endpoint: string
  readonly startedMs: number
  readonly endedMs: number
  readonly status: number
  readonly errorType: string
  /** Of what happened, never of what was said. */
  readonly attributes: Readonly<Record<string, string | number | boolean | undefined>>
  readonly attempts: ReadonlyArray<{
    readonly route: string
    readonly outcome: number | string
    readonly detail?: string | undefined
    readonly ms: number
  }>
}

export class Tracing extends Context.Service<
  Tracing,
  {
    /** `undefined` where this call is not traced. */
    begin(traceParent: string): CallTrace | undefined
    finished(call: TracedCall): void
    /** Spans that were lost. */
    readonly dropped: () => number
  }
>()("tollgate/telemetry/Tracing") {
  static readonly layer = (settings: TelemetrySettings, proxies = noProxies) =>
    settings.otlpTracesUrl === undefined
      ? Layer.succeed(Tracing, off)
      : Layer.effect(Tracing, exportTo(settings.otlpTracesUrl, settings, proxies))
}

const off: Tracing["Service"] = { begin: () => undefined, finished: () => {}, dropped: () => 0 }

const spansMax = 8_192
const batchMax = 512
const timeoutMs = 5_000
/** A collector that takes some and refuses others is not told of each time. */
const warnEveryMs = 60_000

const exportTo = Effect.fnUntraced(function* (url: string, settings: TelemetrySettings, proxies: Proxies) {
  const dispatcher = yield* Effect.acquireRelease(
    Effect.sync(() => outwardAgent(proxies)),
    (agent) => Effect.promise(() => agent.destroy())
  )
  let waiting: Array<FinishedSpan> = []
  let dropped = 0
  let isFailing = false
  let warnedMs = -Infinity
  const post = async (batch: ReadonlyArray<FinishedSpan>, signal: AbortSignal) => {
    const { body, statusCode } = await request(url, {
      dispatcher,
      signal,
      method: "POST",
      headers: { "content-type": "application/json", ...settings.headers },
      body: JSON.stringify(renderSpans(batch, settings)),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs
    })
    await body.dump()
    if (statusCode >= 300) throw new Error(`the collector answered ${statusCode}`)
  }
  const send = (batch: ReadonlyArray<FinishedSpan>) =>
    // What is not answered in time is broken off: an answer that comes later would end what is told below.
    Effect.tryPromise({ try: (signal) => post(batch, signal), catch: reasonOf }).pipe(
      Effect.timeoutOrElse({ duration: timeoutMs, orElse: () => Effect.fail("no answer in time") }),
      Effect.tap(() => Effect.sync(() => (isFailing = false))),
      Effect.catch((reason) => {
        dropped += batch.length
        // Said once for all that fails in a row: a collector may be away for days.
        const isKnown = isFailing || steadyMs() - warnedMs < warnEveryMs
        isFailing = true
        if (isKnown) return Effect.void
        warnedMs = steadyMs()
        return Effect.logWarning(`Could not export spans: ${reason}`)
      })
    )
  const flush = Effect.gen(function* () {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchMax)
      waiting = waiting.slice(batch.length)
      yield* send(batch)
    }
  })
  // The last spans are sent at the end, if that is quick.
  yield* Effect.addFinalizer(() => Effect.timeoutOption(flush, "2 seconds"))
  yield* flush.pipe(Effect.delay("1 second"), Effect.forever, Effect.forkScoped)
  return Tracing.of({
    begin: beginTrace,
    finished: (call) => {
      const spans = spansOf(call)
      if (waiting.length + spans.length > spansMax) dropped += spans.length
      else waiting.push(...spans)
    },
    dropped: () => dropped
  })
})

const spansOf = (call: TracedCall): ReadonlyArray<FinishedSpan> => {
  const { trace } = call
  const attempts = trace.attempts.map(({ baseUrl, spanId, startedMs }, index): FinishedSpan => {
    const known = call.attempts[index]
    // An answer that is relayed lasts as long as the call; everything else ended with its status.
    const relayed = known === undefined || (typeof known.outcome === "number" && known.outcome < 300)
    const failed = known !== undefined && !relayed && known.outcome !== "left"
    const error = failed ? String(known.outcome) : undefined
    return {
      traceId: trace.traceId,
      spanId,
      parentSpanId: trace.spanId,
      name: "upstream attempt",
      kind: "client",
      startedMs,
      endedMs: relayed ? call.endedMs : startedMs + known!.ms,
      error,
      attributes: {
        "http.request.method": "POST",
        ...serverOf(baseUrl),
        "tollgate.route": known?.route,
        "tollgate.outcome": known === undefined ? "left" : String(known.outcome),
        "tollgate.detail": known?.detail,
        "http.response.status_code":
          known !== undefined && typeof known.outcome === "number" ? known.outcome : undefined,
        "error.type": error
      }
    }
  })
  const own: FinishedSpan = {
    traceId: trace.traceId,
    spanId: trace.spanId,
    parentSpanId: trace.parentSpanId,
    name: call.endpoint,
    kind: "server",
    startedMs: call.startedMs,
    endedMs: call.endedMs,
    error: call.status >= 500 ? call.errorType : undefined,
    attributes: {
      "http.response.status_code": call.status,
      "error.type": call.errorType === "" ? undefined : call.errorType,
      ...call.attributes
    }
  }
  return [own, ...attempts]
}

const servers = new Map<string, Attributes>()

/** Remembered, since there are few base addresses and calls are many. */
const serverOf = (baseUrl: string): Attributes => {
  const known = servers.get(baseUrl)
  if (known !== undefined) return known
  const { hostname, port } = placeOf(baseUrl)
  const server = { "server.address": hostname, "server.port": port }
  servers.set(baseUrl, server)
  return server
}

/** Where a name has several addresses and none answers, the error has a code but no message. */
const reasonOf = (cause: unknown): string => {
  const { code, message } = cause as NodeJS.ErrnoException
  return message === "" && code !== undefined ? code : message
}
