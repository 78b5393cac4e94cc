/** Characters as bytes have them, in UTF-8 and in the strings of JSON. */

export const backslash = 92
export const letterU = 117

/** A Unicode escape: as long as any other and as any character. */
export const escapeBytesMax = 6

/** What an escape of two bytes stands for, by its letter; 0 where that is none. */
const unitOfLetter = new Uint8Array(256)
for (const [letter, unit] of ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"].map((pair) =>
  Buffer.from(pair)
))
  unitOfLetter[letter!] = unit!

/** Bytes of the escape that begins at `start`; 0 where that is none. */
export const escapeLength = (bytes: Uint8Array, start: number): number => {
  const letter = bytes[start + 1]!
  if (letter !== letterU) return unitOfLetter[letter] === 0 ? 0 : 2
  for (let index = start + 2; index < start + escapeBytesMax; index++) if (!isHex(bytes[index])) return 0
  return escapeBytesMax
}

const isHex = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 48 && byte <= 57) || ((byte | 32) >= 97 && (byte | 32) <= 102))

/** The code unit that the JSON escape whose letter is at `index` stands for; of what is none, the letter. */
export const unescaped = (bytes: Uint8Array, index: number): number => {
  const letter = bytes[index] ?? 32
  return letter === letterU ? hexUnit(bytes, index + 1) : unitOfLetter[letter]! || letter
}

const hexUnit = (bytes: Uint8Array, start: number): number => {
  let unit = 0
  for (let index = start; index < start + 4; index++) {
    const byte = bytes[index] ?? 48
    unit = (unit << 4) | (byte <= 57 ? byte & 15 : (byte & 7) + 9)
  }
  return unit & 0xffff
}

/** Of the character beyond ASCII that begins with this one. */
export const characterBytes = (first: number): number => (first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4)

/** Stands for the bytes that continue a character, which count for nothing. */
const lowSurrogate = 0xdc00

/** The code unit of the wide character that begins at `index`; any high surrogate stands for those of four bytes. */
export const unitAt = (bytes: Uint8Array, index: number): number => {
  const lead = bytes[index]!
  if (lead < 0xc0) return lowSurrogate
  if (lead >= 0xf0) return 0xd800
  const second = (bytes[index + 1] ?? 0) & 63
  return lead < 0xe0
    ? ((lead & 31) << 6) | second
    : ((lead & 15) << 12) | (second << 6) | ((bytes[index + 2] ?? 0) & 63)
}
