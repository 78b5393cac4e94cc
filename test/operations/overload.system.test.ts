/** More than can be served: refused quickly, in the contract's words, and served again as soon as there is room. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { setMaintenance } from "../../src/accounts/maintenance.ts"
import { startGateway, type TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { ask } from "./calls.ts"
import { readMetrics, sumOf } from "./read-metrics.ts"
import { until } from "../until.ts"

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startGateway({ yaml: { limits: { max_open_calls: 3 } } })
})
afterAll(() => gateway.stop())

const call = (key: string, prompt = "Hello", fields = {}) =>
  post(`${gateway.url}/v1/messages`, key, ask(prompt, fields))

const errorOf = async (answer: Awaited<ReturnType<typeof call>>) =>
  (JSON.parse((await answer.ended).text) as { error: { type: string; message: string } }).error

describe("calls beyond the limit of open ones", () => {
  it("get 503 and a retry-after at once, have a row, and are served when there is room", async () => {
    const { accountId, key } = await gateway.account("100000")
    const fields = { stream: true }
    const open = await Promise.all([1, 2, 3].map(() => call(key, "[sim: tokens=60 interval=300]", fields)))
    assert.deepStrictEqual(
      open.map(({ status }) => status),
      [200, 200, 200]
    )
    const refused = await call(key)
    assert.strictEqual(refused.status, 503)
    assert.isDefined(refused.headers["retry-after"])
    assert.strictEqual((await errorOf(refused)).type, "service_unavailable")
    const [row] = await gateway.calls(accountId, 1)
    assert.deepStrictEqual([row!.status, row!.error_type], [503, "service_unavailable"])
    for (const stream of open) stream.leave()
    await until(async () => (await call(key)).status === 200)
    await until(async () => sumOf(await readMetrics(gateway.url), "tollgate_open_calls") === 0)
  })
})

describe("maintenance mode", () => {
  it("refuses new calls while those under way finish and are charged, and the node stays ready", async () => {
    const { accountId, key } = await gateway.account("100000")
    const url = `${gateway.url}/v1/messages`
    const open = await post(url, key, ask("[sim: tokens=60 interval=25]", { stream: true }))
    await gateway.run(setMaintenance(true, "test"))
    const refused = await post(url, key, ask("Hello"))
    assert.strictEqual(refused.status, 503)
    assert.isDefined(refused.headers["retry-after"])
    assert.strictEqual((await errorOf(refused)).type, "service_unavailable")
    const ready = await fetch(`${gateway.url}/readyz`)
    assert.strictEqual(ready.status, 200)
    assert.deepInclude((await ready.json()) as object, { ready: true, maintenance: true })
    assert.strictEqual(
      (await fetch(`${gateway.url}/v1/models`, { headers: { "x-api-key": key } })).status,
      200
    )
    assert.isTrue((await open.ended).complete)
    await gateway.run(setMaintenance(false, "test"))
    assert.strictEqual((await post(url, key, ask("Hello"))).status, 200)
    const rows = await gateway.calls(accountId, 3)
    assert.strictEqual(rows.filter((row) => row.cost_micro_vnd > 0n).length, 2)
  })
})

describe("a key's own limit", () => {
  it("answers 429 with retry-after beyond it, counts only calls, and touches no other key", async () => {
    const limited = await gateway.account("100000", { rateLimitPerMinute: 3 })
    const free = await gateway.account("100000")
    const url = `${gateway.url}/v1/messages`
    const statuses: Array<number> = []
    for (let turn = 0; turn < 5; turn++) {
      const answer = await post(url, limited.key, ask("Hello"))
      statuses.push(answer.status)
      if (answer.status !== 429) continue
      const seconds = Number(answer.headers["retry-after"])
      assert.isAtLeast(seconds, 1)
      assert.isAtMost(seconds, 60)
      assert.strictEqual((await errorOf(answer)).type, "rate_limit_error")
      assert.isUndefined(answer.headers["x-should-retry"])
    }
    assert.deepStrictEqual(statuses, [200, 200, 200, 429, 429])
    assert.strictEqual((await post(url, free.key, ask("Hello"))).status, 200)
    const models = await fetch(`${gateway.url}/v1/models`, { headers: { "x-api-key": limited.key } })
    assert.strictEqual(models.status, 200)
    const rows = await gateway.calls(limited.accountId, 5)
    assert.deepStrictEqual(rows.map(({ status }) => status).toSorted(), [200, 200, 200, 429, 429])
  })
})
