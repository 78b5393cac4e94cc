/**
 * What waits, by account: the accounts take turns, and each has only so much under way at once. So whoever asks for
 * much waits for itself alone.
 */
import type { AccountId } from "../domain/ids.ts"

export interface FairQueueOptions {
  /** Of one account, under way at the same time. */
  readonly underwayMax: number
  readonly waitingMax: number
}

interface Line<A> {
  /** Comes first, and is never dropped. */
  readonly kept: Array<A>
  readonly waiting: Array<A>
  underway: number
}

const isEmpty = ({ kept, waiting }: Line<unknown>): boolean => kept.length === 0 && waiting.length === 0

export class FairQueue<A> {
  readonly #options: FairQueueOptions
  /** In the order of their turns; an account without anything has no line. */
  readonly #lines = new Map<AccountId, Line<A>>()
  #waiting = 0
  #kept = 0

  constructor(options: FairQueueOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#waiting + this.#kept
  }

  /** For what must not be given up: its maker sees to it that there is not too much of it. */
  addKept(account: AccountId, item: A): void {
    this.#lineOf(account).kept.push(item)
    this.#kept++
  }

  /** Answers what must go when the queue is full: the last of the longest line, which may be this one itself. */
  add(account: AccountId, item: A): A | undefined {
    this.#lineOf(account).waiting.push(item)
    this.#waiting++
    return this.#waiting > this.#options.waitingMax ? this.#dropLast() : undefined
  }

  /** The next one, under way from now until `done`; `undefined` where all that waits is of accounts that must wait. */
  take(): { readonly account: AccountId; readonly item: A } | undefined {
    for (const [account, line] of this.#lines) {
      if (isEmpty(line) || line.underway >= this.#options.underwayMax) continue
      if (line.kept.length > 0) this.#kept--
      else this.#waiting--
      const item = (line.kept.shift() ?? line.waiting.shift())!
      line.underway++
      // Its next turn comes after all others'.
      this.#lines.delete(account)
      this.#lines.set(account, line)
      return { account, item }
    }
    return undefined
  }

  done(account: AccountId): void {
    this.#lines.get(account)!.underway--
    this.#forgetEmpty(account)
  }

  /** Takes out what waits, if it still does. */
  remove(account: AccountId, item: A): void {
    const line = this.#lines.get(account)
    const place = line?.waiting.indexOf(item) ?? -1
    if (line === undefined || place === -1) return
    line.waiting.splice(place, 1)
    this.#waiting--
    this.#forgetEmpty(account)
  }

  #lineOf(account: AccountId): Line<A> {
    const present = this.#lines.get(account)
    if (present !== undefined) return present
    const line: Line<A> = { kept: [], waiting: [], underway: 0 }
    this.#lines.set(account, line)
    return line
  }

  #dropLast(): A {
    let longest: readonly [AccountId, Line<A>] | undefined
    // Of several as long as each other, the one that had its turn last.
    for (const [account, line] of this.#lines)
      if (line.waiting.length >= (longest?.[1].waiting.length ?? 0)) longest = [account, line]
    const [account, line] = longest!
    const item = line.waiting.pop()!
    this.#waiting--
    this.#forgetEmpty(account)
    return item
  }

  #forgetEmpty(account: AccountId): void {
    const line = this.#lines.get(account)
    if (line !== undefined && isEmpty(line) && line.underway === 0) this.#lines.delete(account)
  }
}
