/** What a collector does not take is counted, and the log says why, once. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { createServer, type RequestListener } from "node:http"
import type { TelemetrySettings } from "../../src/config/settings.ts"
import { Tracing } from "../../src/telemetry/Tracing.ts"
import { delay } from "../delay.ts"
import { listen } from "../listen.ts"

const settingsFor = (url: string): TelemetrySettings => ({
  otlpTracesUrl: url,
  headers: {},
  serviceName: "tollgate",
  resourceAttributes: {}
})

/** A batch. */
const batchMax = 512

const finishCalls = (count: number) =>
  Effect.gen(function* () {
    const tracing = yield* Tracing
    for (let call = 0; call < count; call++) {
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

/** What is exported to a collector that answers so, and what the log says of it. */
const exportTo = <A>(answer: RequestListener, use: Effect.Effect<A, never, Tracing>) =>
  Effect.gen(function* () {
    const collector = createServer(answer)
    const url = `http://127.0.0.1:${yield* Effect.promise(() => listen(collector))}/v1/traces`
    const said: Array<unknown> = []
    const logger = Logger.layer([Logger.make(({ message }) => void said.push(message))])
    // What waits is sent when the scope closes.
    const used = yield* Effect.provide(use, Layer.provideMerge(Tracing.layer(settingsFor(url)), logger))
    collector.closeAllConnections()
    collector.close()
    return { used, said: said.flat() }
  })

describe("spans that the collector does not take", () => {
  it.live("are counted, and the log says once why", () =>
    Effect.gen(function* () {
      const refuse: RequestListener = (request, response) => {
        request.resume()
        response.writeHead(401).end()
      }
      const { said, used } = yield* exportTo(refuse, finishCalls(batchMax + 88))
      assert.strictEqual(used.dropped(), batchMax + 88)
      assert.deepStrictEqual(said, ["Could not export spans: the collector answered 401"])
    })
  )

  it.live("are told of once a minute by a collector that takes some and refuses others", () =>
    Effect.gen(function* () {
      let asked = 0
      const refuseEachOther: RequestListener = (request, response) => {
        request.resume()
        response.writeHead(asked++ % 2 === 0 ? 429 : 200).end()
      }
      const { said, used } = yield* exportTo(refuseEachOther, finishCalls(5 * batchMax))
      assert.strictEqual(used.dropped(), 3 * batchMax)
      assert.deepStrictEqual(said, ["Could not export spans: the collector answered 429"])
    })
  )

  it.effect("are not sent any longer once they count as lost", () =>
    Effect.gen(function* () {
      const hears = Promise.withResolvers<true>()
      const isLeft = Promise.withResolvers<true>()
      const stayStill: RequestListener = (request, response) => {
        request.resume()
        response.on("close", () => isLeft.resolve(true))
        hears.resolve(true)
      }
      const wait = Effect.gen(function* () {
        const tracing = yield* finishCalls(1)
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => hears.promise)
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(tracing.dropped(), 1)
        return yield* Effect.promise(() => Promise.race([isLeft.promise, delay(1_000)]))
      })
      assert.isTrue((yield* exportTo(stayStill, wait)).used)
    })
  )
})
