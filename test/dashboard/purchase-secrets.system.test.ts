/** What providers are paid is told to those of the staff who have to do with money, and to nobody else, wherever they look. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { type StaffRole, staffRoles } from "../../src/domain/staff-roles.ts"
import { endpoints } from "./endpoints.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"

/** As nothing else in any answer is written. */
const told = ["7.654321", "26789.54", "13.37"]

let dashboard: TestDashboard
let customer: TestPerson
let customerId: string
const people = new Map<StaffRole, TestPerson>()
beforeAll(async () => {
  dashboard = await startTestDashboard({ environment: { ANTHROPIC_API_KEY: "the-provider-key" } })
  customer = await signUpPerson(dashboard, "lan@example.com")
  customerId = await accountOf(customer)
  for (const role of staffRoles)
    people.set(role, await signUpOperator(dashboard, `${role}@example.com`, role, role))
  const finance = people.get("finance")!
  const price = {
    route: "*",
    // Named as an account, so that what is told of the account would tell it.
    model: customerId,
    currency: "USD",
    input: told[0],
    cache_read: null,
    cache_write: null,
    output: told[0],
    per_request: "0",
    tools: {},
    from: "2026-11-01"
  }
  const rate = { currency: "USD", vnd: told[1], from: "2026-11-01" }
  const answers = [
    await finance.post(`${api}/operator/purchase-prices`, price),
    await finance.post(`${api}/operator/exchange-rates`, rate),
    await finance.post(`${api}/operator/margin/floor`, { percent: told[2] })
  ]
  assert.deepStrictEqual(
    answers.map(({ status }) => status),
    [200, 200, 200]
  )
})
afterAll(() => dashboard.stop())

/** Of this customer wherever an id stands in a path. */
const gets = endpoints.filter(({ method, path }) => method === "GET" && !path.endsWith("/events"))
const pathOf = (path: string) => `${api}${path.replace(/:\w+/, customerId).replace(/:\w+/g, "987654321")}`

const queries: Readonly<Record<string, ReadonlyArray<string>>> = {
  "/operator/audit": ["", "?action=purchase.price", "?action=purchase.rate", "?subject=margin_floor_percent"],
  "/operator/audit.csv": ["", "?action=purchase.price"],
  "/operator/search": [`?q=${told[0]}`, "?q=USD"]
}

const asked = gets.flatMap(({ path }) => (queries[path] ?? [""]).map((query) => `${path}${query}`))

const findings = async (person: TestPerson) => {
  const found = []
  for (const path of asked) {
    const { text } = await person.get(pathOf(path))
    if (
      told.some((secret) =>
        text
          .replaceAll(/[^\d.]/g, " ")
          .split(" ")
          .includes(secret)
      )
    )
      found.push(path)
  }
  return found
}

describe("what providers are paid", () => {
  it.each(["finance", "owner"] as const)("is read by %s, in the audit log, too", async (role) => {
    assert.sameMembers(await findings(people.get(role)!), [
      "/operator/accounts/:id",
      ...asked.filter((path) => path.startsWith("/operator/audit")),
      "/operator/exchange-rates",
      "/operator/margin",
      "/operator/purchase-prices"
    ])
  })

  it("is read by support nowhere, whatever endpoint they ask", async () => {
    assert.deepStrictEqual(await findings(people.get("support")!), [])
  })

  it("is read by customers nowhere", async () => {
    assert.deepStrictEqual(await findings(customer), [])
  })

  it("leaves support the rest of the audit log, with all its pages", async () => {
    const support = people.get("support")!
    for (let page = 0; page < 60; page++)
      await support.post(`${api}/operator/accounts/${customerId}/notes`, { text: `${page}` })
    const first = (await support.get(`${api}/operator/audit`)).body
    const second = (await support.get(`${api}/operator/audit?before=${first.next}`)).body
    assert.strictEqual(first.entries.length, 50)
    assert.isNotEmpty(second.entries)
    const { text } = await support.get(`${api}/operator/audit.csv`)
    assert.strictEqual(text.split("account.note").length - 1, 60)
  })
})
