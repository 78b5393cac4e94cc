/** The edge of a running gateway thread: counted in its metrics, and warned of in its log. */
import type { GatewayShape } from "../gateway/Gateway.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { readMachine } from "./capacity.ts"
import type { ClosedFor } from "./Connections.ts"
import { Edge } from "./Edge.ts"

const warnEveryMs = 60_000

const warnings: Readonly<Record<ClosedFor, string>> = {
  descriptors: "Descriptors run short: connections without a call are closed",
  address: "One address has as many connections as it may: more are closed"
}

export const openEdge = ({ log, metrics, models }: GatewayShape): Edge => {
  const warned = new Map<ClosedFor, number>()
  for (const reason of Object.keys(warnings)) metrics.closedConnection(reason, 0)
  const edge = new Edge({
    settings: models.settings,
    machine: readMachine(),
    openCalls: () => metrics.openCalls,
    onClosed: (reason) => {
      metrics.closedConnection(reason)
      const nowMs = steadyMs()
      if (nowMs - (warned.get(reason) ?? 0) < warnEveryMs) return
      warned.set(reason, nowMs)
      log.warning(warnings[reason], { connections: edge.connections.open, open_calls: metrics.openCalls })
    }
  })
  metrics.readEdge = () => ({
    bodyBytes: edge.memory.bytes,
    clientConnections: edge.connections.open,
    clientConnectionsResting: edge.connections.open - edge.openExchanges
  })
  return edge
}
