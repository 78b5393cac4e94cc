/** How a server stops, reads its settings again, and is replaced by another without a caller noticing. */
import { assert } from "@effect/vitest"
import Anthropic from "@anthropic-ai/sdk"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, it } from "vitest"
import { findFreePort } from "../../src/config/find-free-port.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { ask, stream } from "./calls.ts"
import { start, startDatabase } from "./start-for-test.ts"
import { until } from "../until.ts"

describe("SIGTERM", () => {
  it("refuses new calls, lets those under way finish, charges them and ends with 0", async () => {
    const gateway = await start()
    const { accountId, key } = await gateway.account("100000")
    const url = `${gateway.url}/v1/messages`
    const open = await post(url, key, stream(80, 25))
    const exit = gateway.end("SIGTERM")
    // Those that come before the signal does are served.
    const served = [open.headers["request-id"]]
    const refused = await until(async () => {
      const answer = await post(url, key, ask("Hello"))
      if (answer.status === 200) served.push(answer.headers["request-id"])
      // Soon after, the connection ends with the refusal, so that the next one can go elsewhere.
      return answer.status === 503 && answer.headers["connection"] === "close" && answer
    })
    assert.isDefined(refused.headers["retry-after"])
    assert.include((await refused.ended).text, '"type":"service_unavailable"')
    assert.strictEqual((await fetch(`${gateway.url}/readyz`)).status, 503)
    assert.strictEqual((await fetch(`${gateway.url}/healthz`)).status, 200)
    const { complete, text } = await open.ended
    assert.isTrue(complete)
    assert.include(text, "message_stop")
    assert.strictEqual(await exit, 0)
    const rows = await gateway.calls(accountId, 2)
    const charged = rows.filter(({ cost_micro_vnd }) => cost_micro_vnd > 0n)
    assert.sameMembers(
      charged.map(({ id, status }) => `${id} ${status}`),
      served.map((id) => `${id} 200`)
    )
    const costs = charged.reduce((sum, { cost_micro_vnd }) => sum + cost_micro_vnd, 0n)
    assert.strictEqual(await gateway.balance(accountId), 100_000_000_000n - costs)
    assert.isTrue(rows.some(({ error_type }) => error_type === "service_unavailable"))
    assert.include(gateway.log, '"message":"Stopping: new calls get 503"')
    assert.notInclude(gateway.log, "not over after")
  })

  it("ends at the limit what does not finish: an error event, no charge, exit 0", async () => {
    const gateway = await start({ yaml: { limits: { drain_seconds: 1 } } })
    const { accountId, key } = await gateway.account("100000")
    const open = await post(`${gateway.url}/v1/messages`, key, stream(3_000, 25))
    const waiting = post(`${gateway.url}/v1/messages`, key, ask("[sim: hang=headers]"))
    await gateway.seen({ started: 2 })
    assert.strictEqual(await gateway.end("SIGTERM"), 0, gateway.output)
    const { text } = await open.ended
    assert.match(text, /event: error\ndata: .*"service_unavailable"/)
    assert.notInclude(text, "message_stop")
    const plain = await waiting
    assert.strictEqual(plain.status, 503)
    const rows = await gateway.calls(accountId, 2)
    assert.deepStrictEqual(
      rows.map(({ cost_micro_vnd, error_type, status }) => [status, error_type, cost_micro_vnd]),
      [
        [503, "service_unavailable", 0n],
        [503, "service_unavailable", 0n]
      ],
      gateway.output
    )
    assert.strictEqual(await gateway.balance(accountId), 100_000_000_000n)
    assert.strictEqual((await gateway.seen({ aborted: 2, openStreams: 0 })).openStreams, 0)
    assert.include(gateway.log, '"level":"warn","message":"Calls that are not over after 1 s are ended')
  })
})

