/**
 * Names of documents as Converse takes them: letters, digits, single spaces, hyphens, round and square brackets, and no
 * name twice in a request.
 */

const lengthMax = 180

export class DocumentNames {
  readonly #used = new Set<string>()
  /** The last number given after a name: counting from the start each time would take for ever where all are alike. */
  readonly #counts = new Map<string, number>()

  nameFor(title: string | undefined): string {
    const clean = cleaned(title ?? "") || "document"
    let name = clean
    let count = this.#counts.get(clean) ?? 1
    while (this.#used.has(name)) name = `${clean} (${++count})`
    this.#counts.set(clean, count)
    this.#used.add(name)
    return name
  }
}

const cleaned = (title: string): string =>
  title
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/đ/g, "d")
    .replace(/Đ/g, "D")
    .replace(/[^a-zA-Z0-9\-()[\]]+/g, " ")
    .slice(0, lengthMax)
    .trim()
