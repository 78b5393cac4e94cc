/** Watches what a stream has produced and has its hold extended before it is used up. */
import type { MicroVnd } from "../domain/money.ts"
import { tokensCost } from "../domain/price.ts"
import type { LedgerClient } from "../ledger/bridge/LedgerClient.ts"
import { coveredOutput, type TokenHold } from "./admission.ts"
import type { IdentifiedCall } from "./Call.ts"

export interface HoldOptions {
  readonly ledger: LedgerClient
  readonly call: IdentifiedCall
  readonly terms: TokenHold
  /** Tokens of input that the hold covers beside the output. */
  readonly inputTokens: number
  readonly granted: MicroVnd
  /** Output tokens by which the hold grows. */
  readonly quantum: number
  /** Output tokens that the caller's cap lets come: nothing is held beyond them until more has come all the same. */
  readonly outputMax: number
}

/** Tokens of output so far. */
export interface OutputSoFar {
  /** What they hardly exceed. */
  readonly bound: number
  /** What they probably are: what would be charged now. */
  readonly guess: number
  /** What they hardly fall short of. */
  readonly least: number
  /** No more will come. */
  readonly isWhole: boolean
}

export type HoldState = "covered" | "waiting" | "exhausted"

export class HoldMeter {
  readonly #options: HoldOptions
  #granted: MicroVnd
  #covered: number
  #asking = false
  #refused = false

  constructor(options: HoldOptions) {
    this.#options = options
    this.#granted = options.granted
    this.#covered = coveredOutput(options.terms, options.inputTokens, options.granted)
  }

  /** Tokens of output that are held for. */
  get covered(): number {
    return this.#covered
  }

  /**
   * Whether the output so far is covered. Asks for more in good time; `changed` is called when an answer has come while
   * the state was `waiting`.
   */
  check(output: OutputSoFar, changed: () => void): HoldState {
    // The safe count of an answer within its cap may be above the cap; only what surely is has gone beyond it.
    const expected = output.least > this.#options.outputMax ? Infinity : this.#options.outputMax
    const needed = Math.min(output.bound, expected)
    // A long answer asks more seldom.
    const ahead = output.isWhole ? 0 : Math.max(this.#options.quantum, Math.floor(needed / 8))
    const wanted = Math.min(expected, Math.max(needed, this.#covered + ahead)) - this.#covered
    const left = this.#covered - needed
    const isLow = output.isWhole ? left < 0 : left < ahead / 2
    if (isLow && wanted > 0 && !this.#asking && !this.#refused) this.#ask(wanted, changed)
    if (left >= 0) return "covered"
    if (!this.#refused) return "waiting"
    // The last of a wallet is spent by the count that is charged, not by the one that is safe.
    return output.guess <= this.#covered ? "covered" : "exhausted"
  }

  #ask(tokens: number, changed: () => void): void {
    const { call, inputTokens, ledger, terms } = this.#options
    this.#asking = true
    const demand = { minimum: tokensCost(terms.rate, 1), wanted: tokensCost(terms.rate, tokens) }
    ledger.extend(call.identity.accountId, call, demand, (answer) => {
      this.#asking = false
      if (answer._tag === "Admitted") {
        this.#granted += answer.granted
        this.#covered = coveredOutput(terms, inputTokens, this.#granted)
      } else if (answer._tag === "Insufficient" || answer._tag === "OverBudget") {
        this.#refused = true
        call.refusedHold = answer
      } else {
        return // The ledger can not say now: the next check asks again.
      }
      changed()
    })
  }
}
