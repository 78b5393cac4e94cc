/** Codes of an authenticator app (RFC 6238): six digits of each 30 seconds, of which those just before and after count, too. */
import { createHmac, timingSafeEqual } from "node:crypto"

const stepMs = 30_000

/** The step whose code this is; `undefined` for what is no code of this time. */
export const stepOfCode = (secret: string, code: string, nowMs: number): number | undefined => {
  const now = Math.floor(nowMs / stepMs)
  return [now - 1, now, now + 1].find((step) => isSame(codeAt(secret, step), code))
}

const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac("sha1", secret).update(counter).digest()
  const offset = digest.at(-1)! & 15
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0")
}

const isSame = (expected: string, code: string): boolean => {
  const [one, other] = [Buffer.from(expected), Buffer.from(code)]
  return one.length === other.length && timingSafeEqual(one, other)
}
