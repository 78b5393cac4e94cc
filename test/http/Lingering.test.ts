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

const linger = (pace: ReadPace) => {
  const connection = { isPaused: false, isClosed: false }
  const res = {
    pause: () => void (connection.isPaused = true),
    resume: () => void (connection.isPaused = false)
  } as unknown as HttpResponse
  const lingering = new Lingering(new Intake(res), pace, new Line(), () => (connection.isClosed = true))
  return { connection, lingering }
}

describe("a client that was answered while it was sending", () => {
  it("waits for its turn once, however many chunks are told at once, and is in nobody's way after its end", () => {
    const each = { bytesPerSecond: 64 * bytesPerReadMax, burstBytes: 8 * bytesPerReadMax }
    const pace = new ReadPace({ all: each, ofEach: each }, () => Date.now())
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
})
