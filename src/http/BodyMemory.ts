/** How many bytes of request bodies a gateway thread keeps: in all, and of each account. */
import type { AccountId } from "../domain/ids.ts"

export interface BodyBounds {
  readonly bytes: number
  readonly bytesPerAccount: number
}

/** Callers whose key is not known yet, or who need none, share what one account may have, and no more than this. */
const strangersBytesMax = 32 * 1024 * 1024
/** Of that, those of one address may have this part. */
const addressShare = 1 / 8

/** Where callers come from whom nobody knows. */
export interface Stranger {
  readonly text: string
  /** Kept of their bodies. */
  bodyBytes: number
}

/** Of a stranger it may not be known where they come from. */
export type Owner = AccountId | Stranger | undefined

/** Accounts without a byte are swept out from then on. */
const accountsKept = 10_000

export class BodyMemory {
  readonly #bounds: () => BodyBounds
  readonly #isProxy: (address: string) => boolean
  readonly #byAccount = new Map<AccountId, number>()
  #strangers = 0
  #total = 0

  /**
   * The bounds are asked for each time: they change while the program runs. `isProxy` tells of an address that callers of
   * many others come from.
   */
  constructor(bounds: () => BodyBounds, isProxy: (address: string) => boolean) {
    this.#bounds = bounds
    this.#isProxy = isProxy
  }

  /** Bytes kept now. */
  get bytes(): number {
    return this.#total
  }

  hasRoom(owner: Owner, bytes: number): boolean {
    const bounds = this.#bounds()
    if (this.#total + bytes > bounds.bytes) return false
    if (typeof owner === "string") return this.#of(owner) + bytes <= bounds.bytesPerAccount
    const own = Math.min(strangersBytesMax, bounds.bytesPerAccount)
    if (this.#strangers + bytes > own) return false
    return owner === undefined || owner.bodyBytes + bytes <= own * addressShare || this.#isProxy(owner.text)
  }

  /** False where there is no room: nothing is taken then. */
  take(owner: Owner, bytes: number): boolean {
    if (!this.hasRoom(owner, bytes)) return false
    this.#add(owner, bytes)
    return true
  }

  giveBack(owner: Owner, bytes: number): void {
    this.#add(owner, -bytes)
  }

  #of(account: AccountId): number {
    return this.#byAccount.get(account) ?? 0
  }

  #add(owner: Owner, bytes: number): void {
    this.#total += bytes
    if (typeof owner !== "string") {
      this.#strangers += bytes
      if (owner !== undefined) owner.bodyBytes += bytes
      return
    }
    this.#byAccount.set(owner, this.#of(owner) + bytes)
    if (this.#byAccount.size > accountsKept) this.#sweep()
  }

  #sweep(): void {
    for (const [account, bytes] of this.#byAccount) if (bytes === 0) this.#byAccount.delete(account)
  }
}
