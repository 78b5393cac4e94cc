/** Runs bytes of an upstream through a codec as the gateway does, and reads what a client would see. */
import { assert } from "@effect/vitest"
import { renderStreamError, type EndpointFamily } from "./tell-error.ts"
import { codedFailure } from "../../src/formats/failure-codes.ts"
import { framesOf } from "./sse-frames.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"

/** What the client receives: the codec's bytes, then the tail or, where the stream failed, the error event. */
export const runCodec = (codec: StreamCodec, chunks: Iterable<Buffer>, family: EndpointFamily): string => {
  const given: Array<Buffer> = []
  for (const chunk of chunks) {
    const bytes = codec.push(chunk)
    if (bytes !== undefined) given.push(bytes)
    if (codec.finished || codec.failure !== undefined) break
  }
  const rest = codec.end()
  if (rest !== undefined) given.push(rest)
  const text = Buffer.concat(given).toString()
  if (codec.failure !== undefined) {
    const shown = { ...codec.failure, requestId: "req_1" }
    const error = renderStreamError(family, shown)
    return text + (codec.failed?.(codedFailure(shown), 0, () => error) ?? error)
  }
  assert.isTrue(codec.finished, "a stream without a failure is finished")
  return text + codec.tail.toString()
}

export const readFrames = (text: string): ReadonlyArray<unknown> =>
  framesOf(text).map(({ data }) => (data === "[DONE]" ? data : (JSON.parse(data) as unknown)))

export const inPieces = (bytes: Buffer, size: number): ReadonlyArray<Buffer> =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size)
  )
