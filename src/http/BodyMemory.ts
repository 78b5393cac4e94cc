/** How many bytes of request bodies a gateway thread keeps: in all, and of each account. */
import type { AccountId } from "../domain/ids.ts"

export interface BodyBounds {
  readonly bytes: number
  readonly bytesPerAccount: number
}

/** Callers whose key is not known yet, or who need none, share what one account may have, and no more than this. */
const strangersBytesMax = 32 * 1024 * 1024

/** Accounts without a byte are swept out from then on. */
const accountsKept = 10_000

export class BodyMemory {
  readonly #bounds: () => BodyBounds
  readonly #byAccount = new Map<AccountId, number>()
  #strangers = 0
  #total = 0

  /** The bounds are asked for each time: they change while the program runs. */
  constructor(bounds: () => BodyBounds) {
    this.#bounds = bounds
  }

  /** Bytes kept now. */
  get bytes(): number {
    return this.#total
  }

  hasRoom(account: AccountId | undefined, bytes: number): boolean {
    const bounds = this.#bounds()
    const own =
      account === undefined ? Math.min(strangersBytesMax, bounds.bytesPerAccount) : bounds.bytesPerAccount
    return this.#total + bytes <= bounds.bytes && this.#of(account) + bytes <= own
  }

  /** False where there is no room: nothing is taken then. */
  take(account: AccountId | undefined, bytes: number): boolean {
    if (!this.hasRoom(account, bytes)) return false
    this.#add(account, bytes)
    return true
  }

  giveBack(account: AccountId | undefined, bytes: number): void {
    this.#add(account, -bytes)
  }

  #of(account: AccountId | undefined): number {
    return account === undefined ? this.#strangers : (this.#byAccount.get(account) ?? 0)
  }

  #add(account: AccountId | undefined, bytes: number): void {
    this.#total += bytes
    if (account === undefined) {
      this.#strangers += bytes
      return
    }
    this.#byAccount.set(account, this.#of(account) + bytes)
    if (this.#byAccount.size > accountsKept) this.#sweep()
  }

  #sweep(): void {
    for (const [account, bytes] of this.#byAccount) if (bytes === 0) this.#byAccount.delete(account)
  }
}
