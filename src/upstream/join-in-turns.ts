/** Puts a large answer together without holding the event loop: images come as hundreds of megabytes. */

/** Copied in one turn of the event loop: two milliseconds. */
const bytesPerTurn = 4 * 1024 * 1024

/** `size` is that of all chunks. What is small is `joined` at once. */
export const joinInTurns = (
  chunks: ReadonlyArray<Buffer>,
  size: number,
  joined: (whole: Buffer) => void
): void => {
  if (chunks.length === 1) return joined(chunks[0]!)
  if (size <= bytesPerTurn) return joined(Buffer.concat(chunks, size))
  // Not cleared: that would touch all of it at once.
  const whole = Buffer.allocUnsafeSlow(size)
  let at = 0
  let next = 0
  const turn = () => {
    for (const end = at + bytesPerTurn; next < chunks.length && at < end; next++)
      at += chunks[next]!.copy(whole, at)
    if (next === chunks.length) joined(whole)
    else setImmediate(turn)
  }
  turn()
}
