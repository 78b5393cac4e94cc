/** What has become of the calls tried on one route: in the last minute or two, and since it was last asked, for whoever watches. */
import {
  boundOf,
  type FailureKind,
  failureKindOf,
  firstByteBounds,
  type RouteError,
  type RouteTally
} from "../domain/route-health.ts"
import { addSnapshots, Histogram } from "../telemetry/Histogram.ts"
import type { RouteNumbers } from "../telemetry/route-numbers.ts"
import { TwoSpans } from "./TwoSpans.ts"

/** Counted over the present and the last of such spans. */
const spanMs = 60_000

interface Span {
  attempts: number
  successes: number
  readonly firstByte: Histogram
}

/** Counted in place: every call passes here. */
interface Tally {
  calls: number
  readonly failures: Partial<Record<FailureKind, number>>
  passedOver: number
  readonly firstBytes: Record<string, number>
  lastError: RouteError | undefined
}

const emptySpan = (): Span => ({ attempts: 0, successes: 0, firstByte: new Histogram(firstByteBounds) })

export class RouteRecord {
  readonly #spans = new TwoSpans(spanMs, emptySpan)
  /** By family of models: there are few. */
  readonly #tallies = new Map<string, Tally>()
  #lastError: RouteError | undefined

  /** `firstByteMs` of a stream; an answer that comes whole begins when it is finished. */
  succeeded(nowMs: number, firstByteMs: number | undefined, family = ""): void {
    this.#spans.advance(nowMs)
    const { recent } = this.#spans
    recent.attempts++
    recent.successes++
    if (firstByteMs !== undefined) recent.firstByte.add(firstByteMs / 1000)
    const tally = this.#tallyOf(family)
    tally.calls++
    if (firstByteMs === undefined) return
    const bound = boundOf(firstByteMs / 1000)
    tally.firstBytes[bound] = (tally.firstBytes[bound] ?? 0) + 1
  }

  /** `what`: a status, or one of few words. */
  failed(nowMs: number, what: string, family = ""): void {
    this.#spans.advance(nowMs)
    this.#spans.recent.attempts++
    this.#tallyOf(family).calls++
    this.#countFailure(what, family)
  }

  /** The call whose try has failed goes on to another route. */
  passedOver(family = ""): void {
    this.#tallyOf(family).passedOver++
  }

  /** What had counted as answered broke off, or is worth nothing by its status. */
  brokeOff(nowMs: number, family = "", what = "broken"): void {
    this.#spans.advance(nowMs)
    const { before, recent } = this.#spans
    if (recent.successes > 0) recent.successes--
    else if (before.successes > 0) before.successes--
    this.#countFailure(what, family)
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

  /** What has been counted since this was last asked. */
  takeTallies(route: string): ReadonlyArray<RouteTally> {
    const taken = Array.from(this.#tallies, ([family, counts]) => ({ route, family, ...counts }))
    this.#tallies.clear()
    return taken
  }

  #countFailure(what: string, family: string): void {
    this.#lastError = { what, atMs: Date.now() }
    const tally = this.#tallyOf(family)
    tally.lastError = this.#lastError
    const kind = failureKindOf(what)
    tally.failures[kind] = (tally.failures[kind] ?? 0) + 1
  }

  #tallyOf(family: string): Tally {
    const known = this.#tallies.get(family)
    if (known !== undefined) return known
    const tally: Tally = { calls: 0, failures: {}, passedOver: 0, firstBytes: {}, lastError: undefined }
    this.#tallies.set(family, tally)
    return tally
  }
}
