/** What of a body is kept, for whom it counts, and when its sender is held back. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Schema } from "effect"
import { AccountId } from "../../src/domain/ids.ts"
import { Edge } from "../../src/http/Edge.ts"
import { Intake } from "../../src/http/Intake.ts"
import { RequestBody } from "../../src/http/RequestBody.ts"
import type { HttpResponse } from "uWebSockets.js"
import { afterEach, beforeEach, vi } from "vitest"
import { settingsWith } from "./settings-with.ts"

const account = AccountId.make("00000000-0000-7000-8000-000000000001")
const other = AccountId.make("00000000-0000-7000-8000-000000000002")

const edgeOf = (maxBufferedBytes: number, maxBufferedBytesPerAccount: number) =>
  new Edge({
    settings: () => settingsWith({ maxBufferedBytes, maxBufferedBytesPerAccount }),
    machine: { memory: 0, descriptors: 0 },
    openCalls: () => 0,
    onClosed: () => {}
  })

const arrive = (edge: Edge, declared: number | undefined, bytesMax = 1_000_000) => {
  const connection = { paused: false, resumes: 0 }
  const res = {
    pause: () => void (connection.paused = true),
    resume: () => {
      connection.paused = false
      connection.resumes++
    }
  } as unknown as HttpResponse
  return { connection, body: new RequestBody(edge, new Intake(res), declared, bytesMax) }
}

const bytes = (text: string) => new TextEncoder().encode(text).buffer

/** What whoever asks for the body has been told, so far. */
const ask = (body: RequestBody, whose: AccountId | undefined) => {
  if (whose !== undefined) body.countFor(whose)
  const fiber = Effect.runFork(body.asked)
  return () => {
    const exit = fiber.pollUnsafe()
    if (exit === undefined) return undefined
    return Exit.isSuccess(exit) ? exit.value.toString() : (Cause.squash(exit.cause) as { _tag: string })._tag
  }
}

describe("a body whose key is not known yet", () => {
  it("is held back at its sender, and comes whole once it is", () => {
    const edge = edgeOf(100, 100)
    const { body, connection } = arrive(edge, 6)
    body.receive(bytes("abc"), false)
    assert.isTrue(connection.paused)
    const told = ask(body, account)
    assert.isFalse(connection.paused)
    body.receive(bytes("def"), true)
    assert.strictEqual(told(), "abcdef")
    // It is there for as long as the call is.
    assert.strictEqual(edge.memory.bytes, 6)
    body.release()
    assert.strictEqual(edge.memory.bytes, 0)
  })

  it("is whole also where it comes to its end all the same", () => {
    const { body } = arrive(edgeOf(100, 100), 6)
    body.receive(bytes("abc"), false)
    body.receive(bytes("def"), true)
    assert.strictEqual(ask(body, account)(), "abcdef")
  })

  it("counts with what is kept beside it, for as long as it is there itself", () => {
    const edge = edgeOf(100, 10)
    const { body } = arrive(edge, 3)
    body.receive(bytes("abc"), true)
    ask(body, account)
    assert.isFalse(body.takeRoom(8))
    assert.isTrue(body.takeRoom(7))
    assert.strictEqual(edge.memory.bytes, 10)
    body.release()
    assert.isFalse(body.takeRoom(1))
    assert.strictEqual(edge.memory.bytes, 0)
  })

  it("that came with its headers is neither held back nor lost", () => {
    const { body, connection } = arrive(edgeOf(100, 100), 3)
    body.receive(bytes("abc"), true)
    assert.isFalse(connection.paused)
    assert.strictEqual(ask(body, account)(), "abc")
  })

  it("counts for its account alone, if that is known before it is told where it comes from", () => {
    const edge = edgeOf(100, 10)
    const stranger = { text: "192.0.2.1", bodyBytes: 0 }
    const { body } = arrive(edge, 3)
    body.countFor(account)
    body.comesFrom(stranger)
    body.receive(bytes("abc"), true)
    assert.strictEqual(stranger.bodyBytes, 0)
    assert.isFalse(edge.memory.hasRoom(account, 8))
  })

  it("counts for all that nobody knows together", () => {
    const edge = edgeOf(100, 10)
    const first = arrive(edge, 20)
    first.body.receive(bytes("12345678"), false)
    const second = arrive(edge, 20)
    second.body.receive(bytes("12345678"), false)
    assert.strictEqual(edge.memory.bytes, 8)
    assert.strictEqual(ask(second.body, account)(), "NoRoomForBody")
    first.body.release()
    assert.strictEqual(edge.memory.bytes, 0)
  })
})

