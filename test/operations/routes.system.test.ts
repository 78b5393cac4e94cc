/** A provider reached over three routes, each a simulator of its own: the whole way through the gateway. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, beforeEach, describe, it } from "vitest"
import { until } from "../until.ts"
import { startSimulator, type RunningSimulator } from "../../src/simulator/server.ts"
import { startGateway, type TestAccount, type TestGateway } from "../gateway/start-gateway.ts"
import { post } from "../gateway/open-stream.ts"
import { ask } from "./calls.ts"

let simulators: ReadonlyArray<RunningSimulator>
let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  simulators = await Promise.all([startSimulator(), startSimulator(), startSimulator()])
  const routes = simulators.map(({ url }, index) => ({ base_url: url, api_key: "k", priority: index + 1 }))
  gateway = await startGateway({ routes: { anthropic: routes } })
  account = await gateway.account("100000")
})
afterAll(async () => {
  await gateway.stop()
  for (const simulator of simulators) simulator.close()
})

const tell = (index: number, settings: string) =>
  fetch(`${simulators[index]!.url}/_sim/defaults`, { method: "POST", body: settings })

beforeEach(() => Promise.all([0, 1, 2].map((index) => tell(index, ""))))

const call = async (stream: boolean) => {
  const answer = await post(`${gateway.url}/v1/messages`, account.key, ask("Hello", { stream }))
  const { text } = await answer.ended
  const id = String(answer.headers["request-id"])
  const { attempts } = JSON.parse(await gateway.logged(id)) as {
    readonly attempts: ReadonlyArray<{ readonly route: string; readonly outcome: number | string }>
  }
  const rows = (await gateway.calls(account.accountId)).filter((row) => row.id === id)
  return { answer, text, rows, tried: attempts.map(({ outcome, route }) => `${route} ${outcome}`).join(", ") }
}

describe("routes", () => {
  it.each([false, true])(
    "are gone through until one answers, which is charged once (stream: %s)",
    async (stream) => {
      await tell(0, "status=529")
      await tell(1, "status=503")
      const { answer, rows, tried } = await call(stream)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(tried, "anthropic#0 529, anthropic#1 503, anthropic#2 200")
      assert.strictEqual(rows.length, 1)
      assert.isTrue(rows[0]!.cost_micro_vnd > 0n)
      assert.strictEqual(
        rows[0]!.attempts?.map(({ outcome, route }) => `${route} ${outcome}`).join(", "),
        tried
      )
    }
  )

  it("fare badly with errors that no caller can mend, and well with a caller's own", async () => {
    const asked = ask("Hello", { model: "minimax-m3" })
    for (const [status, told] of [
      [404, 502],
      [400, 400]
    ] as const) {
      await fetch(`${gateway.simulatorUrl}/_sim/defaults`, { method: "POST", body: `status=${status}` })
      const answer = await post(`${gateway.url}/v1/messages`, account.key, asked)
      await answer.ended
      assert.strictEqual(answer.status, told)
    }
    const [row] = await until(async () => {
      const rows = await gateway.sql(
        (sql) => sql<Array<{ calls: number; broken: number; forbidden: number; last: string | null }>>`
          select sum(calls)::int as calls, sum(broken)::int as broken, sum(forbidden)::int as forbidden,
            max(last_error) as last from route_health where family = 'minimax'`
      )
      return rows[0]?.calls === 2 ? rows : undefined
    })
    assert.deepStrictEqual({ ...row }, { calls: 2, broken: 1, forbidden: 0, last: "404" })
  })

  it("are not changed once an answer has begun, nor for an error that may have cost work", async () => {
    await tell(0, "tokens=40 cut_after=10")
    const broken = await call(true)
    assert.strictEqual(broken.tried, "anthropic#0 broken")
    assert.include(broken.text, "event: error")
    await tell(0, "status=500")
    const failed = await call(false)
    assert.strictEqual(failed.tried, "anthropic#0 500")
    assert.strictEqual(failed.answer.status, 502)
  })

  it("of which one is limited let it rest for as long as it said, and pass the 429 on when all are", async () => {
    await tell(0, "status=429 retry-after=600")
    assert.strictEqual((await call(false)).tried, "anthropic#0 429, anthropic#1 200")
    const alone = await call(false)
    assert.strictEqual(alone.tried, "anthropic#1 200")
    assert.isNull(alone.rows[0]!.attempts)
    await tell(1, "status=429 retry-after=600")
    await tell(2, "status=429 retry-after=600")
    const { answer, tried } = await call(false)
    assert.strictEqual(tried, "anthropic#1 429, anthropic#2 429, anthropic#0 429")
    assert.strictEqual(answer.status, 429)
    assert.strictEqual(answer.headers["retry-after"], "600")
  })
})
