/**
 * How calls fared lately, by account. What one customer asks for, or how much at once, may make calls fail: that speaks against a
 * route for that customer alone. It does for others when several fail, and no fewer of them than fare well; never for one that
 * itself fares well.
 */
import { TwoSpans } from "./TwoSpans.ts"

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

interface Span {
  readonly accounts: Map<string, Outcomes>
  failures: number
}

const none: Outcomes = { failures: 0, successes: 0 }

const isHealthy = ({ failures, successes }: Outcomes): boolean => successes > failures

export class AccountOutcomes {
  readonly #spans = new TwoSpans<Span>(spanMs, () => ({ accounts: new Map(), failures: 0 }))
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
    this.#spans.recent.failures++
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
    const known = this.#spans.recent.accounts.size + this.#spans.before.accounts.size
    if (known > judgedAtOnceMax && nowMs - this.#judgedAtMs < judgeEveryMs) return this.#judgement
    this.#judgedAtMs = nowMs
    this.#judgement = this.#judge()
    return this.#judgement
  }

  forget(account: string): void {
    this.#spans.recent.accounts.delete(account)
    this.#spans.before.accounts.delete(account)
  }

  /** Who failed begins anew. */
  forgetFailing(): void {
    this.#judgement = false
    for (const account of this.#accounts()) if (!this.faresWell(account)) this.forget(account)
  }

  /** Answers whether a new span has begun. */
  advance(nowMs: number): boolean {
    return this.#spans.advance(nowMs)
  }

  /** Nearly always nothing has failed, and nobody need be counted. */
  #mayFail(nowMs: number): boolean {
    this.advance(nowMs)
    return this.#spans.recent.failures + this.#spans.before.failures >= failuresMin
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
    return new Set([...this.#spans.recent.accounts.keys(), ...this.#spans.before.accounts.keys()])
  }

  #sumOf(account: string): Outcomes {
    const recent = this.#spans.recent.accounts.get(account) ?? none
    const before = this.#spans.before.accounts.get(account) ?? none
    return {
      failures: recent.failures + before.failures,
      successes: recent.successes + before.successes
    }
  }

  #outcomesOf(account: string, nowMs: number): Outcomes | undefined {
    this.advance(nowMs)
    const { accounts } = this.#spans.recent
    const known = accounts.get(account)
    if (known !== undefined) return known
    if (accounts.size >= accountsMax) return undefined
    const outcomes = { failures: 0, successes: 0 }
    accounts.set(account, outcomes)
    return outcomes
  }
}
