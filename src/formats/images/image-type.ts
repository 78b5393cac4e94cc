/** What kind of image some bytes are, by their first bytes: what a caller says of them is not trusted. */

export type ImageMediaType = "image/png" | "image/jpeg" | "image/webp" | "image/gif"

export const imageMediaType = (bytes: Uint8Array): ImageMediaType | undefined => {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString("latin1")
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif"
  if (start.startsWith("RIFF") && start.slice(8) === "WEBP") return "image/webp"
  return undefined
}

export const imageMediaTypeOfBase64 = (data: string): ImageMediaType | undefined =>
  imageMediaType(Buffer.from(data.slice(0, 64), "base64"))
