/** Calls as the ledger is told of them. */
import { type CallRecord, noExtras } from "../../src/domain/call.ts"
import { type AccountId, type CallId, type KeyId, makeCallId, timeOfCallId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"

export interface Customer {
  readonly accountId: AccountId
  readonly keyId: KeyId
  readonly secret: number
}

/** The row of a call that costs `cost` µVND, at a price of 1 µVND per token. */
export const callRecord = (
  { accountId, keyId }: Pick<Customer, "accountId" | "keyId">,
  callId: CallId,
  cost: MicroVnd,
  more: Partial<CallRecord> = {}
): CallRecord => ({
  callId,
  atMs: timeOfCallId(callId) ?? Date.now(),
  accountId,
  keyId,
  endpoint: "messages",
  modelRequested: "claude-fable-5",
  model: "claude-fable-5",
  stream: false,
  status: 200,
  errorType: "",
  inputTokens: Number(cost),
  outputTokens: 0,
  units: 1,
  estimated: false,
  perMtokVnd: 1,
  perRequestVnd: null,
  cost,
  latencyMs: 1,
  firstByteMs: null,
  storedIdHash: null,
  storedItemHashes: [],
  extras: noExtras,
  ...more
})

export const newCallId = (): CallId => makeCallId(Date.now())
