/**
 * Names of documents as Converse takes them: letters, digits, single spaces, hyphens, round and square brackets, and no
 * name twice in a request.
 */

const lengthMax = 180

export class DocumentNames {
  readonly #used = new Set<string>()

  nameFor(title: string | undefined): string {
    const clean = cleaned(title ?? "") || "document"
    let name = clean
    for (let count = 2; this.#used.has(name); count++) name = `${clean} (${count})`
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
