/**
 * One call from its arrival to its end, whatever that is: answered, refused, left by its client, or broken by a bug of
 * ours. Every call with a known key leaves exactly one row in the log.
 */
import { Cause, Effect, Exit } from "effect"
import type { Endpoint } from "../domain/call.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import { flatMapAtOnce } from "./at-once.ts"
import { mayBegin } from "./admission.ts"
import { authenticate } from "./authenticate.ts"
import { Call, type IdentifiedCall } from "./Call.ts"
import { type CallError, restarting, upstreamFailed } from "./CallError.ts"
import type { Client } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"
import { logCall } from "./log-call.ts"
import { renderCallError } from "./render-call-error.ts"
import { leftStatus, leftType, recordUncharged } from "./settle.ts"

/** What an endpoint does with an authenticated call. */
export type Serve = (gateway: GatewayShape, call: IdentifiedCall) => Effect.Effect<void, CallError>

export const serveCall = (
  gateway: GatewayShape,
  client: Client,
  endpoint: Endpoint,
  serve: Serve
): Effect.Effect<unknown> =>
  Effect.suspend(() => {
    const call = new Call(client, endpoint, gateway.ledger.dateMs())
    call.trace = gateway.tracing.begin(client.headers.traceParent)
    gateway.metrics.openCalls++
    const served = flatMapAtOnce(authenticate(gateway, client.headers), (identity) => {
      client.countBodyFor(identity.accountId)
      const identified = call.identify(identity)
      return flatMapAtOnce(mayBegin(gateway, identified), () => serve(gateway, identified))
    })
    return Effect.exit(Effect.onExit(served, (exit) => Effect.sync(() => end(gateway, call, exit))))
  })

const end = (gateway: GatewayShape, call: Call, exit: Exit.Exit<void, CallError>): void => {
  gateway.metrics.openCalls--
  if (Exit.isFailure(exit)) fail(gateway, call, exit.cause)
  if (!call.handedOver) logCall(gateway, call)
}

const fail = (gateway: GatewayShape, call: Call, cause: Cause.Cause<CallError>): void => {
  const isInterrupted = Cause.hasInterruptsOnly(cause)
  if (isInterrupted && !call.client.isOpen) {
    if (!call.handedOver) recordUncharged(gateway, call, leftStatus, leftType)
    call.status ||= leftStatus
    return
  }
  const error = isInterrupted
    ? restarting()
    : (cause.reasons.find(Cause.isFailReason)?.error ?? bug(gateway, call, cause))
  recordUncharged(gateway, call, error.status, error.type)
  call.status = error.status
  call.errorType = error.type
  // No answer fits behind a stream that has begun: cut off, at least it does not look whole.
  if (call.firstByteMs !== undefined) return call.client.drop()
  const { body, headers, status } = renderCallError(call, error)
  call.client.respond(status, headers, body)
}

/** What nobody expected: told to the operator, not to the caller. */
const bug = (gateway: GatewayShape, call: Call, cause: Cause.Cause<CallError>): CallError => {
  const first = cause.reasons.find(Cause.isDieReason)
  const stack = describeFault(first?.defect)
  gateway.log.problem("A call failed by a fault of the gateway", { request_id: call.id, stack })
  return upstreamFailed("The call could not be served.")
}
