/** One request's answer, piece by piece: who is told of it when, and what its limits count. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Delivery } from "../../src/upstream/http1/Delivery.ts"
import { headOf } from "./http1/head-of.ts"
import {
  type ExchangeLimits,
  UpstreamExchange,
  type UpstreamFault
} from "../../src/upstream/UpstreamExchange.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

const startMs = 1_000_000
const limits: ExchangeLimits = {
  firstByteTimeoutMs: 1_000,
  idleTimeoutMs: 1_000,
  deadlineMs: startMs + 60_000,
  readWhole: false
}

const begin = (more: Partial<ExchangeLimits> = {}) => {
  const exchange = new UpstreamExchange({ ...limits, ...more }, startMs, () => () => {})
  const delivery = {
    isGivenUp: false,
    isPaused: false,
    pause: () => (delivery.isPaused = true),
    resume: () => (delivery.isPaused = false),
    abort: () => (delivery.isGivenUp = true)
  }
  exchange.begin(delivery as unknown as Delivery)
  const heard: Array<string> = []
  const listen = () =>
    exchange.listen({
      data: (chunk) => heard.push(chunk.toString()),
      end: () => heard.push("end"),
      fault: ({ reason }: UpstreamFault) => heard.push(reason)
    })
  const head = (status: number) => exchange.onHead(headOf(status))
  const data = (text: string) => exchange.onData(Buffer.from(text))
  return { delivery, exchange, heard, listen, head, data }
}

/** Well behind all that the real clock has said of progress. */
const muchLaterMs = () => steadyMs() + 10_000

describe("an answer of a provider", () => {
  it("is not late while we keep it waiting, and is once it goes on", () => {
    const { data, exchange, head, heard, listen } = begin({ deadlineMs: Infinity })
    listen()
    head(200)
    data("a")
    exchange.pause()
    const laterMs = muchLaterMs()
    exchange.tick(laterMs)
    exchange.resume(laterMs)
    exchange.tick(laterMs + limits.idleTimeoutMs)
    assert.deepStrictEqual(heard, ["a"])
    exchange.tick(laterMs + limits.idleTimeoutMs + 1)
    assert.deepStrictEqual(heard, ["a", "timeout"])
  })

  it("that nobody reads yet is read on while we keep it waiting, as far as it may be kept", () => {
    const { data, delivery, exchange, head, heard, listen } = begin()
    head(429)
    exchange.pause()
    data("a")
    assert.isFalse(delivery.isPaused)
    data("b".repeat(256 * 1024))
    assert.isTrue(delivery.isPaused)
    exchange.resume(startMs)
    assert.isFalse(delivery.isPaused)
    listen()
    exchange.pause()
    assert.isTrue(delivery.isPaused)
    exchange.onEnd()
    assert.deepStrictEqual(heard, ["a", "b".repeat(256 * 1024), "end"])
  })

  it("that is an error is waited for no longer than ten seconds, whatever an answer may take", () => {
    const { data, exchange, head, heard, listen } = begin({ idleTimeoutMs: 300_000, deadlineMs: Infinity })
    listen()
    head(503)
    data("overl")
    const fromMs = muchLaterMs()
    exchange.pause()
    exchange.resume(fromMs)
    exchange.tick(fromMs + 10_000)
    assert.deepStrictEqual(heard, ["overl"])
    exchange.tick(fromMs + 10_001)
    assert.deepStrictEqual(heard, ["overl", "timeout"])
  })

  it("that we keep waiting ends with the limit of the whole call all the same", () => {
    const { exchange, head, heard, listen } = begin()
    listen()
    head(200)
    exchange.pause()
    exchange.tick(limits.deadlineMs + 1)
    assert.deepStrictEqual(heard, ["timeout"])
  })

  it.effect("that is read whole is told of at its end, but a large one before all of it is kept", () =>
    Effect.gen(function* () {
      for (const [bytes, isTold] of [
        [100 * 1024, false],
        [300 * 1024, true]
      ] as const) {
        const { data, exchange, head } = begin({ readWhole: true })
        const told = yield* Effect.forkChild(exchange.head, { startImmediately: true })
        head(200)
        data("x".repeat(bytes))
        yield* Effect.yieldNow
        assert.strictEqual(told.pollUnsafe() !== undefined, isTold)
        exchange.onEnd()
        assert.strictEqual((yield* Fiber.join(told)).status, 200)
      }
    })
  )

  it("is not heard any more once it was broken off", () => {
    const { data, exchange, head, heard, listen } = begin()
    listen()
    head(200)
    exchange.abort()
    data("late")
    exchange.onFailure("closed", false)
    exchange.tick(muchLaterMs())
    assert.deepStrictEqual(heard, [])
  })

  it.each<[string, (exchange: UpstreamExchange) => void]>([
    ["its client leaves", (exchange) => exchange.abort()],
    ["its time is over", (exchange) => exchange.tick(muchLaterMs())],
    ["the gateway stops", (exchange) => exchange.cut()]
  ])("is given up when %s", (_, giveUp) => {
    const { delivery, exchange } = begin()
    giveUp(exchange)
    assert.isTrue(delivery.isGivenUp)
  })

  it("is not late while more of a large request goes out", () => {
    const clock = vi.spyOn(performance, "now")
    const setClock = (ms: number) => clock.mockReturnValue(ms - performance.timeOrigin)
    const { exchange, heard, listen } = begin()
    listen()
    for (let turn = 1; turn <= 5; turn++) {
      setClock(startMs + turn * 900)
      exchange.onProgress()
      exchange.tick(steadyMs())
    }
    assert.deepStrictEqual(heard, [])
    exchange.tick(steadyMs() + 1_001)
    assert.deepStrictEqual(heard, ["timeout"])
    clock.mockRestore()
  })
})
