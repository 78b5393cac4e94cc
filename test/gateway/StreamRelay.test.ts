/** How a stream that has come to its protocol's end is ended, whatever its upstream does then. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { MessagesPassthrough } from "../../src/formats/messages/MessagesPassthrough.ts"
import { pairs } from "../../src/formats/pairs.ts"
import type { HoldMeter, HoldState } from "../../src/gateway/HoldMeter.ts"
import { begin, watchEnd } from "./begin-relay.ts"
import { contextFor } from "../wire/models.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

const event = (type: string, more: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
const text = event("content_block_delta", { delta: { type: "text_delta", text: "Hello" } })
const stop = event("message_stop")

const chatCodec = (choices = 1) =>
  pairs.chat_completions.chat_completions.stream({ ...contextFor(), choices })
const choice = (index: number, content: string, finish_reason: string | null) =>
  `data: ${JSON.stringify({ choices: [{ index, delta: { content }, finish_reason }] })}\n\n`

describe("a stream that has come to its end", () => {
  it.effect("ends with its upstream, and what comes last waits for the charge", () =>
    Effect.gen(function* () {
      const { exchange, receive, relay, sent } = begin()
      const ended = yield* watchEnd(relay)
      yield* receive(text)
      yield* receive(stop)
      assert.deepStrictEqual(sent, ["200", text])
      exchange.onEnd()
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
      relay.complete()
      assert.deepStrictEqual(sent, ["200", text, `${stop}(end)`])
    })
  )

  it.effect("does not wait for an upstream that never closes", () =>
    Effect.gen(function* () {
      const { receive, relay, upstream } = begin()
      const ended = yield* watchEnd(relay)
      yield* receive(text + stop)
      const now = steadyMs()
      relay.tick(now)
      yield* Effect.yieldNow
      assert.isUndefined(ended.pollUnsafe())
      relay.tick(now + 1_000)
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
      assert.strictEqual(upstream.aborted, 1)
    })
  )

  it.effect("does not wait for an upstream that goes on and on", () =>
    Effect.gen(function* () {
      const { receive, relay, upstream } = begin()
      const ended = yield* watchEnd(relay)
      yield* receive(text + stop)
      const more = `: ${"x".repeat(256 * 1024)}\n\n`
      for (let count = 0; count < 6; count++) yield* receive(more)
      assert.strictEqual((yield* Fiber.join(ended).pipe(Effect.timeout("1 second")))._tag, "Finished")
      assert.strictEqual(upstream.aborted, 1)
    })
  )

  it.effect("has come to it where a whole answer is followed by nothing but comments, and no sooner", () =>
    Effect.gen(function* () {
      const { receive, relay, sent, upstream } = begin(chatCodec())
      const ended = yield* watchEnd(relay)
      const finish = choice(0, "", "stop")
      yield* receive(choice(0, "a", null) + finish)
      const now = steadyMs()
      yield* receive(": heartbeat\n\n")
      relay.tick(now + 9_000)
      yield* Effect.yieldNow
      assert.isUndefined(ended.pollUnsafe())
      relay.tick(now + 11_000)
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
      assert.strictEqual(upstream.aborted, 1)
      relay.complete()
      assert.strictEqual(sent.at(-1), "(end)")
    })
  )

  it.effect(
    "has not come to it while another choice goes on, or while its client or its wallet keeps it waiting",
    () =>
      Effect.gen(function* () {
        const { client, receive, relay } = begin(chatCodec())
        const ended = yield* watchEnd(relay)
        yield* receive(choice(0, "a", "stop"))
        const since = performance.now()
        yield* Effect.acquireUseRelease(
          Effect.sync(() => vi.spyOn(performance, "now").mockReturnValue(since + 8_000)),
          () => receive(choice(1, "b", null)),
          (later) => Effect.sync(() => later.mockRestore())
        )
        relay.tick(steadyMs() + 12_000)
        client.writable = false
        yield* receive(choice(1, "c", null))
        relay.tick(steadyMs() + 900)
        yield* Effect.yieldNow
        assert.isUndefined(ended.pollUnsafe())
        client.writable = true
        client.onWritable()
        relay.tick(steadyMs() + 11_000)
        assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
      })
  )

  it.effect("has not come to it while another choice that was asked for is still silent", () =>
    Effect.gen(function* () {
      const { receive, relay } = begin(chatCodec(2))
      const ended = yield* watchEnd(relay)
      yield* receive(choice(0, "a", "stop"))
      relay.tick(steadyMs() + 60_000)
      yield* Effect.yieldNow
      assert.isUndefined(ended.pollUnsafe())
      yield* receive(choice(1, "b", "stop"))
      relay.tick(steadyMs() + 11_000)
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
    })
  )

  it.effect("has come to it where its upstream gives fewer choices than it was asked for", () =>
    Effect.gen(function* () {
      const { receive, relay } = begin(chatCodec(2))
      const ended = yield* watchEnd(relay)
      yield* receive(`${choice(0, "a", "stop")}data: [DONE]\n\n`)
      relay.tick(steadyMs() + 1000)
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
    })
  )

  it.effect("has not come to it where its upstream ends before", () =>
    Effect.gen(function* () {
      const { exchange, receive, relay } = begin()
      const ended = yield* watchEnd(relay)
      yield* receive(text)
      exchange.onEnd()
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Failed")
    })
  )
})

describe("a stream whose client has left without taking what it was sent", () => {
  it.effect("is read on when its hold has grown", () =>
    Effect.gen(function* () {
      let state: HoldState = "covered"
      let answered = () => {}
      const check: HoldMeter["check"] = (_, changed) => {
        answered = changed
        return state
      }
      const meter = { check } as unknown as HoldMeter
      const output = () => ({ bound: 0, guess: 0, least: 0, isWhole: false })
      const { client, receive, relay, upstream } = begin(undefined, { meter, output })
      client.writable = false
      yield* receive(text)
      assert.isTrue(upstream.paused)
      relay.detach()
      assert.isFalse(upstream.paused)
      state = "waiting"
      yield* receive(text)
      assert.isTrue(upstream.paused)
      state = "covered"
      answered()
      assert.isFalse(upstream.paused)
    })
  )
})

describe("a stream whose client has left", () => {
  it.effect("does not wait for an upstream that never closes, nor is it kept alive", () =>
    Effect.gen(function* () {
      const { receive, relay, sent, upstream } = begin()
      const ended = yield* watchEnd(relay)
      yield* receive(text)
      relay.detach()
      relay.tick(steadyMs() + 2_000)
      yield* receive(stop)
      relay.tick(steadyMs() + 1_000)
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Finished")
      assert.deepStrictEqual(sent, ["200", text])
      assert.strictEqual(upstream.aborted, 1)
    })
  )
})

describe("a stream whose wallet is empty", () => {
  const exhaustedAt = (covered: number, guess: number) => {
    const meter = { covered, check: () => "exhausted" } as unknown as HoldMeter
    return { meter, output: () => ({ bound: guess, guess, least: guess, isWhole: false }) }
  }

  it.effect("passes on the events that are paid for, and no others", () =>
    Effect.gen(function* () {
      const { receive, relay, sent, upstream } = begin(undefined, exhaustedAt(25, 100))
      const ended = yield* watchEnd(relay)
      yield* receive(text.repeat(10))
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Exhausted")
      assert.deepStrictEqual(sent, ["200", text.repeat(2)])
      assert.strictEqual(upstream.aborted, 1)
    })
  )

  it.effect("has not begun where nothing is paid for, and is one all the same when it is failed", () =>
    Effect.gen(function* () {
      const { receive, relay, sent } = begin(undefined, exhaustedAt(1, 100))
      const ended = yield* watchEnd(relay)
      yield* receive(text.repeat(10))
      assert.strictEqual((yield* Fiber.join(ended))._tag, "Exhausted")
      assert.deepStrictEqual(sent, [])
      relay.fail("error")
      assert.deepStrictEqual(sent, ["200", "error(end)"])
    })
  )
})

describe("a stream that never comes to its content", () => {
  it.effect("is given up before it fills the memory", () =>
    Effect.gen(function* () {
      const { receive, relay, sent, upstream } = begin()
      const ended = yield* watchEnd(relay)
      const comments = Buffer.from(`: ${"x".repeat(1024)}\n\n`.repeat(4096))
      for (let count = 0; count < 20; count++) yield* receive(comments)
      const end = yield* Fiber.join(ended).pipe(Effect.timeout("1 second"))
      assert.deepInclude(end, { _tag: "Failed" })
      assert.strictEqual(upstream.aborted, 1)
      assert.deepStrictEqual(sent, [])
    })
  )
})

describe("a stream that is silent", () => {
  it.effect("is kept alive, and no sooner than it is due", () =>
    Effect.gen(function* () {
      const { receive, relay, sent } = begin()
      yield* receive(text)
      const now = steadyMs()
      relay.tick(now + 900)
      assert.deepStrictEqual(sent, ["200", text])
      relay.tick(now + 1_001)
      relay.tick(now + 1_500)
      relay.tick(now + 2_002)
      assert.deepStrictEqual(sent, ["200", text, "(ping)", "(ping)"])
    })
  )
})

describe("a codec that fails by a fault of its own", () => {
  it.effect.each(["push", "end"] as const)("in %s ends its own stream, with the fault to be told", (step) =>
    Effect.gen(function* () {
      const codec = new MessagesPassthrough()
      codec[step] = () => {
        throw new Error("a fault of ours")
      }
      const { exchange, receive, relay, sent, upstream, watched } = begin(codec)
      const ended = yield* watchEnd(relay)
      yield* receive(text)
      exchange.onEnd()
      const exit = yield* Fiber.await(ended)
      assert.isTrue(Exit.hasDies(exit))
      assert.isFalse(sent.includes("(end)"))
      assert.strictEqual(watched(), 0)
      assert.isAtLeast(upstream.aborted, 1)
    })
  )
})

describe("a meter that fails by a fault of its own", () => {
  it.effect("on the ledger's answer ends its own stream, with the fault to be told", () =>
    Effect.gen(function* () {
      let answered = () => {}
      let isFaulty = false
      const check: HoldMeter["check"] = (_, changed) => {
        answered = changed
        if (isFaulty) throw new Error("a fault of ours")
        return "waiting"
      }
      const output = () => ({ bound: 0, guess: 0, least: 0, isWhole: false })
      const { receive, relay, watched } = begin(undefined, {
        meter: { check } as unknown as HoldMeter,
        output
      })
      const ended = yield* watchEnd(relay)
      yield* receive(text)
      isFaulty = true
      answered()
      assert.isTrue(Exit.hasDies(yield* Fiber.await(ended)))
      assert.strictEqual(watched(), 0)
    })
  )
})
