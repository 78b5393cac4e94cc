/** By a clock of its own: how those that are answered early are read, one beside another. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach, vi } from "vitest"
import type { HttpResponse } from "uWebSockets.js"
import { Line } from "../../src/collections/Line.ts"
import { Intake } from "../../src/http/Intake.ts"
import { Lingering } from "../../src/http/Lingering.ts"
import { bytesPerReadMax, ReadPace } from "../../src/http/ReadPace.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const linger = (pace: ReadPace, isPaused = false) => {
  const connection = { isPaused: false, isClosed: false, closes: 0 }
  const res = {
    pause: () => void (connection.isPaused = true),
    resume: () => void (connection.isPaused = false)
  } as unknown as HttpResponse
  const line = new Line<Lingering>()
  const close = () => {
    connection.isClosed = true
    connection.closes++
  }
  const intake = new Intake(res)
  if (isPaused) intake.pause()
  return { connection, line, lingering: new Lingering(intake, pace, line, close) }
}

/** In what one read may bring. */
const paceOf = (readsPerSecond: number, burst: number) => {
  const each = { bytesPerSecond: readsPerSecond * bytesPerReadMax, burstBytes: burst * bytesPerReadMax }
  return new ReadPace({ all: each, ofEach: each }, () => Date.now())
}

describe("a client that was answered while it was sending", () => {
  it("waits for its turn once, however many chunks are told at once, and is in nobody's way after its end", () => {
    const pace = paceOf(64, 8)
    const flood = linger(pace)
    for (let chunk = 0; chunk < 10_000; chunk++) flood.lingering.receive(1, false)
    assert.isTrue(flood.connection.isPaused)
    vi.advanceTimersByTime(30_000)
    assert.isTrue(flood.connection.isClosed)
    const other = linger(pace)
    other.lingering.receive(bytesPerReadMax, false)
    vi.advanceTimersByTime(100)
    assert.isFalse(other.connection.isPaused)
    other.lingering.receive(1, true)
    assert.isTrue(other.connection.isClosed)
  })

  it("is read on where it was held back until then", () => {
    assert.isFalse(linger(paceOf(64, 8), true).connection.isPaused)
  })

  it("is read on for as long as it brings little, and waits for what it has brought too much", () => {
    const { connection, lingering } = linger(paceOf(0.5, 2))
    for (let turn = 0; turn < 10; turn++) {
      lingering.receive(1, false)
      vi.advanceTimersByTime(1)
      assert.isFalse(connection.isPaused)
    }
    // Four times what it was let on for, in one read.
    for (let chunk = 0; chunk < 8; chunk++) lingering.receive(bytesPerReadMax / 2, false)
    vi.advanceTimersByTime(3_900)
    assert.isTrue(connection.isPaused)
    vi.advanceTimersByTime(2_200)
    assert.isFalse(connection.isPaused)
  })

  it("is not silent while it is held back, and is let go of in the end", () => {
    const { connection, lingering } = linger(paceOf(0.01, 1))
    lingering.receive(bytesPerReadMax, false)
    vi.advanceTimersByTime(29_900)
    assert.deepStrictEqual([connection.isPaused, connection.isClosed], [true, false])
    vi.advanceTimersByTime(200)
    assert.isTrue(connection.isClosed)
  })

  it("is let go of once it falls silent, and closed once", () => {
    const { connection, line, lingering } = linger(paceOf(64, 8))
    lingering.receive(1, false)
    vi.advanceTimersByTime(9_900)
    assert.deepStrictEqual([connection.isClosed, line.size], [false, 1])
    vi.advanceTimersByTime(200)
    assert.deepStrictEqual([connection.isClosed, line.size, vi.getTimerCount()], [true, 0, 0])
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(connection.closes, 1)
  })

  it("that has gone is neither read on nor closed", () => {
    const { connection, line, lingering } = linger(paceOf(1, 1))
    lingering.receive(bytesPerReadMax, false)
    assert.isTrue(connection.isPaused)
    lingering.end()
    vi.advanceTimersByTime(60_000)
    lingering.receive(1, true)
    assert.deepStrictEqual([connection.isPaused, connection.closes], [true, 0])
    assert.deepStrictEqual([line.size, vi.getTimerCount()], [0, 0])
  })
})
