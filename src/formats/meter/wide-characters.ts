/**
 * How usual each character beyond ASCII is. Tokenizers know the characters of everyday writing and spell the others
 * in bytes; the old national character sets, which the platform can decode, say which are which.
 */

export const accented = 1
export const foreign = 2
export const signs = 3
export const hangul = 4

/** The kind of each code unit: one of the above, or 0 for what is seldom used. */
export const wideKindOf = new Uint8Array(0x10000)

const markRange = (first: number, last: number, kind: number): void => {
  wideKindOf.fill(kind, first, last + 1)
}

const markBytes = (label: string, bytes: Uint8Array): void => {
  for (const character of new TextDecoder(label).decode(bytes)) {
    const unit = character.charCodeAt(0)
    if (unit === 0xfffd || character.length > 1 || wideKindOf[unit] !== 0) continue
    wideKindOf[unit] = unit < 0x250 ? accented : unit < 0x800 ? foreign : unit < 0xac00 ? signs : hangul
  }
}

const upperHalf = Uint8Array.from({ length: 128 }, (_, index) => index + 128)
for (const page of [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258])
  markBytes(`windows-${page}`, upperHalf)

/** Every pair of a lead byte from `first` to `last` and a trail byte from `trail` to 0xfe. */
const pairs = (first: number, last: number, trail: number): Uint8Array => {
  const trails = 0xff - trail
  const bytes = new Uint8Array((last - first + 1) * trails * 2)
  for (let index = 0; index < bytes.length; index += 2) {
    bytes[index] = first + Math.floor(index / 2 / trails)
    bytes[index + 1] = trail + ((index / 2) % trails)
  }
  return bytes
}

// The first level of each set is its everyday characters: 3,755 Chinese, 5,401 traditional, 2,965 Japanese, 2,350 Korean.
markBytes("gbk", pairs(0xb0, 0xd7, 0xa1))
markBytes("big5", pairs(0xa4, 0xc6, 0x40))
markBytes("shift_jis", pairs(0x88, 0x97, 0x40))
markBytes("euc-kr", pairs(0xb0, 0xc8, 0xa1))

// Vietnamese; the scripts of India, Thai, Burmese, Georgian; Khmer; punctuation; kana; wide punctuation.
markRange(0x1ea0, 0x1ef9, accented)
markRange(0x0900, 0x10ff, signs)
markRange(0x1780, 0x17ff, signs)
markRange(0x2010, 0x2030, signs)
markRange(0x3000, 0x30ff, signs)
markRange(0xff01, 0xff1f, signs)
