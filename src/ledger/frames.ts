/**
 * What gateway threads and the ledger say to each other: msgpack frames over a MessagePort, many messages to a frame.
 *
 * A question is `[id, operation, …arguments]`, an answer `[id, …values]`.
 */
import { Packr } from "msgpackr"
import type { CallRecord, Endpoint } from "../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"

const packr = new Packr({ useRecords: false, int64AsType: "bigint", moreTypes: true })

export type Message = ReadonlyArray<unknown>

/** A frame owns its memory, so that it can be transferred instead of copied. */
export const packFrame = (messages: ReadonlyArray<Message>): Uint8Array<ArrayBuffer> => {
  const packed = packr.pack(messages)
  const frame = new Uint8Array(packed.byteLength)
  frame.set(packed)
  return frame
}

export const unpackFrame = (frame: Uint8Array): ReadonlyArray<Message> =>
  packr.unpack(frame) as ReadonlyArray<Message>

/**
 * Operations a gateway thread asks for. Every one is addressed by account or key and idempotent by call id.
 * `fromAllowance`: µVND that the call has held so far out of the thread's allowance.
 */
export const operation = {
  /** `[secretHash]` → `[keyId, accountId]` or `[]` for unknown, `[null]` when the database can not be asked. */
  identify: 1,
  /**
   * `[accountId, keyId, callId, minimum, wanted]` → admission code and its value; then, where the thread may hold for
   * further calls of the key by itself, the index and the generation of its allowance.
   */
  admit: 2,
  /** `[accountId, callId, minimum, wanted, fromAllowance]` → admission code and the µVND granted. */
  extend: 3,
  /** `[record, waits, fromAllowance]` → `[]` once the record is committed or spooled; no answer when it does not wait. */
  settle: 4,
  /**
   * `[accountId, keyId, callId | null]` → admission code: may this key be used, and with a call's id, has its wallet
   * anything left for it. Nothing is held.
   */
  check: 5,
  /** `[accountId, storedIdHash]` → `[tokens]`, `[]` when this account's calls created no such id, `[null]` as above. */
  storedCall: 6
} as const

/** How the ledger answers `admit`, `extend` and `check`. */
export const admission = {
  /** followed by the µVND granted */
  admitted: 0,
  revoked: 1,
  insufficient: 2,
  /** followed by the ms after which to try again */
  limited: 3,
  unavailable: 4,
  maintenance: 5,
  draining: 6
} as const

export const packRecord = (record: CallRecord): Message => [
  record.callId,
  record.atMs,
  record.accountId,
  record.keyId,
  record.endpoint,
  record.modelRequested,
  record.model,
  record.stream,
  record.status,
  record.errorType,
  record.inputTokens,
  record.outputTokens,
  record.units,
  record.estimated,
  record.perMtokVnd,
  record.perRequestVnd,
  record.cost,
  record.latencyMs,
  record.firstByteMs,
  record.storedIdHash
]

export const unpackRecord = (fields: Message): CallRecord => ({
  callId: fields[0] as CallId,
  atMs: fields[1] as number,
  accountId: fields[2] as AccountId,
  keyId: fields[3] as KeyId,
  endpoint: fields[4] as Endpoint,
  modelRequested: fields[5] as string,
  model: fields[6] as string,
  stream: fields[7] as boolean,
  status: fields[8] as number,
  errorType: fields[9] as string,
  inputTokens: fields[10] as number,
  outputTokens: fields[11] as number,
  units: fields[12] as number,
  estimated: fields[13] as boolean,
  perMtokVnd: fields[14] as number | null,
  perRequestVnd: fields[15] as number | null,
  cost: BigInt(fields[16] as bigint | number),
  latencyMs: fields[17] as number,
  firstByteMs: fields[18] as number | null,
  storedIdHash: fields[19] as Uint8Array | null
})
