/**
 * Finds secrets in a text: whole or a good part of one, broken by blanks and line ends, in base64, hex or percent
 * encoding. What is found is replaced.
 */

/** Shorter secrets are found in ordinary words. */
const lengthMin = 8
/** Up to this length a secret counts only as a whole. */
const wholeMax = 15
/** So much of a longer one tells too much. */
const partLength = 10

const blank = /[\s\u00ad\u200b-\u200d\u2060\ufeff]/

export class SecretFinder {
  /** What must not be found, by its length. */
  readonly #parts = new Map<number, Set<string>>()

  constructor(secrets: ReadonlyArray<string>) {
    for (const secret of secrets) {
      if (secret.length >= lengthMin) for (const form of formsOf(secret)) this.#add(form)
    }
  }

  hide(text: string, replacement: string): string {
    const places: Array<number> = []
    let solid = ""
    for (let at = 0; at < text.length; at++) {
      if (blank.test(text[at]!)) continue
      places.push(at)
      solid += text[at]
    }
    const found = this.#find(solid)
    if (found === undefined) return text
    let shown = ""
    let next = 0
    for (let at = 0; at < solid.length; at++) {
      if (found[at] === 0) continue
      const start = places[at]!
      while (found[at + 1] === 1) at++
      shown += text.slice(next, start) + replacement
      next = places[at]! + 1
    }
    return shown + text.slice(next)
  }

  /** 1 for each character that belongs to a secret; `undefined` when none does. */
  #find(solid: string): Uint8Array | undefined {
    let found: Uint8Array | undefined
    for (const [length, parts] of this.#parts) {
      for (let at = 0; at + length <= solid.length; at++) {
        if (!parts.has(solid.slice(at, at + length))) continue
        found ??= new Uint8Array(solid.length)
        found.fill(1, at, at + length)
      }
    }
    return found
  }

  #add(form: string): void {
    const length = form.length > wholeMax ? partLength : form.length
    const parts = this.#parts.get(length) ?? new Set()
    this.#parts.set(length, parts)
    for (let at = 0; at + length <= form.length; at++) parts.add(form.slice(at, at + length))
  }
}

const formsOf = (secret: string): ReadonlyArray<string> => {
  const hex = Buffer.from(secret).toString("hex")
  const base64 = [0, 1, 2].map((before) => base64Within(secret, before))
  const urlSafe = base64.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))
  return [
    ...new Set([secret, encodeURIComponent(secret), hex, hex.toUpperCase(), ...base64, ...urlSafe])
  ].filter((form) => form.length >= lengthMin)
}

/** What is the same of its base64 whatever stands around it, with so many bytes before it in its group of three. */
const base64Within = (secret: string, before: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
  const text = bytes.toString("base64").replaceAll("=", "")
  return text.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? text.length : -1)
}
