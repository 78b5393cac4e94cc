/** The ends of a call: charged, or only logged. Each call has exactly one row. */
import { Effect } from "effect"
import type { CallRecord } from "../domain/call.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { billOf } from "./bill.ts"
import { type Call, type Charge, isIdentified, type ResolvedCall } from "./Call.ts"
import { type CallError, ledgerUnavailable } from "./CallError.ts"
import type { GatewayShape } from "./Gateway.ts"

/**
 * Charges a successful call; ends when the charge is committed (or spooled), so that the answer may go out. Fails where it
 * was not charged, since what it held had been lost: then nothing may go out.
 */
export const settle = (
  gateway: GatewayShape,
  call: ResolvedCall,
  charge: Charge
): Effect.Effect<CallRecord, CallError> =>
  Effect.suspend(() => {
    const record = call.charged(charge, billOf(call, charge), 200, "", steadyMs())
    return Effect.as(Effect.mapError(gateway.ledger.settle(record, call), ledgerUnavailable), record)
  })

/** Charges what a call consumed that did not end well: its client left, or its wallet could not pay on. */
export const settleCut = (
  gateway: GatewayShape,
  call: ResolvedCall,
  charge: Charge | undefined,
  status: number,
  errorType: string
): void => {
  if (charge === undefined) return recordUncharged(gateway, call, status, errorType)
  if (call.recorded) return
  const bill = billOf(call, charge)
  gateway.ledger.record(call.charged(charge, bill, status, errorType, steadyMs()), call)
}

/** Logs a call that costs nothing, and frees what it held. Calls without a known key have no row. */
export const recordUncharged = (
  gateway: GatewayShape,
  call: Call,
  status: number,
  errorType: string
): void => {
  if (isIdentified(call) && !call.recorded)
    gateway.ledger.record(call.uncharged(status, errorType, steadyMs()), call)
}

/** How a call is logged whose client left before anything was owed. */
export const leftStatus = 499
export const leftType = "client_closed_request"
