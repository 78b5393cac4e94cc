import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { boundOf, noTally } from "../../src/domain/route-health.ts"
import type { HealthRow } from "../../src/domain/route-health.ts"
import { writeRouteHealth, writeRouteStates } from "../../src/storage/routes/RouteHealthStore.ts"
import { tidy } from "../../src/storage/months/keep-tidy.ts"
import { writeCalls } from "../browser/sample-data.ts"
import { monthOf, prices } from "./bought-calls.ts"
import { enterPrices } from "./enter-prices.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const hourMs = 3_600_000

const tried = {
  model: "claude-sonnet-5",
  status: 401,
  firstByteMs: 12,
  totalMs: 15,
  fault: undefined,
  message: "invalid x-api-key"
}

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard({
    environment: { ANTHROPIC_API_KEY: "the-provider-key", OPENAI_API_KEY: "another-key" },
    limited: true,
    tried: (route) => (route === "anthropic#0" ? tried : undefined)
  })
  operator = await signUpOperator(dashboard, "op@example.com")
})
afterAll(() => dashboard.stop())

const list = async () => (await operator.get(`${api}/operator/routes`)).body.routes
const routeOf = async (id: string) => (await list()).find((route: { id: string }) => route.id === id)
const set = (body: unknown) => operator.post(`${api}/operator/routes/set`, body)

describe("the routes to providers", () => {
  it("are those that are configured, as they are set, without a provider's key", async () => {
    const { body, text } = await operator.get(`${api}/operator/routes`)
    assert.deepStrictEqual(
      body.routes.map(({ id }: { id: string }) => id),
      ["anthropic#0", "openai#0"]
    )
    assert.deepInclude(body.routes[0], {
      paused: false,
      weight: 1,
      own_weight: null,
      state: "closed",
      calls: 0
    })
    assert.lengthOf(body.routes[0].hours, 24)
    assert.notInclude(text, "the-provider-key")
  })

  it("are paused and weighed, with what was before in the audit log, and other nodes are told", async () => {
    assert.strictEqual((await set({ route: "openai#0", paused: true, weight: 2.5 })).status, 200)
    assert.deepInclude(await routeOf("openai#0"), { paused: true, weight: 2.5, own_weight: 2.5 })
    await set({ route: "openai#0", paused: false, weight: null })
    assert.deepInclude(await routeOf("openai#0"), { paused: false, weight: 1, own_weight: null })
    const { entries } = (
      await operator.get(`${api}/operator/audit?subject=${encodeURIComponent("openai#0")}`)
    ).body
    assert.deepStrictEqual(
      entries.map(({ action, detail }: { action: string; detail: unknown }) => [action, detail]),
      [
        ["route.set", { paused: false, weight: null, former_paused: true, former_weight: 2.5 }],
        ["route.set", { paused: true, weight: 2.5, former_paused: false, former_weight: null }]
      ]
    )
    const [events] = await dashboard.sql`select count(*)::int as count from node_events where kind = 'routes'`
    assert.strictEqual(events?.["count"], 2)
  })

  it("can not be set where there is none", async () => {
    assert.strictEqual((await set({ route: "openai#7", paused: true, weight: null })).status, 404)
  })

  it.each([0, -1, 1_001])("can not be given the weight %d", async (weight) => {
    const { body, status } = await set({ route: "openai#0", paused: true, weight })
    assert.deepStrictEqual([status, body.error.message], [400, "weight must be above 0 and at most 1000"])
  })

  it.each([
    [{ provider: "nobody" }, "provider must be one that models of the catalogue name"],
    [{ models: ["nothing"] }, "models names what the provider has not"]
  ])("is not added with %j, and the answer says what is wrong with it", async (more, message) => {
    const route = { provider: "openai", base_url: "https://example.com", key: "k", models: [], priority: 1 }
    const { body, status } = await operator.post(`${api}/operator/routes`, { ...route, ...more })
    assert.deepStrictEqual([status, body.error.message], [400, message])
  })

  it("are told of as all nodes wrote it down, however often a node writes the same", async () => {
    const nowMs = Date.now()
    const row = (of: Partial<HealthRow>): HealthRow => ({
      ...noTally,
      route: "anthropic#0",
      family: "claude",
      atMs: nowMs - 60_000,
      ...of
    })
    const one = row({
      calls: 90,
      failures: { busy: 1 },
      firstBytes: { [boundOf(0.2)]: 80, [boundOf(4)]: 9 },
      lastError: { what: "429", atMs: nowMs - 50_000 }
    })
    await writeRouteHealth(dashboard.sql, "a", [
      one,
      row({ atMs: nowMs - 3 * hourMs, calls: 4, failures: { connect: 4 } })
    ])
    await writeRouteHealth(dashboard.sql, "a", [one])
    await writeRouteHealth(dashboard.sql, "b", [
      row({ calls: 10, failures: { server: 4 }, lastError: { what: "500", atMs: nowMs - 40_000 } }),
      row({ atMs: nowMs - 50 * hourMs, calls: 7 })
    ])
    const untilMs = nowMs + 30_000
    await writeRouteStates(dashboard.sql, "a", [{ route: "anthropic#0", state: "resting", untilMs }])
    await writeRouteStates(dashboard.sql, "b", [{ route: "anthropic#0", state: "open", untilMs: undefined }])
    const shown = await routeOf("anthropic#0")
    assert.deepInclude(shown, {
      state: "open",
      calls: 100,
      success_rate: 0.95,
      last_error: { what: "500", at: nowMs - 40_000 }
    })
    assert.closeTo(shown.p50_ms, 200, 40)
    assert.closeTo(shown.p95_ms, 4_000, 800)
    const counts = shown.hours.map(
      ({ calls, failed }: { calls: number; failed: number }) => `${calls}/${failed}`
    )
    assert.sameMembers(
      counts.filter((count: string) => count !== "0/0"),
      ["100/5", "4/4"]
    )
    await writeRouteStates(dashboard.sql, "b", [])
    assert.deepInclude(await routeOf("anthropic#0"), { state: "resting", until: untilMs })
    await writeRouteStates(dashboard.sql, "a", [])
    assert.deepInclude(await routeOf("anthropic#0"), { state: "closed", until: null })
  })

  it("are forgotten as they were two days ago", async () => {
    await tidy(dashboard.sql)
    const [kept] = await dashboard.sql`select count(*)::int as count from route_health`
    assert.strictEqual(kept?.["count"], 3)
  })
})

