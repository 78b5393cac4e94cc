/** What operators say of routes, on two nodes that share a database: in force on both once it is answered. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { setRouteSetting } from "../../src/accounts/routes.ts"
import { readRouteStates, readRouteTallies } from "../../src/storage/routes/RouteHealthStore.ts"
import { ask, errorOf, messagesCall } from "./ask.ts"
import { answerWell, type NamedProvider, startNamedProvider } from "./named-provider.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"
import { until } from "../until.ts"

let first: NamedProvider
let second: NamedProvider
let one: TestGateway
let other: TestGateway
let account: TestAccount
beforeAll(async () => {
  first = await startNamedProvider()
  second = await startNamedProvider()
  const routes = {
    anthropic: [
      { base_url: first.url, api_key: "k" },
      { base_url: second.url, api_key: "k" }
    ]
  }
  const env = { GATEWAY_THREADS: "2" }
  one = await startGateway({ routes, env })
  other = await startGateway({ routes, env, databaseUrl: one.databaseUrl })
  account = await one.account("500000")
})
afterAll(async () => {
  await other?.stop()
  await one?.stop()
  first.close()
  second.close()
})

const set = (route: string, isPaused: boolean, weight?: number) =>
  one.run(setRouteSetting(route, { isPaused, weight }, "test"))

const callAll = async (times: number, { key } = account) => {
  first.takeCount()
  second.takeCount()
  const answers = []
  for (let call = 0; call < times; call++)
    for (const node of [one, other]) answers.push(await ask(node, key, "/v1/messages", messagesCall("hi")))
  return { answers, counts: [first.takeCount(), second.takeCount()] as const }
}

describe("a route", () => {
  it("that is paused gets no call on any node once that is answered, and calls again when it is resumed", async () => {
    await set("anthropic#0", true)
    const { answers, counts } = await callAll(10)
    assert.deepStrictEqual(counts, [0, 20])
    assert.isTrue(answers.every(({ status }) => status === 200))
    await set("anthropic#1", true)
    await set("anthropic#0", false)
    assert.deepStrictEqual((await callAll(5)).counts, [10, 0])
    await set("anthropic#1", false)
  })

  it("of a model whose routes are all paused makes calls fail as what can not be reached, and cost nothing", async () => {
    await set("anthropic#0", true)
    await set("anthropic#1", true)
    const mine = await one.account()
    const { answers, counts } = await callAll(1, mine)
    assert.deepStrictEqual(counts, [0, 0])
    for (const answered of answers) {
      assert.strictEqual(answered.status, 502)
      assert.strictEqual(errorOf(answered).type, "api_error")
    }
    const rows = await one.calls(mine.accountId, 2)
    assert.deepStrictEqual(
      rows.map((row) => row.cost_micro_vnd),
      [0n, 0n]
    )
    await set("anthropic#0", false)
    await set("anthropic#1", false)
  })

  it("gets calls by the weight that was set, on all nodes", async () => {
    await set("anthropic#0", false, 1_000)
    await set("anthropic#1", false, 0.001)
    const { counts } = await callAll(15)
    assert.deepStrictEqual(counts, [30, 0])
    await set("anthropic#0", false)
    await set("anthropic#1", false)
  })

  it("is paused still on a node that starts later", async () => {
    await set("anthropic#0", true)
    await other.end()
    await other.launch()
    assert.deepStrictEqual((await callAll(5)).counts, [0, 10])
    await set("anthropic#0", false)
  })
})

describe("how routes fare", () => {
  const tallyOf = async (route: string) =>
    (await one.sql((sql) => readRouteTallies(sql, new Date(Date.now() - 3_600_000)))).filter(
      (tally) => tally.route === route
    )
  const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

  it("is written down by all nodes, by family and kind of failure, and told as a state while it lasts", async () => {
    await set("anthropic#1", true)
    first.answer = (response) => response.writeHead(401).end("{}")
    const { answers } = await callAll(2)
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [502])
    const states = await until(async () => {
      const told = await one.sql(readRouteStates)
      return told.filter(({ route }) => route === "anthropic#0").length === 2 && told
    }, 30)
    assert.deepStrictEqual([...new Set(states.map(({ state }) => state))], ["resting"])
    assert.isTrue(states.every(({ untilMs }) => untilMs !== undefined && untilMs > Date.now() - 60_000))
    first.answer = answerWell
    const rows = await until(async () => {
      const told = await tallyOf("anthropic#0")
      return sum(told.map(({ failures }) => failures.locked_out ?? 0)) >= 4 && told
    }, 30)
    assert.deepStrictEqual([...new Set(rows.map(({ family }) => family))], ["claude"])
    assert.strictEqual(sum(rows.map(({ failures }) => failures.locked_out ?? 0)), 4)
    await set("anthropic#1", false)
  })
})
