/** What is known of a route from the calls that went by it. */
import type { Asker } from "./Asker.ts"
import type { RouteCondition } from "./choose-route.ts"
import type { AnswerHead } from "./http1/read-head.ts"
import { Circuit, type CircuitState } from "./Circuit.ts"
import { readRetryAfter } from "./read-retry-after.ts"
import { isRefusal } from "./try-routes.ts"
import type { UpstreamFault } from "./UpstreamExchange.ts"

const isOwnFault = (status: number): boolean => status >= 500

/** Our account with the provider is closed or empty: others go first for a while, since only its operator can mend it. */
const isLockedOut = (status: number): boolean => status === 401 || status === 402
const lockedOutMs = 60_000

export class RouteHealth {
  /** Whether it can be connected to, whatever the model. */
  readonly #line = new Circuit()
  /** What becomes of calls that have gone out. */
  readonly #models = new Map<string, Circuit>()
  #restsUntilMs = 0

  condition(asker: Asker, nowMs: number): RouteCondition {
    const { account } = asker
    const admitted = this.#line.admits(account, nowMs) && this.#circuitOf(asker).admits(account, nowMs)
    return { admitted, resting: nowMs < this.#restsUntilMs }
  }

  /** A call goes out over the route. */
  begin(asker: Asker, nowMs: number): void {
    this.#line.begin(asker.account, nowMs)
    this.#circuitOf(asker).begin(asker.account, nowMs)
  }

  /** The route answers; whether the whole answer comes is not known yet. */
  answered(asker: Asker, { headers, status }: AnswerHead, nowMs: number): void {
    this.#line.succeeded(asker.account, nowMs)
    if (isOwnFault(status)) this.#circuitOf(asker).failed(asker.account, nowMs)
    else this.#circuitOf(asker).succeeded(asker.account, nowMs)
    const restMs = isLockedOut(status) ? lockedOutMs : isRefusal(status) ? restOf(headers, nowMs) : 0
    if (restMs > 0) this.#restsUntilMs = nowMs + restMs
  }

  /** No answer came, or one that broke off. */
  failed(asker: Asker, reason: UpstreamFault["reason"], nowMs: number): void {
    if (reason === "connect") this.#line.failed(asker.account, nowMs)
    else if (reason !== "cut") this.#circuitOf(asker).failed(asker.account, nowMs)
  }

  /** For all: the worst of its models'. */
  state(nowMs: number): CircuitState {
    const states = [this.#line, ...this.#models.values()].map((circuit) => circuit.state(nowMs))
    return (
      states.find((state) => state === "open") ?? states.find((state) => state === "half_open") ?? "closed"
    )
  }

  /** Seconds until a call of this asker may try. */
  retryAfterSeconds(asker: Asker, nowMs: number): number {
    const { account } = asker
    const circuit = this.#circuitOf(asker)
    return Math.max(this.#line.retryAfterSeconds(account, nowMs), circuit.retryAfterSeconds(account, nowMs))
  }

  #circuitOf({ model }: Asker): Circuit {
    const known = this.#models.get(model)
    if (known !== undefined) return known
    const circuit = new Circuit()
    this.#models.set(model, circuit)
    return circuit
  }
}

/** The provider said when to come back: until then others go first. */
const restOf = (headers: AnswerHead["headers"], nowMs: number): number =>
  (readRetryAfter(headers["retry-after"], nowMs) ?? 0) * 1000
