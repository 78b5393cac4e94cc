/** What has become of the calls tried on one route in the last minute or two, for whoever watches. */
import { addSnapshots, Histogram } from "../telemetry/Histogram.ts"
import type { RouteError, RouteNumbers } from "../telemetry/route-numbers.ts"
import { TwoSpans } from "./TwoSpans.ts"

/** Counted over the present and the last of such spans. */
const spanMs = 60_000

/** Seconds, each a fifth more than the one before: from a millisecond to a quarter of an hour. */
const bounds = Array.from({ length: 76 }, (_, index) => 0.001 * 1.2 ** index)

interface Span {
  attempts: number
  successes: number
  readonly firstByte: Histogram
}

const emptySpan = (): Span => ({ attempts: 0, successes: 0, firstByte: new Histogram(bounds) })

export class RouteRecord {
  readonly #spans = new TwoSpans(spanMs, emptySpan)
  #lastError: RouteError | undefined

  /** `firstByteMs` of a stream; an answer that comes whole begins when it is finished. */
  succeeded(nowMs: number, firstByteMs: number | undefined): void {
    this.#spans.advance(nowMs)
    const { recent } = this.#spans
    recent.attempts++
    recent.successes++
    if (firstByteMs !== undefined) recent.firstByte.add(firstByteMs / 1000)
  }

  /** `what`: a status, or one of few words. */
  failed(nowMs: number, what: string): void {
    this.#spans.advance(nowMs)
    this.#spans.recent.attempts++
    this.#lastError = { what, atMs: nowMs }
  }

  /** What had counted as answered broke off. */
  brokeOff(nowMs: number): void {
    this.#spans.advance(nowMs)
    const { before, recent } = this.#spans
    if (recent.successes > 0) recent.successes--
    else if (before.successes > 0) before.successes--
    this.#lastError = { what: "broken", atMs: nowMs }
  }

  numbers(route: string, nowMs: number): RouteNumbers {
    this.#spans.advance(nowMs)
    const { before, recent } = this.#spans
    return {
      route,
      attempts: recent.attempts + before.attempts,
      successes: recent.successes + before.successes,
      firstByte: addSnapshots(recent.firstByte.snapshot(), before.firstByte.snapshot()),
      lastError: this.#lastError
    }
  }
}
