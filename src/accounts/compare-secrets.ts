/** Compares what a messenger sent with what it should have sent. */
import { createHmac, timingSafeEqual } from "node:crypto"

/** Digests are compared, so that neither content nor length shows in the time taken. */
export const equalSecrets = (given: string, expected: string): boolean =>
  timingSafeEqual(digest(given), digest(expected))

const digest = (value: string) => createHmac("sha256", "compare").update(value).digest()
