/** Names of which none is given twice: one that is taken goes with a number behind it. */
export class UniqueNames {
  readonly #numbered: (name: string, count: number) => string
  readonly #used = new Set<string>()
  /** The last number given after a name: counting from the start each time would take for ever where all are alike. */
  readonly #counts = new Map<string, number>()

  constructor(numbered: (name: string, count: number) => string) {
    this.#numbered = numbered
  }

  take(wanted: string): string {
    let name = wanted
    let count = this.#counts.get(wanted) ?? 1
    while (this.#used.has(name)) name = this.#numbered(wanted, ++count)
    this.#counts.set(wanted, count)
    this.#used.add(name)
    return name
  }
}

/** Some models give several calls of an answer the same id. */
export const uniqueCallIds = (): UniqueNames => new UniqueNames((id, count) => `${id}_${count}`)
