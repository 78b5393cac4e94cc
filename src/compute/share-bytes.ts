/**
 * Which bodies are worth a thread hop, and how they get there: in memory that threads share, so that nothing is copied
 * on an event loop and a task can be given to a second worker when the first has died of it.
 */

/**
 * From this size on a body is worth a thread hop. Measured by bench/codec-threshold.ts: preparing 128 KiB in place holds
 * the event loop for 0.5 to 0.8 ms; the hop holds it for 0.1 ms and costs a sixth more CPU in all. At 16 KiB and below
 * the hop alone costs more than the work.
 */
export const inPlaceBytesMax = 128 * 1024

/** Joins what has arrived of a body. */
export const joinChunks = (chunks: ReadonlyArray<Buffer>, size: number): Buffer => {
  if (size < inPlaceBytesMax) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
  const whole = Buffer.from(new SharedArrayBuffer(size))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

/** The bytes where every thread can read them. */
export const shareBytes = (bytes: Uint8Array): Uint8Array =>
  bytes.buffer instanceof SharedArrayBuffer ? bytes : copyShared(bytes)

const copyShared = (bytes: Uint8Array): Uint8Array => {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  shared.set(bytes)
  return shared
}
