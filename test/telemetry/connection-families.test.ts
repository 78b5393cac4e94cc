import { assert, describe, it } from "@effect/vitest"
import { connectionFamilies } from "../../src/telemetry/connection-families.ts"
import { type ConnectionNumbers, sumConnectionCounters } from "../../src/telemetry/connection-numbers.ts"

const of = (origin: string, count: number, failed: Record<string, number> = {}): ConnectionNumbers => ({
  origin,
  open: count,
  idle: count,
  connecting: count,
  opened: count,
  reused: count,
  sentAgain: count,
  failed
})

describe("the metrics of connections", () => {
  it("add up what threads count, those that have ended included, by origin and reason", () => {
    const running = [
      of("https://a", 1, { reset: 1 }),
      of("https://b", 10),
      of("https://a", 2, { reset: 2, tls: 5 })
    ]
    const ended = sumConnectionCounters([of("https://a", 100, { reset: 100 }), of("https://c", 7)])
    const text = connectionFamilies(sumConnectionCounters([...ended, ...running]), running).join("")
    for (const line of [
      'tollgate_upstream_connections_open{origin="https://a"} 3',
      'tollgate_upstream_connections_idle{origin="https://b"} 10',
      'tollgate_upstream_connections_connecting{origin="https://a"} 3',
      'tollgate_upstream_connections_opened_total{origin="https://a"} 103',
      'tollgate_upstream_connections_reused_total{origin="https://c"} 7',
      'tollgate_upstream_calls_sent_again_total{origin="https://b"} 10',
      'tollgate_upstream_connections_failed_total{origin="https://a",reason="reset"} 103',
      'tollgate_upstream_connections_failed_total{origin="https://a",reason="tls"} 5'
    ])
      assert.include(text.split("\n"), line)
    assert.notInclude(text, 'connections_open{origin="https://c"}')
  })
})
