/** Base62: letters and digits alone, in the order of their characters, so that texts of one length sort as their numbers. */

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** The last `length` digits of a whole number, most significant first. */
export const toBase62 = (value: number, length: number): string => {
  let text = ""
  for (let rest = value, digit = 0; digit < length; digit++) {
    text = base62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** The number that such digits write. */
export const fromBase62 = (text: string): number =>
  [...text].reduce((value, digit) => value * 62 + base62.indexOf(digit), 0)

/** Drawn in advance, since each draw has a cost of its own. */
const drawn = new Uint8Array(4096)
let used = drawn.length

/** Random digits that nobody can guess. */
export const randomBase62 = (length: number): string => {
  let text = ""
  while (text.length < length) {
    if (used === drawn.length) {
      crypto.getRandomValues(drawn)
      used = 0
    }
    const byte = drawn[used++]!
    // 248 = 4 × 62: a byte at or above it would favour the first characters.
    if (byte < 248) text += base62[byte % 62]
  }
  return text
}
