/** How many bytes an event loop takes up itself in one of its turns: many large bodies may be complete at once. */
export class TurnRoom {
  readonly #bytesMax: number
  #left: number
  readonly #renew = () => {
    this.#left = this.#bytesMax
  }

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#left = bytesMax
  }

  /** False where this turn has no room for them. */
  take(bytes: number): boolean {
    // Less than a millisecond each.
    if (bytes < smallBytes) return true
    if (bytes >= this.#left) return false
    if (this.#left === this.#bytesMax) setImmediate(this.#renew)
    this.#left -= bytes
    return true
  }
}

const smallBytes = 128 * 1024
