/** What a stop makes of calls that are not done: at its limit, and where they have only begun. */
import { assert } from "@effect/vitest"
import { afterEach, describe, it } from "vitest"
import { type GatewayOptions, startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { ask } from "./calls.ts"
import { RawClient } from "./RawClient.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"
import { until } from "../until.ts"

const closers: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

const start = async (options: GatewayOptions = {}): Promise<TestGateway> => {
  const gateway = await startGateway(options)
  closers.push(() => gateway.stop())
  return gateway
}

/** With a first call, so that its key is known, on a connection of which the second call never comes whole. */
const sendHalf = async (gateway: TestGateway, key: string): Promise<RawClient> => {
  const client = new RawClient(gateway)
  client.send(key, JSON.stringify(ask("Hello")))
  await until(() => client.text.includes("end_turn"))
  client.text = ""
  client.send(key, JSON.stringify(ask("Hello")), 10)
  await until(async () => sumOf(await readMetrics(gateway.url), "tollgate_open_calls") === 1)
  return client
}

describe("SIGTERM at the limit", () => {
  it("answers whoever still sends its request, as restarting", async () => {
    const gateway = await start({ yaml: { limits: { drain_seconds: 1 } } })
    const { accountId, key } = await gateway.account("100000")
    const socket = await sendHalf(gateway, key)
    assert.strictEqual(await gateway.end("SIGTERM"), 0, gateway.output)
    const text = await socket.ended
    assert.match(text, /^HTTP\/1.1 503 /)
    assert.include(text, '"type":"service_unavailable"')
    const rows = await gateway.calls(accountId, 2)
    assert.deepStrictEqual(
      rows.map(({ error_type, status }) => [status, error_type]),
      [
        [200, ""],
        [503, "service_unavailable"]
      ]
    )
  })
})
