/** Names of which none is given twice: one that is taken goes with a number behind it. */
export class UniqueNames {
  readonly #numbered: (name: string, count: number) => string
  readonly #used = new Set<string>()
  /**
   * The last number given after a name, or after what is left of it before a number: counting from the start each time would take for
   * ever where all are alike.
   */
  readonly #counts = new Map<string, number>()

  constructor(numbered: (name: string, count: number) => string) {
    this.#numbered = numbered
  }

  take(wanted: string): string {
    let name = wanted
    if (this.#used.has(wanted)) {
      const series = this.#numbered(wanted, 0)
      let count = this.#counts.get(series) ?? 1
      while (this.#used.has(name)) name = this.#numbered(wanted, ++count)
      this.#counts.set(series, count)
    }
    this.#used.add(name)
    return name
  }
}

/** Some models give several calls of an answer the same id. */
export const uniqueCallIds = (): UniqueNames => new UniqueNames((id, count) => `${id}_${count}`)
