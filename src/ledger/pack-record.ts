/** Plain values as msgpack, and a call's row as a list of them: what goes over the bridge, and into the spool. */
import { Packr } from "msgpackr"
import type { CallExtras, CallRecord, Endpoint } from "../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"

const packr = new Packr({ useRecords: false, int64AsType: "bigint", moreTypes: true })

/** Owns its memory, so that it can be transferred instead of copied. */
export const pack = (values: ReadonlyArray<unknown>): Uint8Array<ArrayBuffer> => {
  const packed = packr.pack(values)
  const bytes = new Uint8Array(packed.byteLength)
  bytes.set(packed)
  return bytes
}

export const unpack = (bytes: Uint8Array): ReadonlyArray<unknown> =>
  packr.unpack(bytes) as ReadonlyArray<unknown>

export const packRecord = (record: CallRecord): ReadonlyArray<unknown> => [
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
  record.storedIdHash,
  packExtras(record.extras),
  record.storedItemHashes
]

export const unpackRecord = (fields: ReadonlyArray<unknown>): CallRecord => ({
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
  storedIdHash: fields[19] as Uint8Array | null,
  // A former version's spool has neither.
  extras: unpackExtras((fields[20] ?? []) as ReadonlyArray<unknown>),
  storedItemHashes: (fields[21] ?? []) as ReadonlyArray<Uint8Array>
})

const packExtras = (extras: CallExtras): ReadonlyArray<unknown> => {
  const { cacheReadTokens, cacheWriteTokens, factor, reasoningTokens, route, tier } = extras
  const simple = [cacheReadTokens, cacheWriteTokens, reasoningTokens, tier, factor, route]
  // Nearly always.
  if (extras.toolUses.length + extras.others.length + extras.attempts.length === 0) return simple
  return [...simple, ...packBought(extras)]
}

const packBought = (extras: CallExtras): ReadonlyArray<unknown> => [
  extras.toolUses.map(({ price, tool, uses }) => [tool, uses, price ?? null]),
  extras.others.map((other) => [
    other.model,
    other.inputTokens,
    other.outputTokens,
    other.perMtokVnd,
    other.isApart,
    other.cacheReadTokens,
    other.cacheWriteTokens
  ]),
  extras.attempts.map(({ ms, outcome, route }) => [route, outcome, ms])
]

type PackedUses = readonly [tool: string, uses: number, price: bigint | number | null]
type PackedAttempt = readonly [route: string, outcome: number | string, ms: number]
type PackedTokens = readonly [
  model: string,
  input: number,
  output: number,
  perMtokVnd: number,
  isApart: boolean,
  // A former version's spool has neither.
  cacheRead?: number,
  cacheWrite?: number
]

const unpackExtras = (fields: ReadonlyArray<unknown>): CallExtras => ({
  cacheReadTokens: (fields[0] ?? 0) as number,
  cacheWriteTokens: (fields[1] ?? 0) as number,
  reasoningTokens: (fields[2] ?? 0) as number,
  tier: (fields[3] ?? "") as string,
  factor: (fields[4] ?? "1") as string,
  route: (fields[5] ?? "") as string,
  toolUses: ((fields[6] ?? []) as ReadonlyArray<PackedUses>).map(([tool, uses, price]) => ({
    tool,
    uses,
    price: price === null ? undefined : BigInt(price)
  })),
  others: ((fields[7] ?? []) as ReadonlyArray<PackedTokens>).map(
    ([model, inputTokens, outputTokens, perMtokVnd, isApart, cacheRead = 0, cacheWrite = 0]) => ({
      model,
      inputTokens,
      cacheReadTokens: cacheRead,
      cacheWriteTokens: cacheWrite,
      outputTokens,
      perMtokVnd,
      isApart
    })
  ),
  attempts: ((fields[8] ?? []) as ReadonlyArray<PackedAttempt>).map(([route, outcome, ms]) => ({
    route,
    outcome,
    ms
  }))
})
