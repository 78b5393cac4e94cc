/** The events at the beginning of `bytes` that make up about this share of them, and no more; `undefined` for none. */
export const wholeEvents = (bytes: Buffer, share: number): Buffer | undefined => {
  const head = bytes.subarray(0, Math.max(0, Math.floor(bytes.length * share)))
  const end = Math.max(head.lastIndexOf("\n\n") + 2, head.lastIndexOf("\n\r\n") + 3)
  return end < 3 ? undefined : head.subarray(0, end)
}

/** How many events stand in `bytes`, which end with one; the pings among them are some, too. */
export const eventsIn = (bytes: Buffer): number => bytes.toString("latin1").match(/\n\r?\n/g)?.length ?? 0
