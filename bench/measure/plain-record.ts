/** What the ledger writes of a plain call that was answered. */
import { type CallRecord, noExtras } from "../../src/domain/call.ts"
import { makeCallId } from "../../src/domain/ids.ts"

export const plainRecord = (
  customer: Pick<CallRecord, "accountId" | "keyId">,
  nowMs: number
): CallRecord => ({
  callId: makeCallId(nowMs),
  atMs: nowMs,
  ...customer,
  endpoint: "chat_completions",
  modelRequested: "gpt-5.5",
  model: "gpt-5.5",
  stream: false,
  status: 200,
  errorType: "",
  inputTokens: 400,
  outputTokens: 100,
  units: 1,
  estimated: false,
  perMtokVnd: 8_300,
  perRequestVnd: null,
  cost: 500n * 8_300n,
  latencyMs: 5,
  firstByteMs: null,
  storedIdHash: null,
  storedItemHashes: [],
  extras: noExtras
})
