/** The headers of answers: which model did the work, what it cost, and the call's id. */
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import type { Call, ResolvedCall } from "./Call.ts"
import type { ResponseHeaders } from "./Client.ts"

/** On every answer: each client family reads one of the two. */
export const idHeaders = ({ id }: Pick<Call, "id">): ResponseHeaders => [
  ["request-id", id],
  ["x-request-id", id]
]

export const modelHeaders = (call: ResolvedCall): ResponseHeaders => [
  ["x-svc-model", call.model.id],
  ...(call.mappedFrom === undefined
    ? []
    : [["x-svc-model-mapped-from", headerSafe(call.mappedFrom)] as const])
]

export interface CostShown {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cost: MicroVnd
}

/** Of calls whose cost is known before the answer goes out. */
export const costHeaders = (call: ResolvedCall, record: CostShown): ResponseHeaders => {
  const { price } = call.model
  return [
    ["x-svc-input-tokens", String(record.inputTokens)],
    ["x-svc-output-tokens", String(record.outputTokens)],
    ["x-svc-cost-vnd", formatVnd(record.cost)],
    price._tag === "PerToken"
      ? ["x-svc-price-vnd-per-mtok", String(price.perMtokVnd)]
      : ["x-svc-price-vnd-per-request", String(price.perRequestVnd)]
  ]
}

/** Of a whole answer that has been charged. */
export const chargedHeaders = (call: ResolvedCall, record: CostShown): ResponseHeaders => [
  jsonType,
  ...idHeaders(call),
  ...modelHeaders(call),
  ...costHeaders(call, record)
]

export const jsonType = ["content-type", "application/json"] as const

export const eventStreamHeaders: ResponseHeaders = [
  ["content-type", "text/event-stream; charset=utf-8"],
  ["cache-control", "no-cache, no-transform"],
  ["x-accel-buffering", "no"]
]

/**
 * A name sent by a client, as it may stand in a header: visible ASCII as it is, everything else percent-encoded. So are
 * spaces at its ends, which a header's reader drops. Half a character, which is no UTF-8, becomes U+FFFD.
 */
const headerSafe = (name: string): string =>
  name
    .slice(0, 200)
    .toWellFormed()
    .replace(/^ | $|[^\x20-\x7e]/gu, encodeURIComponent)
