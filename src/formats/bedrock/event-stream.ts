/** AWS's binary event stream (application/vnd.amazon.eventstream): messages out of arbitrary chunks, and back. */
import { EventStreamCodec, type MessageHeaders } from "@smithy/eventstream-codec"
import { crc32 } from "node:zlib"

export type { MessageHeaders } from "@smithy/eventstream-codec"

export interface EventStreamMessage {
  readonly headers: MessageHeaders
  readonly body: Buffer
}

/** AWS allows 16 MiB of payload and 128 KiB of headers; its SDKs take messages of up to 24 MiB. */
const messageBytesMax = 24 * 1024 * 1024
const headerBytesMax = 128 * 1024
const preludeBytes = 12
const overheadBytes = 16

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === "string" ? bytes : Buffer.from(bytes).toString("utf8")),
  (text) => Buffer.from(text, "utf8")
)

/** The bytes of one message, checksums included. */
export const encodeEventStreamMessage = ({
  body,
  headers
}: {
  readonly headers: MessageHeaders
  readonly body: Uint8Array
}): Buffer => {
  const bytes = codec.encode({ headers, body })
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Frames and decodes messages. Once something is wrong it stays wrong: nothing after a bad frame can be trusted. */
export class EventStreamDecoder {
  /** What is wrong with the stream, once something is. */
  corrupt: string | undefined
  #waiting: Array<Uint8Array> = []
  #waitingBytes = 0
  /** Bytes to gather before there is something to do: a prelude, or a whole message. */
  #needed = preludeBytes
  /** The headers of the last message, and their bytes: most are the same as those of the one before. */
  #headers: MessageHeaders = {}
  #headerBytes = Buffer.alloc(0)

  /** The stream stands inside a message: to end here is to break off. */
  get midMessage(): boolean {
    return this.#waitingBytes > 0
  }

  /** The messages completed by `chunk`, in order; those before a corrupt one are still given. */
  push(chunk: Uint8Array): ReadonlyArray<EventStreamMessage> {
    if (this.corrupt !== undefined || chunk.length === 0) return []
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes < this.#needed) return []
    const bytes = this.#waiting.length === 1 ? chunk : Buffer.concat(this.#waiting, this.#waitingBytes)
    return this.#takeMessages(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  }

  #takeMessages(bytes: Buffer): ReadonlyArray<EventStreamMessage> {
    const messages: Array<EventStreamMessage> = []
    let start = 0
    this.#needed = preludeBytes
    while (bytes.length - start >= preludeBytes) {
      const length = this.#messageLength(bytes, start)
      if (length === undefined) break
      if (bytes.length - start < length) {
        this.#needed = length
        break
      }
      const message = this.#decode(bytes, start, start + length)
      if (message === undefined) break
      messages.push(message)
      start += length
    }
    this.#waiting = start === bytes.length ? [] : [bytes.subarray(start)]
    this.#waitingBytes = bytes.length - start
    return messages
  }

  /** Checks the prelude before its lengths are believed, so that a damaged length is found at once. */
  #messageLength(bytes: Buffer, start: number): number | undefined {
    const length = bytes.readUInt32BE(start)
    const headerLength = bytes.readUInt32BE(start + 4)
    if (crcOfLengths(bytes, start) !== bytes.readUInt32BE(start + 8))
      this.corrupt = "prelude checksum mismatch"
    else if (length < overheadBytes || length > messageBytesMax) this.corrupt = "message length out of range"
    else if (headerLength > headerBytesMax || headerLength > length - overheadBytes)
      this.corrupt = "header length out of range"
    return this.corrupt === undefined ? length : undefined
  }

  /** The message between `start` and `end`. */
  #decode(bytes: Buffer, start: number, end: number): EventStreamMessage | undefined {
    const headerStart = start + preludeBytes
    const bodyStart = headerStart + bytes.readUInt32BE(start + 4)
    const bodyEnd = end - 4
    if (crc32(bytes.subarray(start, bodyEnd)) !== bytes.readUInt32BE(bodyEnd)) {
      this.corrupt = "message checksum mismatch"
      return undefined
    }
    const known = this.#headerBytes
    const isKnown = known.length > 0 && bytes.compare(known, 0, known.length, headerStart, bodyStart) === 0
    if (!isKnown && !this.#readHeaders(bytes.subarray(start, end))) return undefined
    return { headers: this.#headers, body: bytes.subarray(bodyStart, bodyEnd) }
  }

  /** Those of a whole message. */
  #readHeaders(bytes: Buffer): boolean {
    const headerCount = countHeaders(bytes)
    try {
      const { headers } = codec.decode(bytes)
      if (Object.keys(headers).length === headerCount) {
        this.#headers = headers
        this.#headerBytes = Buffer.from(bytes.subarray(preludeBytes, preludeBytes + bytes.readUInt32BE(4)))
        return true
      }
      this.corrupt = "malformed or duplicate header"
    } catch (cause) {
      this.corrupt = cause instanceof Error ? cause.message : "undecodable message"
    }
    return false
  }
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** Of the eight bytes at `start`. Calling zlib for so few takes ten times as long. */
const crcOfLengths = (bytes: Buffer, start: number): number => {
  let crc = 0xffffffff
  for (let at = start; at < start + 8; at++) crc = crcTable[(crc ^ bytes[at]!) & 255]! ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

/** Bytes of a header's value by its type; -1 where a length of two bytes comes first. */
const headerValueBytes = [0, 0, 1, 2, 4, 8, -1, -1, 8, 16]

/** How many headers a message has, or -1 if they do not fill their space exactly: the codec itself would read on. */
const countHeaders = (bytes: Buffer): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = preludeBytes + view.getUint32(4)
  let position = preludeBytes
  let count = 0
  while (position < end) {
    position += 1 + view.getUint8(position)
    const valueBytes = position < end ? headerValueBytes[view.getUint8(position)] : undefined
    if (valueBytes === undefined) return -1
    position += 1
    if (valueBytes !== -1) position += valueBytes
    else if (position + 2 <= end) position += 2 + view.getUint16(position)
    else return -1
    count++
  }
  return position === end ? count : -1
}
