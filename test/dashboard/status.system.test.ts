import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { noTally } from "../../src/domain/route-health.ts"
import type { HealthRow } from "../../src/domain/route-health.ts"
import { writeRouteHealth } from "../../src/storage/routes/RouteHealthStore.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpOperator, type TestPerson } from "./TestPerson.ts"

const nowMs = Date.now()
const row = (route: string, family: string, of: Partial<HealthRow>): HealthRow => ({
  ...noTally,
  route,
  family,
  atMs: nowMs,
  ...of
})

const announced = { on: false, vi: "Tối nay", en: "Tonight", until: null }

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard({
    environment: {
      ANTHROPIC_API_KEY: "a",
      OPENAI_API_KEY: "b",
      XAI_API_KEY: "c",
      ZAI_API_KEY: "d",
      MISTRAL_API_KEY: "e",
      MINIMAX_API_KEY: "f"
    }
  })
  await writeRouteHealth(dashboard.sql, "a", [
    row("anthropic#0", "claude", { calls: 100, failures: { forbidden: 60 } }),
    row("anthropic#0", "claude", { calls: 10, failures: { server: 9 }, atMs: nowMs - 3 * 3_600_000 }),
    // By a node whose clock was ahead.
    row("anthropic#0", "claude", { calls: 100, failures: { server: 100 }, atMs: nowMs + 3_600_000 }),
    row("openai#0", "gpt", { calls: 100, failures: { busy: 10 } }),
    row("xai#0", "grok", { calls: 10, failures: { connect: 9 } }),
    // Whoever asked the first went on to the second.
    row("mistral#0", "mistral", { calls: 10, failures: { busy: 10 }, passedOver: 10 }),
    row("mistral#1", "mistral", { calls: 10 })
  ])
  operator = await signUpOperator(dashboard, "op@example.com")
  await operator.post("/dashboard/api/operator/notice", {
    notice: { vi: "Tối nay", en: "Tonight", until: null }
  })
  for (const model of ["minimax-m3", "req/minimax-m3"])
    await operator.post("/dashboard/api/operator/models", { model, disabled: true })
  await operator.post("/dashboard/api/operator/routes/set", { route: "zai#0", paused: true, weight: null })
})
afterAll(() => dashboard.stop())

const ask = (path = "/status.json") => fetch(dashboard.url + path, { redirect: "manual" })

describe("the public status", () => {
  it("tells everyone how each family fares, without names of providers and routes or numbers of calls", async () => {
    const answer = await ask()
    const text = await answer.text()
    const { families, maintenance, notice } = JSON.parse(text)
    assert.strictEqual(answer.status, 200)
    assert.isFalse(maintenance)
    assert.deepStrictEqual(notice, announced)
    const statuses = Object.fromEntries(
      families.map(({ family, status }: { family: string; status: string }) => [family, status])
    )
    assert.include(statuses, {
      claude: "operational",
      gpt: "degraded",
      grok: "down",
      glm: "down",
      mistral: "operational"
    })
    assert.notProperty(statuses, "gemini")
    assert.notProperty(statuses, "minimax", "what is taken off the list is not offered")
    const { hours } = families.find(({ family }: { family: string }) => family === "claude")
    assert.lengthOf(hours, 24)
    assert.deepStrictEqual(
      hours.map(({ level }: { level: string }) => level).filter((level: string) => level !== "idle"),
      ["down", "good"]
    )
    assert.notMatch(text, /anthropic|openai|xai|zai|#0|"calls"/)
  })

  it("is asked of the database once in a while, however many ask", async () => {
    const told = new Set<string>()
    // What is told of a family is different in each round; its time may be over in one of them.
    for (const failures of [0, 30, 1_000, 0, 30, 1_000]) {
      const tally = { calls: 1_000, failures: { server: failures } }
      await writeRouteHealth(dashboard.sql, "b", [row("anthropic#0", "claude", tally)])
      const answers = await Promise.all(Array.from({ length: 10 }, async () => (await ask()).text()))
      for (const answer of answers) told.add(answer)
    }
    assert.isAtMost(told.size, 2)
  })

  it("fills no log where the database can not be asked, however many ask", async () => {
    const other = await startTestDashboard({ databaseUrl: dashboard.databaseUrl })
    await dashboard.sql`alter table route_health rename to route_health_away`
    try {
      const asked = Array.from({ length: 60 }, async () => (await fetch(`${other.url}/status.json`)).status)
      assert.deepStrictEqual(new Set(await Promise.all(asked)), new Set([503]))
      assert.lengthOf(
        other.warnings.filter((warning) => warning.startsWith("Could not answer GET")),
        20
      )
    } finally {
      await dashboard.sql`alter table route_health_away rename to route_health`
      await other.stop()
    }
  })

  it("says what operators say of maintenance, to pages that stay open without all the rest", async () => {
    const ask = async () => (await fetch(`${dashboard.url}/dashboard/api/notice`)).json()
    assert.deepStrictEqual(await ask(), { notice: announced })
    await operator.post("/dashboard/api/operator/notice", { notice: null })
    assert.deepStrictEqual(await ask(), { notice: null })
  })

  it("has a page", async () => {
    const answer = await ask("/status")
    assert.deepStrictEqual([answer.status, answer.headers.get("location")], [302, "/dashboard/status"])
  })
})
