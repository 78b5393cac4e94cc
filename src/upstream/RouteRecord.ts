/** What has become of the calls tried on one route in the last minute or two, for whoever watches. */
import { addSnapshots, Histogram } from "../telemetry/Histogram.ts"
import type { RouteError, RouteNumbers } from "../telemetry/route-numbers.ts"

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
  #spanStartMs = 0
  #recent = emptySpan()
  #before = emptySpan()
  #lastError: RouteError | undefined

  /** `firstByteMs` of a stream; an answer that comes whole begins when it is finished. */
  succeeded(nowMs: number, firstByteMs: number | undefined): void {
    this.#advance(nowMs)
    this.#recent.attempts++
    this.#recent.successes++
    if (firstByteMs !== undefined) this.#recent.firstByte.add(firstByteMs / 1000)
  }

  /** `what`: a status, or one of few words. */
  failed(nowMs: number, what: string): void {
    this.#advance(nowMs)
    this.#recent.attempts++
    this.#lastError = { what, atMs: nowMs }
  }

  /** What had counted as answered broke off. */
  brokeOff(nowMs: number): void {
    this.#advance(nowMs)
    if (this.#recent.successes > 0) this.#recent.successes--
    else if (this.#before.successes > 0) this.#before.successes--
    this.#lastError = { what: "broken", atMs: nowMs }
  }

  numbers(route: string, nowMs: number): RouteNumbers {
    this.#advance(nowMs)
    const spans = [this.#recent, this.#before]
    const [recent, before] = spans.map(({ firstByte }) => firstByte.snapshot())
    return {
      route,
      attempts: spans.reduce((sum, { attempts }) => sum + attempts, 0),
      successes: spans.reduce((sum, { successes }) => sum + successes, 0),
      firstByte: addSnapshots(recent!, before!),
      lastError: this.#lastError
    }
  }

  #advance(nowMs: number): void {
    const behindMs = nowMs - this.#spanStartMs
    if (behindMs < spanMs) return
    this.#before = behindMs < 2 * spanMs ? this.#recent : emptySpan()
    this.#recent = emptySpan()
    this.#spanStartMs = nowMs
  }
}
