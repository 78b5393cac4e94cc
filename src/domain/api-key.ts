/** The secret of a key: `sk-tg-`, 32 random base62 characters, and a checksum that finds typing errors without a look-up. */

export const keyPrefix = "sk-tg-"

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const bodyLength = keyPrefix.length + 32
const checksumLength = 6

export const generateKeySecret = (): string => {
  let body = keyPrefix
  while (body.length < bodyLength) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      // 248 = 4 × 62: a byte at or above it would favour the first characters.
      if (byte < 248 && body.length < bodyLength) body += base62[byte % 62]
    }
  }
  let rest = crc32(body)
  let checksum = ""
  for (let digit = 0; digit < checksumLength; digit++) {
    checksum = base62[rest % 62] + checksum
    rest = Math.floor(rest / 62)
  }
  return body + checksum
}

/** Whether a text can be a key at all. It is asked of whatever strangers send, so it allocates nothing. */
export const isWellFormed = (secret: string): boolean => {
  if (secret.length !== bodyLength + checksumLength || !secret.startsWith(keyPrefix)) return false
  for (let index = keyPrefix.length; index < bodyLength; index++) {
    if (base62Value(secret.charCodeAt(index)) < 0) return false
  }
  let checksum = 0
  for (let index = bodyLength; index < secret.length; index++) {
    const value = base62Value(secret.charCodeAt(index))
    if (value < 0) return false
    checksum = checksum * 62 + value
  }
  return checksum === crc32(secret)
}

/** The value of a base62 digit; -1 for any other character. */
const base62Value = (unit: number): number => {
  if (unit >= 48 && unit <= 57) return unit - 48
  if (unit >= 65 && unit <= 90) return unit - 55
  return unit >= 97 && unit <= 122 ? unit - 61 : -1
}

const crcTable = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** CRC-32 of everything before the checksum, as zlib computes it. */
const crc32 = (secret: string): number => {
  let crc = -1
  for (let index = 0; index < bodyLength; index++) {
    crc = crcTable[(crc ^ secret.charCodeAt(index)) & 255]! ^ (crc >>> 8)
  }
  return (crc ^ -1) >>> 0
}
