/**
 * Keeps calls away from a route that fails by its own fault, and lets some through every few seconds to see whether it has
 * recovered: for the account whose calls fail, and for all but those that fare well once several accounts' do.
 */
import { AccountOutcomes, spanMs } from "./AccountOutcomes.ts"

export type CircuitState = "closed" | "open" | "half_open"

const retryEveryMs = 5_000
/**
 * Where it is open for all, so many accounts may try in each such time, with one call each, one after another: the next one tries once the
 * call before has failed, or has taken so long. None can keep the others from it.
 */
const triesMax = 10
/** One that nobody has tried for so long, since nobody may call by it, say, is told of no more: it would be for ever. */
const toldMs = 10 * 60_000

interface OwnCircuit {
  readonly openedAtMs: number
  triedAtMs: number
}

export class Circuit {
  readonly #outcomes = new AccountOutcomes()
  /** Open for these accounts. */
  readonly #own = new Map<string, OwnCircuit>()
  /** Open for all but those that fare well. */
  #openedAtMs: number | undefined
  #triesSinceMs = 0
  readonly #tried = new Set<string>()
  /** Whose call tries. */
  #trying: string | undefined
  #triedAtMs = 0

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
    if (this.#outcomes.faresWell(account)) return
    this.#trying = account
    this.#triedAtMs = nowMs
  }

  succeeded(account: string, nowMs: number): void {
    this.#advance(nowMs)
    if (this.#openedAtMs !== undefined) this.#close()
    if (this.#own.delete(account)) this.#outcomes.forget(account)
    this.#outcomes.succeeded(account, nowMs)
  }

  failed(account: string, nowMs: number): void {
    this.#advance(nowMs)
    if (this.#trying === account) this.#trying = undefined
    if (!this.#outcomes.failed(account, nowMs)) return
    if (this.#own.has(account) || this.#outcomes.failFor(account, nowMs))
      this.#own.set(account, { openedAtMs: nowMs, triedAtMs: 0 })
    if (this.#openedAtMs === undefined && this.#outcomes.failForSeveral(nowMs)) this.#open(nowMs)
  }

  /** For all. */
  state(nowMs: number): CircuitState {
    if (this.#openedAtMs === undefined || nowMs >= this.#triesSinceMs + toldMs) return "closed"
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
    if (this.#openedAtMs === undefined || this.#outcomes.faresWell(account)) return ownMs
    const hasPlace = !this.#tried.has(account) && this.#tried.size < triesMax
    const renewedMs = this.#triesSinceMs + retryEveryMs
    const sharedMs =
      hasPlace || nowMs >= renewedMs ? Math.min(renewedMs, this.#openedAtMs + retryEveryMs) : renewedMs
    return Math.max(ownMs, sharedMs, this.#trying === undefined ? 0 : this.#triedAtMs + retryEveryMs)
  }

  #open(nowMs: number): void {
    this.#openedAtMs = nowMs
    this.#triesSinceMs = nowMs
    this.#tried.clear()
    this.#trying = undefined
  }

  /** It answers again: who failed begins anew. */
  #close(): void {
    this.#openedAtMs = undefined
    this.#own.clear()
    this.#outcomes.forgetFailing()
  }

  #advance(nowMs: number): void {
    if (!this.#outcomes.advance(nowMs)) return
    // Who has not tried for so long begins anew.
    for (const [account, { openedAtMs, triedAtMs }] of this.#own)
      if (nowMs - Math.max(openedAtMs, triedAtMs) > 2 * spanMs) this.#own.delete(account)
  }
}
