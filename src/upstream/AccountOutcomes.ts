/**
 * How calls fared lately, by account. What one customer asks for, or how much at once, may make calls fail: that speaks against a
 * route for that customer alone. It does for others when several fail, and no fewer of them than fare well; never for one that
 * itself fares well.
 */

const failuresMin = 5
const accountsMin = 2
/** For others, so many count of one account: another's single failure must not be what tips the balance. */
const failuresCountedMax = 3
/** Outcomes are counted over the present and the last of such spans. */
export const spanMs = 15_000
/** Of more accounts in a span nothing is counted. */
const accountsMax = 10_000
/** With many accounts it is not judged at every look. */
const judgedAtOnceMax = 100
const judgeEveryMs = 100

interface Outcomes {
  failures: number
  successes: number
}

type Span = Map<string, Outcomes>

const none: Outcomes = { failures: 0, successes: 0 }

const isHealthy = ({ failures, successes }: Outcomes): boolean => successes > failures

export class AccountOutcomes {
  #spanStartMs = 0
  #recent: Span = new Map()
  #before: Span = new Map()
  #recentFailures = 0
  #failuresBefore = 0
  #judgedAtMs = 0
  #judgement = false

  succeeded(account: string, nowMs: number): void {
    const outcomes = this.#outcomesOf(account, nowMs)
    if (outcomes !== undefined) outcomes.successes++
  }

  /** Answers whether it has been counted. */
  failed(account: string, nowMs: number): boolean {
    const outcomes = this.#outcomesOf(account, nowMs)
    if (outcomes === undefined) return false
    outcomes.failures++
    this.#recentFailures++
    return true
  }

  faresWell(account: string): boolean {
    return isHealthy(this.#sumOf(account))
  }

  /** The account's own calls fail, whatever becomes of others'. */
  failFor(account: string, nowMs: number): boolean {
    if (!this.#mayFail(nowMs)) return false
    const { failures, successes } = this.#sumOf(account)
    return failures >= failuresMin && failures >= successes
  }

  /** Several accounts fail, and they are at least half of all. */
  failForSeveral(nowMs: number): boolean {
    if (!this.#mayFail(nowMs)) return false
    const known = this.#recent.size + this.#before.size
    if (known > judgedAtOnceMax && nowMs - this.#judgedAtMs < judgeEveryMs) return this.#judgement
    this.#judgedAtMs = nowMs
    this.#judgement = this.#judge()
    return this.#judgement
  }

  forget(account: string): void {
    this.#recent.delete(account)
    this.#before.delete(account)
  }

  /** Who failed begins anew. */
  forgetFailing(): void {
    this.#judgement = false
    for (const account of this.#accounts()) if (!this.faresWell(account)) this.forget(account)
  }

  /** Answers whether a new span has begun. */
  advance(nowMs: number): boolean {
    const behindMs = nowMs - this.#spanStartMs
    if (behindMs < spanMs) return false
    const isNext = behindMs < 2 * spanMs
    this.#before = isNext ? this.#recent : new Map()
    this.#failuresBefore = isNext ? this.#recentFailures : 0
    this.#recent = new Map()
    this.#recentFailures = 0
    this.#spanStartMs = nowMs
    return true
  }

  /** Nearly always nothing has failed, and nobody need be counted. */
  #mayFail(nowMs: number): boolean {
    this.advance(nowMs)
    return this.#recentFailures + this.#failuresBefore >= failuresMin
  }

  #judge(): boolean {
    let failures = 0
    let failing = 0
    let healthy = 0
    for (const account of this.#accounts()) {
      const sum = this.#sumOf(account)
      failures += Math.min(sum.failures, failuresCountedMax)
      if (isHealthy(sum)) healthy++
      else failing++
    }
    return failures >= failuresMin && failing >= accountsMin && failing >= healthy
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

  #outcomesOf(account: string, nowMs: number): Outcomes | undefined {
    this.advance(nowMs)
    const known = this.#recent.get(account)
    if (known !== undefined) return known
    if (this.#recent.size >= accountsMax) return undefined
    const outcomes = { failures: 0, successes: 0 }
    this.#recent.set(account, outcomes)
    return outcomes
  }
}
