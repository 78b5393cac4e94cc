/**
 * Finds secrets in a text: whole or a good part of one, whatever stands between its letters and digits, in either case,
 * in base64, hex, percent encoding, escapes or character codes. What is found is replaced by `[key]`.
 */

/** Shorter secrets are found in ordinary words. */
const lengthMin = 8
/** Up to this length a secret counts only as a whole. */
const wholeMax = 15
/** So much of a longer one tells too much. */
const partLength = 10

/** All that is looked at, and that a secret is told by. */
const telling = /[A-Za-z0-9]/

export class SecretFinder {
  /** What must not be found, by its length. */
  readonly #parts = new Map<number, Set<string>>()

  constructor(secrets: ReadonlyArray<string>) {
    for (const secret of secrets) {
      if (secret.length < lengthMin) continue
      for (const form of formsOf(secret)) this.#add(form, partLength)
      for (const form of spelt(secret)) this.#add(form, (partLength * form.length) / secret.length)
    }
  }

  hide(text: string): string {
    const places: Array<number> = []
    let solid = ""
    for (let at = 0; at < text.length; at++) {
      if (!telling.test(text[at]!)) continue
      places.push(at)
      solid += text[at]
    }
    const found = this.#find(solid.toLowerCase())
    if (found === undefined) return text
    let shown = ""
    let next = 0
    for (let at = 0; at < solid.length; at++) {
      if (found[at] === 0) continue
      const start = places[at]!
      while (found[at + 1] === 1) at++
      shown += `${text.slice(next, start)}[key]`
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

  #add(written: string, part: number): void {
    const form = written.replace(/[^A-Za-z0-9]/g, "").toLowerCase()
    if (form.length < lengthMin) return
    const length = form.length > wholeMax ? Math.min(Math.floor(part), form.length) : form.length
    const parts = this.#parts.get(length) ?? new Set()
    this.#parts.set(length, parts)
    for (let at = 0; at + length <= form.length; at++) parts.add(form.slice(at, at + length))
  }
}

const formsOf = (secret: string): ReadonlyArray<string> => {
  const hex = Buffer.from(secret).toString("hex")
  const base64 = [0, 1, 2].map((before) => base64Within(secret, before))
  return [secret, encodeURIComponent(secret), hex, ...base64]
}

/** Character by character: `\u0073`, `\x73` and, as HTML and lists of bytes have it, `115`. */
const spelt = (secret: string): ReadonlyArray<string> => {
  const codes = [...Buffer.from(secret)]
  const digits = codes.map((code) => code.toString(16).padStart(2, "0"))
  return [digits.map((two) => `u00${two}`).join(""), digits.map((two) => `x${two}`).join(""), codes.join("")]
}

/** What is the same of its base64 whatever stands around it, with so many bytes before it in its group of three. */
const base64Within = (secret: string, before: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
  const text = bytes.toString("base64").replaceAll("=", "")
  return text.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? text.length : -1)
}