describe("a body that waits for its turn to be read on", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("does so once, however many chunks are told at once, and leaves nothing of it behind", () => {
    const edge = edgeOf(100_000, 100_000)
    edge.bodies.ask(account, { bytes: 8 * 1024 * 1024, mayFlood: false }, () => {})
    const { body } = arrive(edge, undefined)
    body.receive(bytes("a"), false)
    const told = ask(body, account)
    for (let chunk = 0; chunk < 5_000; chunk++) body.receive(bytes("a"), false)
    body.receive(bytes("a"), true)
    assert.strictEqual(told(), "a".repeat(5_002))
    const next = arrive(edge, undefined)
    next.body.receive(bytes("a"), false)
    ask(next.body, account)
    assert.isTrue(next.connection.paused)
    vi.advanceTimersByTime(100)
    assert.isFalse(next.connection.paused)
  })

  it("does so for as long as its sender has brought more than it was let on for, whatever comes meanwhile", () => {
    const { body, connection } = arrive(edgeOf(1e9, 1e9), undefined, 1e9)
    body.receive(bytes("a"), false)
    ask(body, account)
    body.receive(new ArrayBuffer(20 * 1024 * 1024), false)
    for (let chunk = 0; chunk < 1_000; chunk++) body.receive(bytes("a"), false)
    vi.advanceTimersByTime(150)
    assert.isTrue(connection.paused)
    vi.advanceTimersByTime(100)
    assert.isFalse(connection.paused)
  })
})

describe("a refused body", () => {
  it("takes nothing from what others keep, if it comes out late that its account has no room for it", () => {
    const edge = edgeOf(100, 10)
    const kept = arrive(edge, undefined)
    ask(kept.body, account)
    kept.body.receive(bytes("12345678"), true)
    const late = arrive(edge, undefined)
    late.body.receive(bytes("123"), false)
    assert.strictEqual(ask(late.body, account)(), "NoRoomForBody")
    late.body.release()
    assert.strictEqual(edge.memory.bytes, 8)
    assert.isFalse(edge.memory.hasRoom(account, 3))
  })

  it.each([
    ["announced larger than bodies may be", 11, 1_000, 1_000, "BodyTooLarge"],
    ["larger than bodies may be", undefined, 1_000, 1_000, "BodyTooLarge"],
    ["announced larger than there is room for its account", 10, 1_000, 5, "NoRoomForBody"],
    ["larger than there is room for its account", undefined, 1_000, 5, "NoRoomForBody"],
    ["larger than there is room at all", undefined, 5, 1_000, "NoRoomForBody"]
  ] as const)("(%s) is told at once, and nothing of it is kept", (_, declared, all, own, refusal) => {
    const edge = edgeOf(all, own)
    const { body } = arrive(edge, declared, 10)
    const told = ask(body, account)
    if (declared === undefined) body.receive(bytes("1234567890"), false)
    if (refusal === "BodyTooLarge") body.receive(bytes("1"), false)
    assert.strictEqual(told(), refusal)
    body.receive(bytes("123"), false)
    assert.strictEqual(edge.memory.bytes, 0)
    body.receive(bytes(""), true)
    assert.strictEqual(edge.memory.bytes, 0)
  })

  it("leaves room for those from elsewhere, but for a proxy's, and none behind when it goes", () => {
    const edge = edgeOf(1_000, 800)
    const [near, far] = ["192.0.2.1", "192.0.2.2"].map((text) => ({ text, bodyBytes: 0 }))
    const told = (stranger: { text: string; bodyBytes: number }) => {
      const { body } = arrive(edge, 100)
      body.comesFrom(stranger)
      body.receive(bytes("a".repeat(100)), true)
      return { body, answer: ask(body, undefined)() }
    }
    const first = told(near!)
    assert.strictEqual(first.answer, "a".repeat(100))
    assert.strictEqual(told(near!).answer, "NoRoomForBody")
    const second = told(far!)
    assert.strictEqual(second.answer, "a".repeat(100))
    const proxy = { text: "127.0.0.1", bodyBytes: 0 }
    assert.deepStrictEqual([told(proxy).answer, told(proxy).answer], ["a".repeat(100), "a".repeat(100)])
    first.body.countFor(account)
    assert.strictEqual(near!.bodyBytes, 0)
    for (const { body } of [first, second]) body.release()
    assert.strictEqual(far!.bodyBytes, 0)
    assert.strictEqual(edge.memory.bytes, 200)
  })

  it("of one account takes no room from another", () => {
    const edge = edgeOf(100, 10)
    const kept = arrive(edge, undefined)
    ask(kept.body, account)
    kept.body.receive(bytes("1234567890"), true)
    const refused = arrive(edge, undefined)
    const told = ask(refused.body, account)
    refused.body.receive(bytes("1"), true)
    assert.strictEqual(told(), "NoRoomForBody")
    const others = arrive(edge, undefined)
    const toldOther = ask(others.body, other)
    others.body.receive(bytes("1234567890"), true)
    assert.strictEqual(toldOther(), "1234567890")
  })
})

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
const Step = Schema.Struct({
  body: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 })),
  act: Schema.Literals(["ask", "receive", "end", "release"]),
  size: Size
})

