/** How many bytes an event loop takes up itself in one of its turns: many large bodies may be complete at once. */
import { Effect } from "effect"
import type { AccountId } from "../domain/ids.ts"

interface Waiting {
  readonly account: AccountId
  readonly bytes: number
  readonly begin: () => void
}

export class TurnRoom {
  readonly #bytesMax: number
  #left: number
  #willRenew = false
  /** In the order in which they came. */
  #line: ReadonlyArray<Waiting> = []

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#left = bytesMax
  }

  /** False where this turn has no room for them. */
  take(bytes: number): boolean {
    // Less than a millisecond each.
    if (bytes < smallBytes) return true
    if (bytes >= this.#left || this.#line.length > 0) return false
    this.#use(bytes)
    return true
  }

  /** Whether the account may call `wait`: with one at a time, so that nobody fills the turns of all. */
  mayWait(account: AccountId, bytes: number): boolean {
    const isInLine = this.#line.some((each) => each.account === account)
    return bytes < this.#bytesMax && this.#line.length < lineMax && !isInLine
  }

  /** Returns in a turn that has room for them. */
  wait(account: AccountId, bytes: number): Effect.Effect<void> {
    return Effect.callback((resume) => {
      const waiting = { account, bytes, begin: () => resume(Effect.void) }
      this.#line = [...this.#line, waiting]
      this.#renewSoon()
      return Effect.sync(() => {
        this.#line = this.#line.filter((each) => each !== waiting)
      })
    })
  }

  #use(bytes: number): void {
    this.#left -= bytes
    this.#renewSoon()
  }

  #renewSoon(): void {
    if (!this.#willRenew) setImmediate(this.#renew)
    this.#willRenew = true
  }

  readonly #renew = () => {
    this.#willRenew = false
    this.#left = this.#bytesMax
    for (let first = this.#line[0]; first !== undefined && first.bytes < this.#left; first = this.#line[0]) {
      this.#line = this.#line.slice(1)
      this.#use(first.bytes)
      // Others may leave the line at its word.
      first.begin()
    }
    if (this.#line.length > 0) this.#renewSoon()
  }
}

const smallBytes = 128 * 1024

/** So many turns pass sooner than the way by a worker, which takes three times as much of the processor. */
const lineMax = 12
