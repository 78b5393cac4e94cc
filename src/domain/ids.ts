/** Names of things. Every id is a short prefix and random or time-ordered characters, safe in URLs and logs. */
import { Schema } from "effect"
import { fromBase62, randomBase62, toBase62 } from "./base62.ts"

export const AccountId = Schema.NonEmptyString.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

export const KeyId = Schema.NonEmptyString.pipe(Schema.brand("KeyId"))
export type KeyId = typeof KeyId.Type

/** Identifies one call everywhere: `request-id` header, call log, ledger entry, log line. */
export const CallId = Schema.NonEmptyString.pipe(Schema.brand("CallId"))
export type CallId = typeof CallId.Type

/** Milliseconds since 1970 as eight base62 digits: ids sort by their time (`collate "C"`). */
const timePart = (nowMs: number): string => toBase62(nowMs, 8)

const ordinalMax = 62 * 62 - 1
let lastMs = 0
let ordinal = 0

/** Two digits that count what comes in the same millisecond. */
const ordinalPart = (nowMs: number): string => {
  ordinal = nowMs === lastMs ? Math.min(ordinal + 1, ordinalMax) : 0
  lastMs = nowMs
  return toBase62(ordinal, 2)
}

export const makeAccountId = (nowMs: number): AccountId =>
  `acc_${timePart(nowMs)}${randomBase62(10)}` as AccountId
export const makeTokenId = (nowMs: number): string => `tok_${timePart(nowMs)}${randomBase62(10)}`
export const makeInvitationId = (nowMs: number): string => `inv_${timePart(nowMs)}${randomBase62(10)}`
export const makeKeyId = (nowMs: number): KeyId => `key_${timePart(nowMs)}${randomBase62(10)}` as KeyId
/** Calls that one thread begins in one millisecond sort in their order too. */
export const makeCallId = (nowMs: number): CallId =>
  `req_${timePart(nowMs)}${ordinalPart(nowMs)}${randomBase62(12)}` as CallId

/** When the call began, ms since 1970; `undefined` for what can be no call's id. */
export const timeOfCallId = (id: string): number | undefined => {
  const [, time] = /^req_([0-9A-Za-z]{8})[0-9A-Za-z]{14}$/.exec(id) ?? []
  return time === undefined ? undefined : fromBase62(time)
}

/** Of ids that PostgreSQL makes: what is none can not be compared with them. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