describe("the memory of a thread", () => {
  it.prop(
    "never holds more than its bounds, whatever comes in whatever order, and nothing in the end",
    [Schema.Array(Step).check(Schema.isMaxLength(60))],
    ([steps]) => {
      const edge = edgeOf(100, 50)
      const bodies = Array.from({ length: 6 }, (_, place) => ({
        ...arrive(edge, place % 2 === 0 ? undefined : 40, 60),
        whose: place < 4 ? account : other,
        asked: false
      }))
      for (const { act, body, size } of steps) {
        const one = bodies[body]!
        if (act === "ask" && !one.asked) {
          one.asked = true
          ask(one.body, one.whose)
        }
        if (act === "receive" || act === "end") one.body.receive(new ArrayBuffer(size), act === "end")
        if (act === "release") one.body.release()
        assert.isAtMost(edge.memory.bytes, 100)
        assert.isAtLeast(edge.memory.bytes, 0)
      }
      for (const { body } of bodies) body.release()
      assert.strictEqual(edge.memory.bytes, 0)
      // Not a byte of anybody's is left behind either.
      for (const whose of [account, other, undefined]) assert.isTrue(edge.memory.hasRoom(whose, 50))
    }
  )
})

describe("a customer on a slow line", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** How often the connection's time began anew in a minute, so many bytes coming every so often. */
  const timesGiven = (whose: AccountId | undefined, size: number, everyMs: number): number => {
    const { body, connection } = arrive(edgeOf(1e9, 1e9), undefined)
    ask(body, whose)
    const before = connection.resumes
    for (let ms = 0; ms < 60_000; ms += everyMs) {
      vi.advanceTimersByTime(everyMs)
      body.receive(new ArrayBuffer(size), false)
    }
    return connection.resumes - before
  }

  it.each([
    [1_100, 1_000, 14],
    [8_000, 7_000, 8],
    // Those who drip.
    [1, 1_000, 0],
    [500, 1_000, 0]
  ])("is given time while a KiB a second comes (%d bytes every %d ms)", (size, everyMs, times) => {
    assert.strictEqual(timesGiven(account, size, everyMs), times)
    assert.strictEqual(timesGiven(undefined, size, everyMs), 0, "others are not")
  })

  it("is not waited for for ever", () => {
    const { body, connection } = arrive(edgeOf(1e9, 1e9), undefined, 1e9)
    ask(body, account)
    for (let seconds = 0; seconds < 3_600; seconds++) {
      vi.advanceTimersByTime(1_000)
      body.receive(new ArrayBuffer(2_000), false)
    }
    assert.strictEqual(connection.resumes, (15 * 60) / 4)
  })
})
