/** Calls in the log as the ledger writes them, with their charges. */
import { Effect } from "effect"
import { type CallRecord, noExtras } from "../../src/domain/call.ts"
import { type AccountId, KeyId, makeCallId } from "../../src/domain/ids.ts"
import { Database } from "../../src/storage/Database.ts"
import { commitUnclaimed } from "../storage/write-as-node.ts"

export const arrivedAtMs = Date.UTC(2026, 10, 15, 3, 0, 0)

/** A charged call of 10 + 20 tokens; `index` puts it a second later. */
export const callOf = (accountId: AccountId, index = 0, more: Partial<CallRecord> = {}): CallRecord => ({
  callId: makeCallId(arrivedAtMs + index * 1000),
  atMs: arrivedAtMs + index * 1000,
  accountId,
  keyId: KeyId.make("key_unknown"),
  endpoint: "messages",
  modelRequested: "opus",
  model: "claude-opus-5",
  stream: false,
  status: 200,
  errorType: "",
  inputTokens: 10,
  outputTokens: 20,
  units: 1,
  estimated: false,
  perMtokVnd: 6500,
  perRequestVnd: null,
  cost: 195_000n,
  latencyMs: 120,
  firstByteMs: 40,
  storedIdHash: null,
  storedItemHashes: [],
  extras: noExtras,
  ...more
})

export const writeCalls = Effect.fnUntraced(function* (calls: ReadonlyArray<CallRecord>) {
  const database = yield* Database
  yield* database.run("write calls", (sql) => commitUnclaimed(sql, calls))
})
