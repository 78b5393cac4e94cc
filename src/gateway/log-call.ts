/** What is told of a call when it is over: its log line and its metrics. */
import { formatVnd } from "../domain/money.ts"
import type { Call } from "./Call.ts"
import type { GatewayShape } from "./Gateway.ts"

export const logCall = (gateway: GatewayShape, call: Call): void => {
  const latencyMs = Date.now() - call.startedMs
  const usage = call.charge?.usage
  gateway.metrics.finished({
    endpoint: call.endpoint,
    model: call.model?.id ?? "",
    status: call.status,
    inputTokens: usage?.inputTokens ?? 0,
    outputTokens: usage?.outputTokens ?? 0,
    cost: call.cost,
    latencyMs,
    firstByteMs: call.firstByteMs
  })
  gateway.log.call({
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
    cost_vnd: formatVnd(call.cost),
    latency_ms: latencyMs,
    first_byte_ms: call.firstByteMs,
    attempts: call.attempts.length > 0 ? call.attempts : undefined
  })
}
