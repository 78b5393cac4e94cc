/**
 * Names of documents as Converse takes them: letters, digits, single spaces, hyphens, round and square brackets, and no
 * name twice in a request.
 */
import { UniqueNames } from "../UniqueNames.ts"

const lengthMax = 180

/** No more of a title is looked at: to put accents in their order takes the square of how many there are in a row. */
const readMax = 2_000

export class DocumentNames {
  readonly #names = new UniqueNames((name, count) => `${name} (${count})`)

  nameFor(title: string | undefined): string {
    return this.#names.take(cleaned(title ?? "") || "document")
  }
}

const cleaned = (title: string): string =>
  title
    .slice(0, readMax)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/đ/g, "d")
    .replace(/Đ/g, "D")
    .replace(/[^a-zA-Z0-9\-()[\]]+/g, " ")
    .slice(0, lengthMax)
    .trim()
