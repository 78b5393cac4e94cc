/** Two who change the same thing at once, or by pages of different age: what one has changed the other does not undo. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf, personOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"
const rounds = 20

let dashboard: TestDashboard
let person: TestPerson
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard({ environment: { ANTHROPIC_API_KEY: "a-key" } })
  person = await signUpPerson(dashboard, "lan@example.com")
  operator = await signUpOperator(dashboard, "op@example.com")
})
afterAll(() => dashboard.stop())

const makeKey = async (settings: object = {}) =>
  (await person.post(`${api}/keys`, { name: "k", ...settings })).body as { id: string; key: string }
const keyOf = async (id: string) =>
  (await person.get(`${api}/keys`)).body.keys.find((key: { id: string }) => key.id === id)

describe("of what is not given", () => {
  it("billing details stay, whoever set them meanwhile", async () => {
    const set = (body: unknown) => person.post(`${api}/billing`, body)
    await set({ company: "Công ty A", tax_code: "0101234567", address: "Huế", email: "a@example.com" })
    await Promise.all([set({ company: "Công ty B" }), set({ address: "Hà Nội" }), set({ tax_code: "" })])
    const whole = { company: "Công ty B", tax_code: "", address: "Hà Nội", email: "a@example.com" }
    assert.deepStrictEqual((await set({})).body.details, whole)
    assert.deepStrictEqual((await person.get(`${api}/billing`)).body.details, whole)
    assert.strictEqual((await set({ email: "none" })).status, 400)
  })

  it("alerts stay", async () => {
    const set = (body: unknown) => person.post(`${api}/alerts`, body)
    const { settings } = (await person.get(`${api}/alerts`)).body
    await Promise.all([
      set({ days_left: 5 }),
      set({ balance_below_vnd: "70000" }),
      set({ mail: ["budget.spent"] })
    ])
    const changed = { ...settings, days_left: 5, balance_below_vnd: "70000", mail: ["budget.spent"] }
    assert.deepStrictEqual((await set({})).body.settings, changed)
    const never = await set({ days_left: null, balance_below_vnd: null })
    assert.deepInclude(never.body.settings, {
      days_left: null,
      balance_below_vnd: null,
      mail: ["budget.spent"]
    })
    assert.strictEqual((await set({ days_left: 0 })).status, 400)
    assert.strictEqual((await set({ balance_below_vnd: "0" })).status, 400)
  })

  it("a route's pause and weight stay, and so do an added one's fields", async () => {
    const routeOf = async (id: string) =>
      (await operator.get(`${api}/operator/routes`)).body.routes.find(
        (route: { id: string }) => route.id === id
      )
    const set = (body: object) => operator.post(`${api}/operator/routes/set`, body)
    await Promise.all([set({ route: "anthropic#0", paused: true }), set({ route: "anthropic#0", weight: 3 })])
    assert.deepInclude(await routeOf("anthropic#0"), { paused: true, own_weight: 3 })
    await set({ route: "anthropic#0", weight: null })
    assert.deepInclude(await routeOf("anthropic#0"), { paused: true, own_weight: null })

    const fields = { base_url: "https://example.com", key: "a-key-of-sixteen", models: [], priority: 1 }
    const { id } = (await operator.post(`${api}/operator/routes`, { provider: "anthropic", ...fields })).body
    const change = (body: object) => operator.post(`${api}/operator/routes/change`, { route: id, ...body })
    await Promise.all([change({ priority: 7 }), change({ models: ["claude-sonnet-5"] }), change({})])
    const after = { priority: 7, models: ["claude-sonnet-5"], base_url: fields.base_url, key_hint: "teen" }
    assert.deepInclude(await routeOf(id), after)
    assert.strictEqual((await change({ base_url: "https://other.example" })).body.error.code, "route_refused")
  })
})

describe("a route that is added twice under one name", () => {
  const fields = { provider: "anthropic", base_url: "https://example.com", models: [] }
  const add = (id: string, priority: number) =>
    operator.post(`${api}/operator/routes`, { ...fields, id, key: "a-key-of-sixteen", priority })

  it("is one, as it was sent last, and does not come back once it was removed", async () => {
    const name = crypto.randomUUID()
    const added = await Promise.all([add(name, 3), add(name, 3)])
    const ids = [...added, await add(name, 5)].map(({ body }) => body.id)
    assert.deepStrictEqual(new Set(ids).size, 1)
    const { routes } = (await operator.get(`${api}/operator/routes`)).body
    const there = routes.filter(({ base_url }: { base_url: string }) => base_url === fields.base_url)
    assert.deepStrictEqual(
      there
        .filter(({ id }: { id: string }) => id === ids[0])
        .map((route: { priority: number }) => route.priority),
      [5]
    )
    const other = await add(crypto.randomUUID(), 5)
    assert.notStrictEqual(other.body.id, ids[0])
    await operator.post(`${api}/operator/routes/remove`, { route: ids[0] })
    assert.strictEqual((await add(name, 5)).body.error.code, "route_refused")
  })
})

describe("a route that is removed", () => {
  it("is not set any more, by whoever asks at the same moment", async () => {
    const fields = {
      provider: "anthropic",
      base_url: "https://example.com",
      key: "k",
      models: [],
      priority: 1
    }
    for (let round = 0; round < rounds; round += 1) {
      const { id: route } = (await operator.post(`${api}/operator/routes`, fields)).body
      const [removed] = await Promise.all([
        operator.post(`${api}/operator/routes/remove`, { route }),
        operator.post(`${api}/operator/routes/set`, { route, paused: true })
      ])
      assert.strictEqual(removed.status, 200)
      assert.lengthOf(await dashboard.sql`select from route_settings where route = ${route}`, 0)
    }
  })
})

describe("a key's budget", () => {
  it("has the amount of one and the period of the other", async () => {
    const { id } = await makeKey()
    for (let round = 0; round < rounds; round += 1) {
      await person.post(`${api}/keys/${id}`, { budget_vnd: "1000", budget_period: "day" })
      await Promise.all([
        person.post(`${api}/keys/${id}`, { budget_vnd: "2000" }),
        person.post(`${api}/keys/${id}`, { budget_period: "month" })
      ])
      assert.deepInclude(await keyOf(id), { budget_vnd: "2000", budget_period: "month" })
    }
    await person.post(`${api}/keys/${id}/revoke`)
  })

  it("does not come back by a period once it was taken back", async () => {
    const { id } = await makeKey()
    for (let round = 0; round < rounds; round += 1) {
      await person.post(`${api}/keys/${id}`, { budget_vnd: "1000", budget_period: "day" })
      await Promise.all([
        person.post(`${api}/keys/${id}`, { budget_vnd: null }),
        person.post(`${api}/keys/${id}`, { budget_period: "week" })
      ])
      assert.deepInclude(await keyOf(id), { budget_vnd: null, budget_period: null })
    }
    await person.post(`${api}/keys/${id}/revoke`)
  })
})

describe("a password", () => {
  it("is changed once by what is current: the second is refused, and only the first has a session", async () => {
    const email = "doi-hai-lan@example.com"
    const here = await signUpPerson(dashboard, email)
    for (let round = 0, current = testPassword; round < 2; round += 1) {
      const there = new TestPerson(dashboard)
      await there.signIn(email, current)
      // As the next tab has it.
      const tab = new TestPerson(dashboard)
      for (const pair of here.cookie.split("; ")) tab.setCookie(...(pair.split(/=(.*)/s) as [string, string]))
      const people = [here, there, tab]
      const wanted = people.map((_, index) => `password ${index} of round ${round}`)
      const answers = await Promise.all(
        people.map((person, index) =>
          person.post(`${api}/auth/change-password`, {
            currentPassword: current,
            newPassword: wanted[index]
          })
        )
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400])
      const won = answers.findIndex(({ status }) => status === 200)
      for (const { body, headers, status } of answers)
        if (status === 400) {
          assert.strictEqual(body.error.code, "INVALID_PASSWORD")
          assert.deepStrictEqual(headers.getSetCookie(), [])
        }
      const alive = await Promise.all(people.map(personOf))
      assert.deepStrictEqual(
        alive.map((session) => session !== undefined),
        people.map((_, index) => index === won)
      )
      assert.strictEqual((await new TestPerson(dashboard).signIn(email, current)).status, 401)
      current = wanted[won]!
      assert.strictEqual((await here.signIn(email, current)).status, 200)
    }
  })
})

describe("a secret that was seen", () => {
  it("of a key is replaced once: what is sent again does not end the one that lives on", async () => {
    const { id } = await makeKey()
    const { hint } = await keyOf(id)
    const body = { password: testPassword, overlap_days: 7, former_hint: hint }
    const rotate = () => person.post(`${api}/keys/${id}/rotate`, body)
    const statuses = (await Promise.all([rotate(), rotate()])).map(({ status }) => status)
    assert.deepStrictEqual(statuses.toSorted(), [200, 409])
    const again = await rotate()
    assert.strictEqual(again.body.error.code, "secret_replaced")
    const [row] = await dashboard.sql`select secret_number from keys where id = ${id}`
    assert.strictEqual(row?.["secret_number"], 1)
    await person.post(`${api}/keys/${id}/revoke`)
    assert.strictEqual((await rotate()).body.error.code, "key_revoked")
  })

  it("of a webhook is, too", async () => {
    const made = await person.post(`${api}/alerts/webhooks`, { url: "https://minh.example/hook", kinds: [] })
    const { id } = made.body
    const listed = async () => (await person.get(`${api}/alerts`)).body.webhooks[0].former_secret_until
    const rotate = (former: number | null) =>
      person.post(`${api}/alerts/webhooks/${id}/rotate`, { overlap_hours: 24, former_secret_until: former })
    assert.strictEqual((await rotate(null)).status, 200)
    assert.strictEqual((await rotate(null)).body.error.code, "secret_replaced")
    const until = await listed()
    assert.strictEqual((await rotate(until)).status, 200)
    assert.strictEqual((await rotate(until)).body.error.code, "secret_replaced")
    await dashboard.sql`update webhook_endpoints set former_until = now() - interval '1 second' where id = ${id}`
    assert.strictEqual((await rotate(await listed())).status, 200)
  })
})

describe("a page that is shown to one person", () => {
  it("does nothing as another who has signed in since", async () => {
    const shownTo = { "x-tollgate-person": await accountOf(person) }
    const ask = (path: string, body: object) => operator.post(`${api}${path}`, body, shownTo)
    const answers = await Promise.all([
      ask("/keys", { name: "k" }),
      ask("/person/close", { password: testPassword }),
      ask("/operator/maintenance", { on: true }),
      ask("/auth/change-password", { currentPassword: testPassword, newPassword: "another long password" }),
      ask("/auth/two-factor/enable", { password: testPassword }),
      operator.get(`${api}/keys`, shownTo),
      operator.get(`${api}/usage.csv?${new URLSearchParams(shownTo)}`)
    ])
    for (const { body, status } of answers) {
      assert.strictEqual(status, 409)
      assert.strictEqual(body.error?.code, "signed_in_anew")
    }
    assert.lengthOf((await operator.get(`${api}/keys`)).body.keys, 0)
    assert.strictEqual((await person.get(`${api}/keys`, shownTo)).status, 200)
    assert.strictEqual((await new TestPerson(dashboard).get(`${api}/keys`, shownTo)).status, 401)
  })
})
