/** What a stop makes of calls that are not done: at its limit, and where they have only begun. */
import { assert } from "@effect/vitest"
import { describe, it, onTestFinished } from "vitest"
import type { TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { DatabaseProxy } from "../ledger/DatabaseProxy.ts"
import { ask, stream } from "./calls.ts"
import { RawClient } from "./RawClient.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"
import { start, startDatabase } from "./start-for-test.ts"
import { until } from "../until.ts"

/** With a first call, so that its key is known, on a connection of which the second call never comes whole. */
const sendHalf = async (gateway: TestGateway, key: string): Promise<RawClient> => {
  const client = new RawClient(gateway)
  client.send(key, JSON.stringify(ask("Hello")))
  await until(() => client.text.includes("end_turn"), 60)
  const openCalls = (count: number) =>
    until(async () => sumOf(await readMetrics(gateway.url), "tollgate_open_calls") === count)
  // The first call is not taken for the second.
  await openCalls(0)
  client.text = ""
  client.send(key, JSON.stringify(ask("Hello")), 10)
  await openCalls(1)
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

  it("answers what waits for its commit while the database does not answer, and charges it by the next start", async () => {
    const database = await startDatabase()
    const proxy = new DatabaseProxy(database.url)
    onTestFinished(() => proxy.stop())
    const gateway = await start({ databaseUrl: await proxy.start(), yaml: { limits: { drain_seconds: 1 } } })
    const { accountId, key } = await gateway.account("100000")
    const waiting = post(`${gateway.url}/v1/messages`, key, ask("[sim: latency=500]"))
    await gateway.seen({ started: 1 })
    proxy.dropsAnswers = true
    await gateway.seen({ finished: 1 })
    assert.strictEqual(await gateway.end("SIGTERM"), 0, gateway.output)
    const answer = await waiting
    assert.deepStrictEqual([answer.status, (await answer.ended).complete], [200, true])
    proxy.dropsAnswers = false
    await gateway.launch()
    const rows = await gateway.calls(accountId, 1)
    assert.deepStrictEqual(
      rows.map(({ id, status }) => [id, status]),
      [[answer.id, 200]]
    )
    assert.strictEqual(await gateway.balance(accountId), 100_000_000_000n - rows[0]!.cost_micro_vnd)
  })
})

describe("SIGTERM beside another node", () => {
  it("finishes what begins while the calls of clients that have left are waited for", async () => {
    const database = await startDatabase()
    const yaml = {
      limits: { hand_over_seconds: 0 },
      providers: { deepseek: { on_client_leave: "drain" } }
    }
    const gateway = await start({ databaseUrl: database.url, yaml })
    await start({ databaseUrl: database.url })
    const { accountId, key } = await gateway.account("100000")
    const late = new RawClient(gateway)
    const left = await post(`${gateway.url}/v1/messages`, key, {
      ...stream(100, 50),
      model: "deepseek-v4-flash"
    })
    await left.until("text_delta")
    left.leave()
    const exit = gateway.end("SIGTERM")
    await until(() =>
      fetch(`${gateway.url}/healthz`, { headers: { connection: "close" } }).then(
        () => false,
        () => true
      )
    )
    late.send(key, JSON.stringify(stream(140, 50)))
    assert.include(await late.ended, "message_stop")
    assert.strictEqual(await exit, 0)
    const rows = await gateway.calls(accountId, 2)
    assert.sameDeepMembers(
      rows.map(({ cost_micro_vnd, status }) => [status, cost_micro_vnd > 0n]),
      [
        [499, true],
        [200, true]
      ]
    )
  })
})
