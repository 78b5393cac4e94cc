/** The ends of a call: charged, or only logged. Each call has exactly one row. */
import { Effect } from "effect"
import type { CallRecord } from "../domain/call.ts"
import type { Call, Charge } from "./Call.ts"
import type { GatewayShape } from "./Gateway.ts"

/** Charges a successful call; ends when the charge is committed (or spooled), so that the answer may go out. */
export const settle = (gateway: GatewayShape, call: Call, charge: Charge): Effect.Effect<CallRecord> =>
  Effect.suspend(() => {
    const record = call.charged(charge, 200, "", Date.now())
    return Effect.as(gateway.ledger.settle(record, call), record)
  })

/** Charges what a call consumed that did not end well: its client left, or its wallet could not pay on. */
export const settleCut = (
  gateway: GatewayShape,
  call: Call,
  charge: Charge | undefined,
  status: number,
  errorType: string
): void => {
  if (call.recorded || call.identity === undefined) return
  const nowMs = Date.now()
  gateway.ledger.record(
    charge === undefined
      ? call.uncharged(status, errorType, nowMs)
      : call.charged(charge, status, errorType, nowMs),
    call
  )
}

/** Logs a call that costs nothing, and frees what it held. Calls without a known key have no row. */
export const recordUncharged = (gateway: GatewayShape, call: Call, status: number, errorType: string): void =>
  settleCut(gateway, call, undefined, status, errorType)

/** How a call is logged whose client left before anything was owed. */
export const leftStatus = 499
export const leftType = "client_closed_request"
