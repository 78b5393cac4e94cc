/** In what the database and a node's wallets differ for a moment, by wallets. */
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"

export class Untold {
  /** Something lies idle that must be given back. */
  readonly #idle = new Set<AccountId>()
  /** Something was given back here, and not yet there: until then a claim says too little. */
  readonly #returned = new Set<AccountId>()
  /** µVND that the database has granted, none included, and that are not applied yet: what it is told next must count them in. */
  readonly #arriving = new Map<AccountId, MicroVnd>()
  /** It was told of them before that was applied: more may be there by now. */
  readonly #overtaken = new Set<AccountId>()

  noteIdle(accountId: AccountId): void {
    this.#idle.add(accountId)
  }

  noteReturned(accountId: AccountId): void {
    this.#returned.add(accountId)
  }

  noteGranted(accountId: AccountId, amount: MicroVnd): void {
    this.#arriving.set(accountId, amount)
    this.#overtaken.delete(accountId)
  }

  /** What was granted is applied, or lost. Answers whether there may be more than the last claim has found. */
  forgetGranted(accountId: AccountId): boolean {
    this.#arriving.delete(accountId)
    return this.#overtaken.delete(accountId) || this.#returned.has(accountId)
  }

  /** Each is told once. */
  takeIdle(): ReadonlyArray<AccountId> {
    const idle = [...this.#idle]
    this.#idle.clear()
    return idle
  }

  /** The database is told of the wallet now: answers what must be counted in. */
  tell(accountId: AccountId): MicroVnd {
    this.#idle.delete(accountId)
    this.#returned.delete(accountId)
    const arriving = this.#arriving.get(accountId)
    if (arriving !== undefined) this.#overtaken.add(accountId)
    return arriving ?? 0n
  }

  clear(): void {
    this.#idle.clear()
    this.#returned.clear()
    this.#arriving.clear()
    this.#overtaken.clear()
  }
}
