/** What a call cost can be worked out from what is told of it, also after prices have changed; its route is for operators. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { type CallExtras, type CallRecord, noExtras } from "../../src/domain/call.ts"
import { formatVnd } from "../../src/domain/money.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { type Answer, signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
let customer: TestPerson
let place: string
let records: ReadonlyArray<CallRecord>

beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com", "Op", "support")
  customer = await signUpPerson(dashboard, "lan@example.com")
  const accountId = await accountOf(customer)
  place = `${api}/operator/accounts/${accountId}`
  const { id: keyId } = (await customer.post(`${api}/keys`, { name: "Laptop" })).body
  const changed = (index: number, extras: Partial<CallExtras>, changes: Partial<CallRecord>): CallRecord => ({
    ...sampleCall(accountId, keyId, index, Date.now() - index * 1_000),
    inputTokens: 100,
    outputTokens: 23,
    status: 200,
    errorType: "",
    perMtokVnd: 6_501,
    ...changes,
    extras: { ...noExtras, route: "anthropic#1", ...extras }
  })
  const others = [
    { model: "a", inputTokens: 40, outputTokens: 2, perMtokVnd: 900, isApart: false },
    { model: "b", inputTokens: 7, outputTokens: 1, perMtokVnd: 8_300, isApart: true }
  ].map((other) => Object.assign(other, { cacheReadTokens: 0, cacheWriteTokens: 0 }))
  const tools = [
    { tool: "web_search", uses: 3, price: 260_500_000n },
    { tool: "mcp", uses: 2, price: undefined }
  ]
  records = [
    changed(1, {}, { cost: 123n * 6_501n }),
    changed(2, { factor: "1.1", tier: "us" }, { cost: 879_586n }),
    changed(3, { others, toolUses: tools }, { cost: 81n * 6_501n + 42n * 900n + 8n * 8_300n + 781_500_000n }),
    changed(4, {}, { ...image, cost: 3_000_000_000n }),
    changed(
      5,
      { attempts: [attempt("anthropic#0", "broken"), attempt("anthropic#1", 200)] },
      { cost: 799_623n }
    ),
    changed(6, {}, { ...limited, cost: 0n }),
    changed(7, { route: "" }, { ...limited, cost: 0n })
  ]
  await writeCalls(dashboard.databaseUrl, records)
})
afterAll(() => dashboard.stop())

const image = {
  endpoint: "images_generations",
  model: "req/gpt-image-2",
  inputTokens: 0,
  outputTokens: 0,
  perMtokVnd: null,
  perRequestVnd: 1_000,
  units: 3
} as const
const limited = {
  status: 429,
  errorType: "rate_limit_error",
  inputTokens: 0,
  outputTokens: 0
} as const
const attempt = (route: string, outcome: number | string) => ({ route, outcome, ms: 5 })

/** As somebody does it who has the page and a sheet of paper. */
const sumOf = (call: Answer["body"]): bigint => {
  const others = call.other_tokens as ReadonlyArray<Answer["body"]>
  const tokensOf = (of: Answer["body"]) => of.input_tokens + of.output_tokens
  const own = others.reduce((left, other) => left - (other.apart ? 0 : tokensOf(other)), tokensOf(call))
  const flat = call.per_mtok_vnd === null ? call.per_request_vnd * 1e6 * call.units : call.per_mtok_vnd * own
  const whole = others.reduce((sum, other) => sum + other.per_mtok_vnd * tokensOf(other), flat)
  const tools = call.tool_uses.reduce(
    (sum: number, { uses, vnd }: Answer["body"]) => sum + uses * Math.round(Number(vnd ?? 0) * 1e6),
    0
  )
  return BigInt(Math.ceil(whole * Number(call.factor)) + tools)
}

describe("a call that is told", () => {
  it("has all that its cost was made of", async () => {
    const { calls } = (await customer.get(`${api}/calls`)).body
    assert.deepStrictEqual(
      calls.map((call: Answer["body"]) => [call.id, call.cost_vnd, formatVnd(sumOf(call))]),
      records.map(({ callId, cost }) => [callId, formatVnd(cost), formatVnd(cost)])
    )
  })

  it("names its route and those of its attempts to operators alone", async () => {
    const own = (await customer.get(`${api}/calls`)).text
    assert.notInclude(own, "anthropic#")
    const { calls } = (await operator.get(`${place}/calls`)).body
    assert.strictEqual(calls[0].route, "anthropic#1")
    assert.deepStrictEqual(calls[4].attempts, [
      { route: "anthropic#0", outcome: "broken", ms: 5 },
      { route: "anthropic#1", outcome: "200", ms: 5 }
    ])
  })

  it.each([
    ["the provider's or the key's own", new Date(0), [true, false]],
    [
      "but not of a call of a former version, which kept no routes",
      new Date(Date.now() + 86_400_000),
      [true, null]
    ]
  ])("says whose limit a 429 was: %s", async (_which, routesSince, told) => {
    await dashboard.sql`update schema_migrations set applied_at = ${routesSince} where version = 24`
    const { calls } = (await customer.get(`${api}/calls?status=429`)).body
    assert.deepStrictEqual(
      calls.map((call: Answer["body"]) => call.provider_asked),
      told
    )
  })
})

describe("what lies ahead of a customer", () => {
  it("is told to an operator as to the customer", async () => {
    const own = await customer.get(`${api}/overview/outlook`)
    assert.strictEqual(own.status, 200, own.text)
    assert.deepStrictEqual((await operator.get(`${place}/outlook`)).body, own.body)
    assert.strictEqual((await customer.get(`${place}/outlook`)).status, 404)
  })
})
