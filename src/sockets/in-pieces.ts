/**
 * uWebSockets.js gathers up to 16 KiB while corked. A write that goes beyond them is lost, though called a success, when
 * the connection has no room for what was gathered: https://github.com/uNetworking/uWebSockets.js/issues/1249. So
 * everything written under one cork has to fit.
 */

/** Room is left for the head of an answer and for the chunked encoding. */
export const pieceBytesMax = 15 * 1024

export type Bytes = Uint8Array | string

/** Whether this much may be written under one cork. */
export const fitsUnderCork = (bytes: Bytes): boolean =>
  bytes.length <= pieceBytesMax &&
  // No character takes more than three bytes for each of its units.
  (typeof bytes !== "string" ||
    bytes.length * 3 <= pieceBytesMax ||
    Buffer.byteLength(bytes) <= pieceBytesMax)

/** What is to be written, as pieces that fit under a cork each. */
export const inPieces = (bytes: Bytes): ReadonlyArray<Bytes> => {
  if (fitsUnderCork(bytes)) return [bytes]
  const whole = typeof bytes === "string" ? Buffer.from(bytes) : bytes
  const count = Math.ceil(whole.length / pieceBytesMax)
  return Array.from({ length: count }, (_, place) =>
    whole.subarray(place * pieceBytesMax, (place + 1) * pieceBytesMax)
  )
}
