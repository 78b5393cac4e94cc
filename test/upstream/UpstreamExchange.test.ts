/** One request's answer, piece by piece: who is told of it when, and what its limits count. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { Dispatcher } from "undici"
import {
  type ExchangeLimits,
  UpstreamExchange,
  type UpstreamFault
} from "../../src/upstream/UpstreamExchange.ts"

const startMs = 1_000_000
const limits: ExchangeLimits = {
  firstByteTimeoutMs: 1_000,
  idleTimeoutMs: 1_000,
  deadlineMs: startMs + 60_000,
  readWhole: false
}

const begin = (more: Partial<ExchangeLimits> = {}) => {
  const exchange = new UpstreamExchange({ ...limits, ...more }, startMs, () => () => {})
  const controller = {
    pause: () => {},
    resume: () => {},
    abort: () => {}
  } as unknown as Dispatcher.DispatchController
  exchange.onRequestStart(controller)
  const heard: Array<string> = []
  const listen = () =>
    exchange.listen({
      data: (chunk) => heard.push(chunk.toString()),
      end: () => heard.push("end"),
      fault: ({ reason }: UpstreamFault) => heard.push(reason)
    })
  const head = (status: number) => exchange.onResponseStart(controller, status, {})
  const data = (text: string) => exchange.onResponseData(controller, Buffer.from(text))
  return { exchange, heard, listen, head, data }
}

/** Well behind all that the real clock has said of progress. */
const muchLaterMs = () => Date.now() + 10_000

describe("an answer of a provider", () => {
  it.effect("begins with its own head, not with those that only inform", () =>
    Effect.gen(function* () {
      const { exchange, head } = begin()
      head(103)
      head(200)
      assert.strictEqual((yield* exchange.head).status, 200)
    })
  )

  it("that only informed so far has not begun in time", () => {
    const { exchange, head, heard, listen } = begin({ deadlineMs: Infinity, idleTimeoutMs: Infinity })
    listen()
    head(103)
    exchange.tick(startMs + 1_001)
    assert.deepStrictEqual(heard, ["timeout"])
  })

  it("is not late while we keep it waiting, and is once it goes on", () => {
    const { data, exchange, head, heard, listen } = begin({ deadlineMs: Infinity })
    listen()
    head(200)
    data("a")
    exchange.pause()
    exchange.tick(muchLaterMs())
    assert.deepStrictEqual(heard, ["a"])
    exchange.resume(Date.now())
    exchange.tick(muchLaterMs())
    assert.deepStrictEqual(heard, ["a", "timeout"])
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
        exchange.onResponseEnd()
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
    exchange.onResponseError(undefined, new Error("aborted"))
    exchange.tick(muchLaterMs())
    assert.deepStrictEqual(heard, [])
  })
})
