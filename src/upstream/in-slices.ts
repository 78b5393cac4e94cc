/**
 * Large bodies go out in slices. A provider may answer before it has taken all of one, with a 413 or a 429 say; the connection
 * must carry no other call then, which would wait behind bytes that nobody reads. undici closes it by itself, but can not tell
 * where a body was handed over whole.
 */
import type { Dispatcher } from "undici"

/** A body that is no larger goes out whole. */
export const sliceBytes = 256 * 1024

type Body = NonNullable<Dispatcher.DispatchOptions["body"]>

/** undici takes any iterable of bytes (https://undici.nodejs.org/#/docs/api/Dispatcher), which its types leave out. */
export const inSlices = (body: Uint8Array): Body =>
  ({ [Symbol.iterator]: () => slicesOf(body) }) as unknown as Body

function* slicesOf(body: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < body.byteLength; start += sliceBytes)
    yield body.subarray(start, start + sliceBytes)
}
