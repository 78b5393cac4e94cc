/**
 * What a gateway thread may hold of wallets without asking: one 64-bit word of shared memory for each.
 *
 * A word is a generation (24 bits) and µVND (40 bits). The thread takes µVND of a generation that the ledger has told
 * it; taking back ends the generation in the same instant. So nothing is taken twice, and nothing after it was taken
 * back: not by a thread that is late, not out of a word that serves another wallet by now.
 */
import type { MicroVnd } from "../../domain/money.ts"

const amountBits = 40n
/** The most that one allowance can be, in µVND: about a million dong. */
export const allowanceMax: MicroVnd = (1n << amountBits) - 1n
const generationMax = 2 ** 24 - 1

export type Taken = "taken" | "short" | "ended"

export class AllowanceWords {
  readonly memory: SharedArrayBuffer
  readonly #words: BigUint64Array

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.#words = new BigUint64Array(memory)
  }

  static make(count: number): AllowanceWords {
    return new AllowanceWords(new SharedArrayBuffer(count * BigUint64Array.BYTES_PER_ELEMENT))
  }

  get count(): number {
    return this.#words.length
  }

  generation(index: number): number {
    return generationOf(Atomics.load(this.#words, index))
  }

  /** µVND that are not taken. */
  free(index: number): MicroVnd {
    return Atomics.load(this.#words, index) & allowanceMax
  }

  /** Something of this generation can still be taken. */
  isFunded(index: number, generation: number): boolean {
    const word = Atomics.load(this.#words, index)
    return generationOf(word) === generation && (word & allowanceMax) > 0n
  }

  /** Takes all of `amount` or nothing. */
  take(index: number, generation: number, amount: MicroVnd): Taken {
    for (;;) {
      const word = Atomics.load(this.#words, index)
      if (generationOf(word) !== generation) return "ended"
      if ((word & allowanceMax) < amount) return "short"
      if (Atomics.compareExchange(this.#words, index, word, word - amount) === word) return "taken"
    }
  }

  /** Adds to a word. What is free and what is added must not exceed `allowanceMax`. */
  grant(index: number, amount: MicroVnd): void {
    Atomics.add(this.#words, index, amount)
  }

  /** Answers what had not been taken, and can not be taken any more. */
  takeBack(index: number): MicroVnd {
    const next = BigInt(this.generation(index) + 1) << amountBits
    return Atomics.exchange(this.#words, index, next) & allowanceMax
  }

  /** Whether the word can be given out for another generation. */
  isSpent(index: number): boolean {
    return this.generation(index) >= generationMax
  }
}

const generationOf = (word: bigint): number => Number(word >> amountBits)
