/** The dimensions of a PNG, JPEG, WebP or GIF, read from the head of its base64 text. */
import { Base64Bytes } from "./base64.ts"

export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** `data` is base64 or a data URL; `undefined` where it is none of the four formats or says nothing sensible. */
export const imageSize = (data: string): ImageSize | undefined => {
  const bytes = new Base64Bytes(data)
  const size = sizeOf(bytes)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

const sizeOf = (bytes: Base64Bytes): ImageSize | undefined => {
  const head = bytes.big(0, 4)
  if (head === 0x89504e47) return { width: bytes.big(16, 4), height: bytes.big(20, 4) }
  if (head === 0x47494638) return { width: bytes.little(6, 2), height: bytes.little(8, 2) }
  if (head >>> 8 === 0xffd8ff) return jpegSize(bytes)
  if (head === 0x52494646 && bytes.big(8, 4) === 0x57454250) return webpSize(bytes)
  return undefined
}

/** Segments before the frame header: profiles and thumbnails can be many, but not this many. */
const segmentsMax = 1_000

const jpegSize = (bytes: Base64Bytes): ImageSize | undefined => {
  let offset = 2
  for (let segment = 0; segment < segmentsMax && offset < bytes.length; segment++) {
    if (bytes.at(offset) !== 0xff) return undefined
    const marker = bytes.at(offset + 1)
    // Fill bytes may stand before a marker; restart marks and their like have no length.
    if (marker === 0xff) offset += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) offset += 2
    else if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: bytes.big(offset + 7, 2), height: bytes.big(offset + 5, 2) }
    } else offset += 2 + bytes.big(offset + 2, 2)
  }
  return undefined
}

const webpSize = (bytes: Base64Bytes): ImageSize | undefined => {
  switch (bytes.big(12, 4)) {
    case 0x56503858:
      return { width: bytes.little(24, 3) + 1, height: bytes.little(27, 3) + 1 }
    case 0x5650384c: {
      const packed = bytes.little(21, 4)
      return { width: (packed & 0x3fff) + 1, height: (Math.floor(packed / 0x4000) & 0x3fff) + 1 }
    }
    case 0x56503820:
      return { width: bytes.little(26, 2) & 0x3fff, height: bytes.little(28, 2) & 0x3fff }
    default:
      return undefined
  }
}
