/** What a collector does not take is counted, and the log says why, once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { createServer } from "node:http"
import type { TelemetrySettings } from "../../src/config/settings.ts"
import { Tracing } from "../../src/telemetry/Tracing.ts"
import { listen } from "../listen.ts"

const settingsFor = (url: string): TelemetrySettings => ({
  otlpTracesUrl: url,
  headers: {},
  serviceName: "tollgate",
  resourceAttributes: {}
})

/** More than one batch of them. */
const spansMade = 600

const finishCalls = Effect.gen(function* () {
  const tracing = yield* Tracing
  for (let call = 0; call < spansMade; call++) {
    tracing.finished({
      trace: tracing.begin("")!,
      endpoint: "messages",
      startedMs: 0,
      endedMs: 1,
      status: 200,
      errorType: "",
      attributes: {},
      attempts: []
    })
  }
  return tracing
})

describe("spans that the collector does not take", () => {
  it.live("are counted, and the log says once why", () =>
    Effect.gen(function* () {
      const collector = createServer((request, response) => {
        request.resume()
        response.writeHead(401).end()
      })
      const url = `http://127.0.0.1:${yield* Effect.promise(() => listen(collector))}/v1/traces`
      const said: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void said.push(message))])
      // What waits is sent when the scope closes.
      const tracing = yield* Effect.provide(
        finishCalls,
        Layer.provideMerge(Tracing.layer(settingsFor(url)), logger)
      )
      collector.closeAllConnections()
      collector.close()
      assert.strictEqual(tracing.dropped(), spansMade)
      assert.deepStrictEqual(said.flat(), ["Could not export spans: the collector answered 401"])
    })
  )
})
