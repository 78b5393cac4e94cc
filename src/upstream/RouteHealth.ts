/** What is known of a route from the calls that went by it. `nowMs` by the steady clock; what others are told has dates. */
import { AccountOutcomes } from "./AccountOutcomes.ts"
import type { Asker } from "./Asker.ts"
import type { RouteCondition } from "../domain/route-health.ts"
import type { RouteReadiness } from "./choose-route.ts"
import type { AnswerHead } from "./http1/read-head.ts"
import { Circuit, type CircuitState } from "./Circuit.ts"
import { readRetryAfter, readRetryDelay } from "./read-retry-after.ts"
import { RouteRecord } from "./RouteRecord.ts"
import { isBusy, isLockedOut } from "./try-routes.ts"
import type { UpstreamFault } from "./UpstreamExchange.ts"

/** That it does not know a call is none: it may do all others well. */
const isOwnFault = (status: number): boolean => status >= 500 && status !== 501

/** Only the operator can mend a key that is closed or without money. */
const lockedOutMs = 60_000

/** Our key may not do this; but some providers say so of what a caller asked, whom others must not suffer for. */
const isForbidden = (status: number): boolean => status === 403

/** As which some providers refuse our account; the body tells so, in which others' words may stand as well. */
const isBadRequest = (status: number): boolean => status === 400 || status === 422

const isFailure = (status: number): boolean =>
  isOwnFault(status) || isForbidden(status) || isLockedOut(status) || isBusy(status)

class ModelHealth {
  /** Whether answers come at all, and tell of no fault of the provider's own: else nobody calls. */
  readonly answers = new Circuit()
  /** Whether they come to their end, and our key may ask for them: else others go first, but this route is still better than none. */
  readonly endings = new AccountOutcomes()
  restsUntilMs = 0
}

export class RouteHealth {
  readonly record = new RouteRecord()
  /** Whether it can be connected to, whatever the model. */
  readonly #line = new Circuit()
  readonly #models = new Map<string, ModelHealth>()
  #restsUntilMs = 0

  readiness(asker: Asker, nowMs: number): RouteReadiness {
    const { account } = asker
    const { answers, endings, restsUntilMs } = this.#modelOf(asker)
    return {
      admitted: this.#line.admits(account, nowMs) && answers.admits(account, nowMs),
      resting: nowMs < Math.max(this.#restsUntilMs, restsUntilMs) || speakAgainst(endings, account, nowMs)
    }
  }

  /** A call goes out over the route. */
  begin(asker: Asker, nowMs: number): void {
    this.#line.begin(asker.account, nowMs)
    this.#modelOf(asker).answers.begin(asker.account, nowMs)
  }

  /** The route answers; whether the whole answer comes is not known yet. `firstByteMs`: of a stream. */
  answered(asker: Asker, { headers, status }: AnswerHead, nowMs: number, firstByteMs?: number): void {
    const { account, family } = asker
    const model = this.#modelOf(asker)
    this.#line.succeeded(account, nowMs)
    if (isOwnFault(status)) model.answers.failed(account, nowMs)
    else model.answers.succeeded(account, nowMs)
    if (isForbidden(status)) model.endings.failed(account, nowMs)
    if (isLockedOut(status)) this.#restsUntilMs = nowMs + lockedOutMs
    // Limits are of a model, or of the caller's share in it: others may go on. One answer may know less of them than another.
    else if (isBusy(status)) model.restsUntilMs = Math.max(model.restsUntilMs, nowMs + restOf(headers))
    if (isFailure(status)) this.record.failed(nowMs, String(status), family)
    else this.record.succeeded(nowMs, firstByteMs, family)
  }

  /** No answer came. */
  failed(asker: Asker, reason: UpstreamFault["reason"], nowMs: number): void {
    if (reason === "cut") return
    this.record.failed(nowMs, reason, asker.family)
    if (reason === "connect") this.#line.failed(asker.account, nowMs)
    else this.#modelOf(asker).answers.failed(asker.account, nowMs)
  }

  /** An answer came to its end. `error`: what came of one that is no success. */
  cameWhole(asker: Asker, { headers, status }: AnswerHead, error: Buffer, nowMs: number): void {
    const model = this.#modelOf(asker)
    if (isBusy(status) && restOf(headers) === 0)
      model.restsUntilMs = Math.max(model.restsUntilMs, nowMs + (readRetryDelay(error) ?? 0) * 1000)
    if (!isForbidden(status) && !isOwnFault(status)) model.endings.succeeded(asker.account, nowMs)
  }

  /** It said no for a reason that no caller can mend: others may still fare well. */
  refused(asker: Asker, { status }: AnswerHead, nowMs: number): void {
    if (isFailure(status)) return
    this.record.brokeOff(nowMs, asker.family, String(status))
    if (isBadRequest(status)) this.#modelOf(asker).endings.failed(asker.account, nowMs)
  }

  /** An answer that had begun did not come to its end, or none that can be understood. `what`: the status told in it. */
  brokeOff(asker: Asker, nowMs: number, what?: string): void {
    this.record.brokeOff(nowMs, asker.family, what)
    this.#modelOf(asker).endings.failed(asker.account, nowMs)
  }

  /** For all: the worst of its models'. */
  state(nowMs: number): CircuitState {
    const models = [...this.#models.values()]
    const circuits = [this.#line, ...models.map(({ answers }) => answers)]
    const states = new Set(circuits.map((circuit) => circuit.state(nowMs)))
    if (states.has("open") || models.some(({ endings }) => endings.failForSeveral(nowMs))) return "open"
    return states.has("half_open") ? "half_open" : "closed"
  }

  /** What others are told of it; `undefined` where calls simply go by it. */
  notable(nowMs: number): Omit<RouteCondition, "route"> | undefined {
    const state = this.state(nowMs)
    if (state !== "closed") return { state, untilMs: undefined }
    const rests = [...this.#models.values()].map(({ restsUntilMs }) => restsUntilMs)
    const untilMs = Math.max(this.#restsUntilMs, ...rests)
    return untilMs > nowMs ? { state: "resting", untilMs: Date.now() + untilMs - nowMs } : undefined
  }

  /** Seconds until a call of this asker may try. */
  retryAfterSeconds(asker: Asker, nowMs: number): number {
    const { account } = asker
    const { answers } = this.#modelOf(asker)
    return Math.max(this.#line.retryAfterSeconds(account, nowMs), answers.retryAfterSeconds(account, nowMs))
  }

  #modelOf({ model }: Asker): ModelHealth {
    const known = this.#models.get(model)
    if (known !== undefined) return known
    const health = new ModelHealth()
    this.#models.set(model, health)
    return health
  }
}

/** Until they are forgotten: what came whole may still turn out not to be understood, so that no single call clears the route. */
const speakAgainst = (endings: AccountOutcomes, account: string, nowMs: number): boolean =>
  endings.failFor(account, nowMs) || (endings.failForSeveral(nowMs) && !endings.faresWell(account))

/** The provider said when to come back: until then others go first. */
const restOf = (headers: AnswerHead["headers"]): number => (readRetryAfter(headers, Date.now()) ?? 0) * 1000
