/** The ledger's side of a gateway thread's allowances: which word serves which wallet. */
import type { Allowance } from "../../actors/allowances.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { allowanceMax, AllowanceWords } from "./AllowanceWords.ts"

/** Wallets that a thread has allowances of at once; calls on any others ask. 512 KiB. */
const wordsMax = 65_536

let threads = 0

export class ThreadAllowances {
  /** Never given twice, so that what a dead thread held is not mistaken for its successor's. */
  readonly thread = ++threads
  readonly words: AllowanceWords
  readonly #unused: Array<number> = []
  #next = 0

  constructor(count = wordsMax) {
    this.words = AllowanceWords.make(count)
  }

  /** An empty allowance; `undefined` when all words are in use. */
  readonly open = (): WordAllowance | undefined => {
    const index = this.#unused.pop() ?? (this.#next < this.words.count ? this.#next++ : undefined)
    return index === undefined ? undefined : new WordAllowance(this.words, index, () => this.#reuse(index))
  }

  #reuse(index: number): void {
    if (!this.words.isSpent(index)) this.#unused.push(index)
  }
}

/** What a thread must know to take from it: `index` and `generation`. */
export class WordAllowance implements Allowance {
  readonly index: number
  readonly generation: number
  readonly max = allowanceMax
  readonly #words: AllowanceWords
  readonly #ended: () => void

  constructor(words: AllowanceWords, index: number, ended: () => void) {
    this.#words = words
    this.index = index
    this.generation = words.generation(index)
    this.#ended = ended
  }

  get free(): MicroVnd {
    return this.#words.free(this.index)
  }

  grant(amount: MicroVnd): void {
    this.#words.grant(this.index, amount)
  }

  takeBack(): MicroVnd {
    const left = this.#words.takeBack(this.index)
    this.#ended()
    return left
  }
}
