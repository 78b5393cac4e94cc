/**
 * uWebSockets.js gathers up to 16 KiB while corked. A write that goes beyond them is lost, though called a success, when
 * the connection has no room for what was gathered: https://github.com/uNetworking/uWebSockets.js/issues/1249. So
 * everything written under one cork has to fit.
 */

/** Room is left for the head of an answer and for the chunked encoding. */
export const pieceBytesMax = 15 * 1024

/** What is to be written, as pieces that fit under a cork each. */
export const inPieces = (bytes: Uint8Array | string): ReadonlyArray<Uint8Array | string> => {
  // No character takes more than three bytes for each of its units.
  const bytesAtMost = typeof bytes === "string" ? bytes.length * 3 : bytes.length
  if (bytesAtMost <= pieceBytesMax) return [bytes]
  const whole = typeof bytes === "string" ? Buffer.from(bytes) : bytes
  const count = Math.ceil(whole.length / pieceBytesMax)
  return Array.from({ length: count }, (_, place) =>
    whole.subarray(place * pieceBytesMax, (place + 1) * pieceBytesMax)
  )
}
