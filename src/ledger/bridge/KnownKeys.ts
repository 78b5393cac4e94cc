/**
 * Whose keys are, as a thread was told. That never changes, so it is kept for as long as the node lives: in another life of it the
 * database may be one that was put back to a moment before a key was made.
 */
import { remember } from "../../collections/remember.ts"
import type { LeaseDeadline } from "./LeaseDeadline.ts"
import type { KeyIdentity } from "./protocol.ts"

const identitiesMax = 100_000

export class KnownKeys {
  readonly #deadline: LeaseDeadline
  #timesEnded: bigint
  readonly #identities = new Map<string, KeyIdentity>()

  constructor(deadline: LeaseDeadline) {
    this.#deadline = deadline
    this.#timesEnded = deadline.timesEnded
  }

  /** By the secret's SHA-256 in hex. */
  find(secretHash: string): KeyIdentity | undefined {
    const { timesEnded } = this.#deadline
    if (timesEnded !== this.#timesEnded) {
      this.#identities.clear()
      this.#timesEnded = timesEnded
    }
    return this.#identities.get(secretHash)
  }

  /** What keeps what is told now, unless the node's life has ended by then. */
  get keeper(): (secretHash: string, identity: KeyIdentity) => void {
    const timesEnded = this.#deadline.timesEnded
    return (secretHash, identity) => {
      if (timesEnded === this.#deadline.timesEnded && timesEnded === this.#timesEnded)
        remember(this.#identities, secretHash, identity, identitiesMax)
    }
  }
}
