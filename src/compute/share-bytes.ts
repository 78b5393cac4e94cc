/**
 * Which bodies are worth a thread hop, and how they get there: in memory that threads share, so that nothing is copied
 * on an event loop and a task can be given to a second worker when the first has died of it.
 */

/**
 * From this size on a body goes to a codec worker. Measured by bench/codec-threshold.ts and `bench -- agents`: 500 KB hold
 * the event loop for 2 ms, converted for 5. The hop takes three times as much CPU in all as the work: memory that threads
 * share is new memory each time, whose pages cost 0.8 ms.
 */
export const inPlaceBytesMax = 512 * 1024

/**
 * Memory that threads share. V8 counts such memory for no thread, so that nothing has it collected: 20,000 bodies of 500 KB,
 * none of them in use any more, kept 3 GB. It counts what stands beside it, as long and never touched, which takes no memory.
 */
class CountedMemory extends SharedArrayBuffer {
  readonly counted: ArrayBuffer

  constructor(bytes: number) {
    super(bytes)
    // One that can be resized is pages of its own, which are the system's until they are touched.
    this.counted = new ArrayBuffer(bytes, { maxByteLength: bytes })
  }
}

/** The same memory: what has come from another thread is a Buffer no more. */
export const bufferOf = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** For bytes that a codec worker may read. */
export const shareableBuffer = (bytes: number): Buffer => Buffer.from(new CountedMemory(bytes))

/** Joins what has arrived of a body. */
export const joinChunks = (chunks: ReadonlyArray<Buffer>, size: number): Buffer => {
  if (size < inPlaceBytesMax) return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size)
  const whole = shareableBuffer(size)
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
  const shared = shareableBuffer(bytes.byteLength)
  shared.set(bytes)
  return shared
}

/**
 * Gives the memory of a large body back at once, for what nobody reads any more: afterwards it has no bytes. Left to the
 * collector, ten bodies of 500 KB set off a whole collection.
 */
export const freeBytes = ({ buffer, byteLength }: Uint8Array): void => {
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
  if (isOwn && byteLength >= worthFreeing) buffer.transfer(0)
}

const worthFreeing = 64 * 1024
