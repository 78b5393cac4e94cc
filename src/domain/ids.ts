/** Names of things. Every id is a short prefix and random or time-ordered characters, safe in URLs and logs. */
import { Schema } from "effect"

export const AccountId = Schema.NonEmptyString.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const KeyId = Schema.NonEmptyString.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** Identifies one call everywhere: `request-id` header, call log, ledger entry, log line. */
export const CallId = Schema.NonEmptyString.pipe(Schema.brand("CallId"))
export type CallId = typeof CallId.Type

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Drawn in advance, since each draw has a cost of its own. */
const drawn = new Uint8Array(4096)
let used = drawn.length

const randomPart = (length: number): string => {
  let text = ""
  while (text.length < length) {
    if (used === drawn.length) {
      crypto.getRandomValues(drawn)
      used = 0
    }
    const byte = drawn[used++]!
    // 248 = 4 × 62: a byte at or above it would favour the first characters.
    if (byte < 248) text += base62[byte % 62]
  }
  return text
}

/** Milliseconds since 1970 as eight base62 digits: ids sort by their time (`collate "C"`). */
const timePart = (nowMs: number): string => {
  let text = ""
  for (let rest = nowMs, digit = 0; digit < 8; digit++) {
    text = base62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

const ordinalMax = 62 * 62 - 1
let lastMs = 0
let ordinal = 0

/** Two digits that count what comes in the same millisecond. */
const ordinalPart = (nowMs: number): string => {
  ordinal = nowMs === lastMs ? Math.min(ordinal + 1, ordinalMax) : 0
  lastMs = nowMs
  return base62[Math.floor(ordinal / 62)]! + base62[ordinal % 62]!
}

export const makeAccountId = (nowMs: number): AccountId =>
  `acc_${timePart(nowMs)}${randomPart(10)}` as AccountId
export const makeKeyId = (nowMs: number): KeyId => `key_${timePart(nowMs)}${randomPart(10)}` as KeyId
/** Calls that one thread begins in one millisecond sort in their order too. */
export const makeCallId = (nowMs: number): CallId =>
  `req_${timePart(nowMs)}${ordinalPart(nowMs)}${randomPart(12)}` as CallId
