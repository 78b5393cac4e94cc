/** What waits for the end of this turn of the event loop, all of it together. */
export class EndOfTurn {
  #waiting: Array<() => void> = []
  readonly #run = () => {
    const waiting = this.#waiting
    this.#waiting = []
    for (const listener of waiting) listener()
  }

  add(listener: () => void): void {
    if (this.#waiting.push(listener) === 1) setImmediate(this.#run)
  }
}
