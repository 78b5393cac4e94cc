/** Watches what a stream has produced and has its hold extended before it is used up. */
import type { MicroVnd } from "../domain/money.ts"
import { tokensCost } from "../domain/price.ts"
import type { LedgerConnection } from "../ledger/LedgerClient.ts"
import { coveredOutput } from "./admission.ts"
import type { IdentifiedCall } from "./Call.ts"

export interface HoldOptions {
  readonly ledger: LedgerConnection
  readonly call: IdentifiedCall
  readonly perMtokVnd: number
  /** Tokens of input that the hold covers beside the output. */
  readonly inputTokens: number
  readonly granted: MicroVnd
  /** Output tokens by which the hold grows. */
  readonly quantum: number
  /** Output tokens that can come at most: nothing is held beyond them. */
  readonly outputMax: number
}

/** Tokens of output so far: what they hardly exceed, and what they probably are. */
export interface OutputSoFar {
  readonly bound: number
  readonly guess: number
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
    this.#covered = coveredOutput(options.perMtokVnd, options.inputTokens, options.granted)
  }

  /** Tokens of output that are held for. */
  get covered(): number {
    return this.#covered
  }

  /**
   * Whether the output so far is covered. Asks for more in good time; `changed` is called when an answer has come while
   * the state was `waiting`.
   */
  check({ bound, guess }: OutputSoFar, changed: () => void): HoldState {
    if (this.#covered >= this.#options.outputMax) return "covered"
    const left = this.#covered - bound
    if (left < this.#options.quantum / 2 && !this.#asking && !this.#refused) this.#ask(changed)
    if (left >= 0) return "covered"
    if (!this.#refused) return "waiting"
    // The last of a wallet is spent by the count that is charged, not by the one that is safe.
    return guess <= this.#covered ? "covered" : "exhausted"
  }

  #ask(changed: () => void): void {
    const { call, inputTokens, ledger, outputMax, perMtokVnd, quantum } = this.#options
    this.#asking = true
    const wanted = tokensCost(perMtokVnd, Math.min(quantum, outputMax - this.#covered))
    const demand = { minimum: tokensCost(perMtokVnd, 1), wanted }
    ledger.extend(call.identity.accountId, call, demand, (answer) => {
      this.#asking = false
      if (answer._tag === "Admitted") {
        this.#granted += answer.granted
        this.#covered = coveredOutput(perMtokVnd, inputTokens, this.#granted)
      } else if (answer._tag === "Insufficient") {
        this.#refused = true
      } else {
        return // The ledger can not say now: the next check asks again.
      }
      changed()
    })
  }
}