describe("a route that operators added", () => {
  it("has purchase prices of its own, and the margin of its calls is the provider's, also once it is removed", async () => {
    const asked = { provider: "anthropic", base_url: "https://example.com", key: "", models: [], priority: 1 }
    const added = await operator.post(`${api}/operator/routes`, asked)
    assert.strictEqual(added.status, 201, added.text)
    const route: string = added.body.id
    // (1000 - 600 - 100) × 2 + 600 × 2 + 100 × 2 + 200 × 3
    const account = await accountOf(operator)
    const [call] = monthOf(account, account)
    const extras = { ...call!.extras, route }
    await writeCalls(dashboard.databaseUrl, [{ ...call!, extras }])
    const caches = { cacheRead: null, cacheWrite: null }
    const price = { ...prices[1]!, ...caches, route, currency: "VND", input: "2", output: "3" }
    await enterPrices(operator, { prices: [price], rates: [] })
    const period = `from=${call!.atMs}&to=${call!.atMs + 1}`
    for (const once of ["in use", "removed"]) {
      const { rows } = (await operator.get(`${api}/operator/margin?${period}&by=provider`)).body
      assert.deepStrictEqual(
        rows.map((row: Record<string, unknown>) => [row["group"], row["cost_vnd"]]),
        [["anthropic", "0.0026"]],
        once
      )
      const { total } = (await operator.get(`${api}/operator/margin?${period}&provider=anthropic`)).body
      assert.strictEqual(total.cost_vnd, "0.0026", once)
      await operator.post(`${api}/operator/routes/remove`, { route })
    }
  })
})

describe("a test of a route", () => {
  const test = (route: string) => operator.post(`${api}/operator/routes/test`, { route })

  it("tells what came of it, and stands in the audit log", async () => {
    assert.deepStrictEqual((await test("anthropic#0")).body, {
      model: "claude-sonnet-5",
      status: 401,
      first_byte_ms: 12,
      total_ms: 15,
      fault: null,
      message: "invalid x-api-key"
    })
    const { entries } = (await operator.get(`${api}/operator/audit?subject=anthropic%230`)).body
    assert.deepInclude(entries[0], { action: "route.test", actor: "op@example.com" })
  })

  it("of a route that is not there, or where nobody can send it, is refused", async () => {
    assert.strictEqual((await test("anthropic#7")).status, 404)
    assert.strictEqual((await test("openai#0")).status, 503)
  })

  it("is refused after too many in a minute", async () => {
    const statuses = []
    for (let turn = 0; turn < 20; turn++) statuses.push((await test("anthropic#0")).status)
    assert.include(statuses, 429)
    assert.strictEqual(statuses[0], 200)
  })
})