describe("SIGHUP", () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startGateway({ env: { DASHBOARD: "on" } })
  })
  afterAll(() => gateway.stop())

  it("puts new aliases and routes into force without dropping a stream and says so, and refuses a bad file whole", async () => {
    const { key } = await gateway.account("100000")
    const url = `${gateway.url}/v1/messages`
    const file = join(gateway.dataDir, "tollgate.yaml")
    const settings = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
    const open = await post(url, key, stream(150, 25))

    const modelOf = async (name: string) => {
      const answer = await post(url, key, ask("Hello", { model: name }))
      await answer.ended
      return answer.headers["x-svc-model"]
    }
    assert.strictEqual(await modelOf("sonnet"), "claude-sonnet-5")
    writeFileSync(file, JSON.stringify({ ...settings, aliases: { sonnet: "claude-opus-5" } }))
    gateway.signal("SIGHUP")
    await until(async () => (await modelOf("sonnet")) === "claude-opus-5")
    await until(() => gateway.output.includes("Settings read again"))

    writeFileSync(file, JSON.stringify({ ...settings, aliases: { sonnet: "no-such-model" } }))
    gateway.signal("SIGHUP")
    await until(() => gateway.output.includes("Bad setting aliases"))
    assert.strictEqual(await modelOf("sonnet"), "claude-opus-5")

    // A route that leads nowhere, and back.
    const nowhere = { routes: [{ base_url: "http://127.0.0.1:9", api_key: "k" }] }
    const providers = settings["providers"] as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...settings, providers: { ...providers, anthropic: nowhere } }))
    gateway.signal("SIGHUP")
    await until(async () => (await post(url, key, ask("Hello"))).status === 502)
    writeFileSync(file, JSON.stringify(settings))
    gateway.signal("SIGHUP")
    await until(async () => (await post(url, key, ask("Hello"))).status === 200)

    const { complete, text } = await open.ended
    assert.isTrue(complete)
    assert.include(text, "message_stop")
  })

  it("shows the dashboard's visitors the prices that calls are charged at", async () => {
    const priceOf = async (id: string) => {
      const answer = await fetch(`${gateway.url}/dashboard/api/models`)
      if (!answer.ok) return undefined
      const { models } = (await answer.json()) as { models: ReadonlyArray<{ id: string; price_vnd: number }> }
      return models.find((model) => model.id === id)?.price_vnd
    }
    await until(async () => (await priceOf("claude-sonnet-5")) === 6500, 60)

    const catalogue = readFileSync("src/domain/catalogue.json", "utf8")
    const models = JSON.parse(catalogue) as Array<{ id: string; price: unknown }>
    models.find((model) => model.id === "claude-sonnet-5")!.price = { per_mtok_vnd: 7100 }
    writeFileSync(join(gateway.dataDir, "dearer.json"), JSON.stringify(models))
    const file = join(gateway.dataDir, "tollgate.yaml")
    const settings = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>
    writeFileSync(file, JSON.stringify({ ...settings, catalogue: "./dearer.json" }))
    gateway.signal("SIGHUP")
    await until(async () => (await priceOf("claude-sonnet-5")) === 7100)
  })
})

/** Calls with the official client, one after another, until told to stop. */
const callOnAndOn = (baseURL: string, apiKey: string, streamed: boolean) => {
  const statuses = new Set<number>()
  const client = new Anthropic({
    baseURL,
    apiKey,
    maxRetries: 4,
    fetch: async (...request) => {
      const response = await fetch(...request)
      statuses.add(response.status)
      return response
    }
  })
  const answered: Array<string> = []
  const failures: Array<string> = []
  const running = { on: true }
  const params = {
    model: "claude-sonnet-5",
    max_tokens: 500,
    messages: [{ role: "user" as const, content: "[sim: tokens=12 interval=4]" }]
  }
  const one = async (): Promise<string> => {
    if (!streamed) {
      const { data, response } = await client.messages.create(params).withResponse()
      assert.strictEqual(data.stop_reason, "end_turn")
      return response.headers.get("request-id")!
    }
    const { data, response } = await client.messages.create({ ...params, stream: true }).withResponse()
    let last = ""
    for await (const event of data) last = event.type
    assert.strictEqual(last, "message_stop")
    return response.headers.get("request-id")!
  }
  const done = (async () => {
    while (running.on) {
      try {
        answered.push(await one())
      } catch (error) {
        failures.push(String(error))
      }
    }
  })()
  return {
    answered,
    failures,
    statuses,
    stop: () => {
      running.on = false
      return done
    }
  }
}

describe("a rolling restart", () => {
  it("of two processes on one port and one database loses no call and charges each once", async () => {
    const database = await startDatabase()
    const port = await Effect.runPromise(findFreePort)
    const nodes = [
      await start({ databaseUrl: database.url, port }),
      await start({ databaseUrl: database.url, port })
    ]
    const { accountId, key } = await nodes[0]!.account("1000000")
    const clients = Array.from({ length: 8 }, (_, index) => callOnAndOn(nodes[0]!.url, key, index % 2 === 0))
    const answered = () => clients.reduce((sum, client) => sum + client.answered.length, 0)
    for (const node of nodes) {
      const before = answered()
      await until(() => answered() > before + 60, 60)
      assert.strictEqual(await node.end("SIGTERM"), 0)
      await node.launch()
    }
    const before = answered()
    await until(() => answered() > before + 60, 60)
    await Promise.all(clients.map((client) => client.stop()))

    assert.deepStrictEqual(
      clients.flatMap(({ failures }) => failures),
      []
    )
    // A connection may be reset, and its call is repeated; but nobody is refused.
    for (const { statuses } of clients) assert.deepStrictEqual([...statuses], [200])
    const ids = clients.flatMap((client) => client.answered)
    const rows = await nodes[0]!.calls(accountId, ids.length)
    const charged = rows.filter((row) => row.cost_micro_vnd > 0n)
    assert.deepStrictEqual(charged.map(({ id }) => id).toSorted(), ids.toSorted())
    const spent = charged.reduce((sum, row) => sum + row.cost_micro_vnd, 0n)
    assert.strictEqual(await nodes[0]!.balance(accountId), 1_000_000_000_000n - spent)
  })
})
