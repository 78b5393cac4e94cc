/** What is told of a call when it is over: its log line and its metrics. */
import { formatVnd } from "../domain/money.ts"
import type { CallTrace } from "../telemetry/CallTrace.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { Call, Charge, ToldUsage } from "./Call.ts"
import type { GatewayShape } from "./Gateway.ts"
import { genAiAttributes } from "./gen-ai-attributes.ts"

export const logCall = (gateway: GatewayShape, call: Call): void => {
  const latencyMs = steadyMs() - call.begunMs
  const usage = call.charge?.usage
  gateway.metrics.finished({
    endpoint: call.endpoint,
    model: call.model?.id ?? "",
    status: call.status,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cost: call.cost,
    latencyMs,
    firstByteMs: call.firstByteMs,
    usageDisbelieved: call.charge?.disbelieved !== undefined,
    toolUses: call.extras.toolUses
  })
  // What anybody can do any number of times must not crowd out what customers do.
  if (call.identity === undefined) return gateway.log.stranger(() => lineOf(call, latencyMs))
  gateway.log.call(lineOf(call, latencyMs))
  if (call.charge?.disbelieved !== undefined)
    reportDisbelieved(gateway, call, call.charge, call.charge.disbelieved)
  if (call.trace !== undefined) traceCall(gateway, call, call.trace, call.dateMs + latencyMs)
}

const lineOf = (call: Call, latencyMs: number) => {
  const usage = call.charge?.usage
  return {
    request_id: call.id,
    account: call.identity?.accountId,
    key: call.identity?.keyId,
    endpoint: call.endpoint,
    model: call.model?.id,
    stream: call.stream,
    status: call.status,
    error: call.errorType === "" ? undefined : call.errorType,
    input_tokens: usage?.inputTokens,
    output_tokens: usage?.outputTokens,
    estimated: call.charge?.estimated === true ? true : undefined,
    tier: call.extras.tier === "" ? undefined : call.extras.tier,
    cost_vnd: formatVnd(call.cost),
    latency_ms: latencyMs,
    first_byte_ms: call.firstByteMs,
    trace_id: call.trace?.traceId,
    attempts: call.attempts.length > 0 ? call.attempts : undefined
  }
}

const reportDisbelieved = (gateway: GatewayShape, call: Call, charge: Charge, told: ToldUsage): void =>
  gateway.log.problem("a provider told a usage that can not be", {
    request_id: call.id,
    model: call.model?.id,
    provider: call.model?.upstream.provider,
    told_input_tokens: told.inputTokens,
    told_output_tokens: told.outputTokens,
    told_images: told.units,
    input_tokens: charge.usage.inputTokens,
    output_tokens: charge.usage.outputTokens,
    images: told.units === undefined ? undefined : charge.units
  })

/** Calls are made by POST alone, and whoever serves HTTPS before us speaks HTTP to us. */
const httpAttributes = ({ client: { path } }: Call) => ({
  "http.request.method": "POST",
  "http.route": path,
  "url.path": path,
  "url.scheme": "http"
})

const traceCall = (gateway: GatewayShape, call: Call, trace: CallTrace, endedMs: number): void =>
  gateway.tracing.finished({
    trace,
    endpoint: call.endpoint,
    startedMs: call.dateMs,
    endedMs,
    status: call.status,
    errorType: call.errorType,
    attempts: call.attempts,
    attributes: {
      "tollgate.request_id": call.id,
      "tollgate.account": call.identity?.accountId,
      "tollgate.key": call.identity?.keyId,
      ...genAiAttributes(call),
      ...httpAttributes(call),
      "tollgate.stream": call.stream,
      "tollgate.cost_vnd": formatVnd(call.cost),
      "tollgate.first_byte_ms": call.firstByteMs
    }
  })
