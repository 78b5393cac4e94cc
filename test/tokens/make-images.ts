/** The heads of image files of a given size, in all the forms that readers of headers stumble over. */

const big = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(value, 0, size)
  return bytes
}
const little = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size)
  return bytes
}
const latin = (text: string) => Buffer.from(text, "latin1")

export const png = (width: number, height: number): Buffer =>
  Buffer.concat([
    latin("\x89PNG\r\n\x1a\n"),
    big(13, 4),
    latin("IHDR"),
    big(width, 4),
    big(height, 4),
    Buffer.alloc(40)
  ])

export const gif = (width: number, height: number): Buffer =>
  Buffer.concat([latin("GIF89a"), little(width, 2), little(height, 2), Buffer.alloc(20)])

const segment = (marker: number, content: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), big(content.length + 2, 2), content])

/** `frame` is the marker of the frame header: 0xc0 for baseline, 0xc2 for progressive. */
export const jpeg = (width: number, height: number, frame = 0xc0, profileBytes = 0): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, latin("JFIF\0\x01\x02\0\0\x01\0\x01\0\0")),
    // Profiles may hold thumbnails, frame headers and all.
    ...(profileBytes > 0 ? [segment(0xe1, Buffer.concat([jpeg(16, 16), Buffer.alloc(profileBytes)]))] : []),
    // A fill byte may stand before any marker.
    Buffer.from([0xff]),
    segment(0xc4, Buffer.alloc(30)),
    segment(frame, Buffer.concat([Buffer.from([8]), big(height, 2), big(width, 2), Buffer.alloc(10)])),
    Buffer.alloc(40)
  ])

const riff = (content: Buffer) =>
  Buffer.concat([latin("RIFF"), little(content.length + 4, 4), latin("WEBP"), content])

export const webpLossy = (width: number, height: number): Buffer =>
  riff(
    Buffer.concat([
      latin("VP8 "),
      little(30, 4),
      Buffer.from([0, 0, 0, 0x9d, 0x01, 0x2a]),
      little(width, 2),
      little(height, 2),
      Buffer.alloc(20)
    ])
  )

export const webpLossless = (width: number, height: number): Buffer =>
  riff(
    Buffer.concat([
      latin("VP8L"),
      little(30, 4),
      Buffer.from([0x2f]),
      little((width - 1) | ((height - 1) << 14), 4),
      Buffer.alloc(20)
    ])
  )

export const webpExtended = (width: number, height: number): Buffer =>
  riff(
    Buffer.concat([
      latin("VP8X"),
      little(10, 4),
      Buffer.alloc(4),
      little(width - 1, 3),
      little(height - 1, 3),
      Buffer.alloc(20)
    ])
  )

/** A PDF of `pages` pages with `text` on each; compressed object streams hide the pages. */
export const pdf = (pages: number, text = "Hello", hidden = false): Buffer => {
  const page = (index: number) =>
    hidden
      ? `${index + 3} 0 obj\n<< /Length ${text.length} /Filter /FlateDecode >>\nstream\n${text}\nendstream\nendobj\n`
      : `${index + 3} 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>\nstream\n${text}\nendstream\nendobj\n`
  const tree = hidden ? "" : `2 0 obj\n<< /Type /Pages /Kids [] /Count ${pages} >>\nendobj\n`
  return latin(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n${tree}${Array.from({ length: pages }, (_, index) => page(index)).join("")}%%EOF\n`
  )
}
