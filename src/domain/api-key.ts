/** The secret of a key: `sk-tg-`, 32 random base62 characters, and a checksum that finds typing errors without a look-up. */
import { randomBase62, toBase62 } from "./base62.ts"

const keyPrefix = "sk-tg-"
const randomLength = 32
const checksumLength = 6
const bodyLength = keyPrefix.length + randomLength

export const generateKeySecret = (): string => {
  const body = keyPrefix + randomBase62(randomLength)
  return body + toBase62(crc32(body), checksumLength)
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
