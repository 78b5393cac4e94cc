/**
 * Keeps calls away from a route that fails by its own fault, and lets some through every few seconds to see whether it has
 * recovered. What one customer asks for, or how much at once, may make it fail: then the circuit is open for that customer
 * alone. It opens for others when several fail, and no fewer of them than fare well; never for one that itself fares well.
 */
export type CircuitState = "closed" | "open" | "half_open"

const failuresToOpen = 5
const accountsToOpen = 2
/** For others, so many count of one account: another's single failure must not be what tips the balance. */
const failuresCountedMax = 3
/** Outcomes are counted over the present and the last of such spans. */
const spanMs = 15_000
const retryEveryMs = 5_000
/** Where it is open for all, so many accounts may try in each such time, with one call each: none can keep the others from it. */
const triesMax = 10
/** Of more accounts in a span nothing is counted. */
const accountsMax = 10_000
/** With many accounts it is not judged at every failure. */
const judgedAtOnceMax = 100
const judgeEveryMs = 100

interface Outcomes {
  failures: number
  successes: number
}

type Span = Map<string, Outcomes>

const none: Outcomes = { failures: 0, successes: 0 }

const isHealthy = ({ failures, successes }: Outcomes): boolean => successes > failures

interface OwnCircuit {
  readonly openedAtMs: number
  triedAtMs: number
}

export class Circuit {
  #spanStartMs = 0
  #recent: Span = new Map()
  #before: Span = new Map()
  /** Open for these accounts. */
  readonly #own = new Map<string, OwnCircuit>()
  /** Open for all but those that fare well. */
  #openedAtMs: number | undefined
  #triesSinceMs = 0
  readonly #tried = new Set<string>()
  #judgedAtMs = 0

  /** Whether a call of this account may go out now. */
  admits(account: string, nowMs: number): boolean {
    return this.#nextTryMs(account, nowMs) <= nowMs
  }

  begin(account: string, nowMs: number): void {
    const own = this.#own.get(account)
    if (own !== undefined) own.triedAtMs = nowMs
    if (this.#openedAtMs === undefined) return
    if (nowMs >= this.#triesSinceMs + retryEveryMs) {
      this.#triesSinceMs = nowMs
      this.#tried.clear()
    }
    this.#tried.add(account)
  }

  succeeded(account: string, nowMs: number): void {
    if (this.#openedAtMs !== undefined) this.#close()
    if (this.#own.delete(account)) this.#forget(account)
    const outcomes = this.#outcomesOf(account, nowMs)
    if (outcomes !== undefined) outcomes.successes++
  }

  failed(account: string, nowMs: number): void {
    const outcomes = this.#outcomesOf(account, nowMs)
    if (outcomes === undefined) return
    outcomes.failures++
    const { failures, successes } = this.#sumOf(account)
    if (this.#own.has(account) || (failures >= failuresToOpen && failures >= successes))
      this.#own.set(account, { openedAtMs: nowMs, triedAtMs: 0 })
    if (this.#openedAtMs === undefined && this.#isFailing(nowMs)) this.#open(nowMs)
  }

  /** For all. */
  state(nowMs: number): CircuitState {
    if (this.#openedAtMs === undefined) return "closed"
    return nowMs < this.#openedAtMs + retryEveryMs ? "open" : "half_open"
  }

  /** Seconds until a call of this account may try. */
  retryAfterSeconds(account: string, nowMs: number): number {
    const waitMs = this.#nextTryMs(account, nowMs) - nowMs
    return waitMs <= 0 ? 0 : Math.ceil(waitMs / 1000)
  }

  #nextTryMs(account: string, nowMs: number): number {
    const own = this.#own.get(account)
    const ownMs = own === undefined ? 0 : Math.max(own.openedAtMs, own.triedAtMs) + retryEveryMs
    if (this.#openedAtMs === undefined || isHealthy(this.#sumOf(account))) return ownMs
    const hasPlace = !this.#tried.has(account) && this.#tried.size < triesMax
    const renewedMs = this.#triesSinceMs + retryEveryMs
    const sharedMs =
      hasPlace || nowMs >= renewedMs ? Math.min(renewedMs, this.#openedAtMs + retryEveryMs) : renewedMs
    return Math.max(ownMs, sharedMs)
  }

  #open(nowMs: number): void {
    this.#openedAtMs = nowMs
    this.#triesSinceMs = nowMs
    this.#tried.clear()
  }

  /** It answers again: who failed begins anew. */
  #close(): void {
    this.#openedAtMs = undefined
    this.#own.clear()
    for (const account of this.#accounts()) if (!isHealthy(this.#sumOf(account))) this.#forget(account)
  }

  /** Several accounts fail, and they are at least half of all. */
  #isFailing(nowMs: number): boolean {
    const known = this.#recent.size + this.#before.size
    if (known > judgedAtOnceMax && nowMs - this.#judgedAtMs < judgeEveryMs) return false
    this.#judgedAtMs = nowMs
    let failures = 0
    let failing = 0
    let healthy = 0
    for (const account of this.#accounts()) {
      const sum = this.#sumOf(account)
      failures += Math.min(sum.failures, failuresCountedMax)
      if (isHealthy(sum)) healthy++
      else failing++
    }
    return failures >= failuresToOpen && failing >= accountsToOpen && failing >= healthy
  }

  #accounts(): ReadonlySet<string> {
    return new Set([...this.#recent.keys(), ...this.#before.keys()])
  }

  #sumOf(account: string): Outcomes {
    const recent = this.#recent.get(account) ?? none
    const before = this.#before.get(account) ?? none
    return {
      failures: recent.failures + before.failures,
      successes: recent.successes + before.successes
    }
  }

  #forget(account: string): void {
    this.#recent.delete(account)
    this.#before.delete(account)
  }

  #outcomesOf(account: string, nowMs: number): Outcomes | undefined {
    this.#advance(nowMs)
    const known = this.#recent.get(account)
    if (known !== undefined) return known
    if (this.#recent.size >= accountsMax) return undefined
    const outcomes = { failures: 0, successes: 0 }
    this.#recent.set(account, outcomes)
    return outcomes
  }

  #advance(nowMs: number): void {
    const behindMs = nowMs - this.#spanStartMs
    if (behindMs < spanMs) return
    this.#before = behindMs < 2 * spanMs ? this.#recent : new Map()
    this.#recent = new Map()
    this.#spanStartMs = nowMs
    // Who has not tried for so long begins anew.
    for (const [account, { openedAtMs, triedAtMs }] of this.#own)
      if (nowMs - Math.max(openedAtMs, triedAtMs) > 2 * spanMs) this.#own.delete(account)
  }
}
