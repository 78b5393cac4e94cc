/** What kind of image or document some bytes are, by their first bytes: what a caller says of them is not trusted. */

export type FileKind = "image" | "document"

/** What files of each kind may be. */
export const fileForms: Readonly<Record<FileKind, string>> = {
  image: "a PNG, JPEG, WebP or GIF image",
  document: "a PDF"
}

/** By as many bytes as `headLength`, or more. */
export const fileMediaType = (kind: FileKind, bytes: Uint8Array): string | undefined =>
  kind === "image" ? imageMediaType(bytes) : pdfMediaType(bytes)

/** "%PDF" may stand a little after the start. */
export const headLength = 1_024

export const pdfMediaType = (bytes: Uint8Array): "application/pdf" | undefined =>
  bufferOf(bytes, headLength).includes("%PDF") ? "application/pdf" : undefined

export const imageMediaType = (bytes: Uint8Array): string | undefined => {
  const start = bufferOf(bytes, 12).toString("latin1")
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (start.startsWith("GIF87a") || start.startsWith("GIF89a")) return "image/gif"
  if (start.startsWith("RIFF") && start.slice(8) === "WEBP") return "image/webp"
  return undefined
}

export const imageMediaTypeOfBase64 = (data: string): string | undefined =>
  imageMediaType(Buffer.from(data.slice(0, 64), "base64"))

const bufferOf = ({ buffer, byteOffset, length }: Uint8Array, lengthMax: number): Buffer =>
  Buffer.from(buffer, byteOffset, Math.min(length, lengthMax))
