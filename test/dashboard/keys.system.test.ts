import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { hashSecret } from "../../src/accounts/hash-secret.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpPerson, testPassword } from "./TestPerson.ts"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

const api = "/dashboard/api"

describe("keys", () => {
  it("are shown again for the password, uncached, with a row in the audit log", async () => {
    const person = await signUpPerson(dashboard, "xem@example.com")
    const created = (await person.post(`${api}/keys`, { name: "Máy chủ", rate_limit_per_minute: 60 })).body
    const wrong = await person.post(`${api}/keys/${created.id}/reveal`, { password: "not it" })
    assert.deepStrictEqual([wrong.status, wrong.body], [403, { error: { code: "wrong_password" } }])
    const shown = await person.post(`${api}/keys/${created.id}/reveal`, { password: testPassword })
    assert.strictEqual(shown.body.key, created.key)
    assert.strictEqual(shown.headers.get("cache-control"), "no-store")
    const rows = await dashboard.sql`select action from audit_log where subject = ${created.id} order by id`
    assert.deepStrictEqual(
      rows.map((row) => row["action"]),
      ["key.create", "key.show"]
    )
  })

  it("never stand in a list, only what they are recognised by", async () => {
    const person = await signUpPerson(dashboard, "danh-sach@example.com")
    const created = (await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0 })).body
    const list = await person.get(`${api}/keys`)
    assert.notInclude(list.text, created.key)
    assert.include(created.key, list.body.keys[0].hint.split("…")[1])
  })

  it("number ten at most, also when created at the same time", async () => {
    const person = await signUpPerson(dashboard, "muoi@example.com")
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        person.post(`${api}/keys`, { name: `k${index}`, rate_limit_per_minute: 0 })
      )
    )
    assert.strictEqual(answers.filter(({ status }) => status === 201).length, 10)
    const refused = answers.filter(({ status }) => status !== 201)
    assert.isTrue(refused.every(({ body, status }) => status === 409 && body.error.code === "too_many_keys"))
  })

  it("are revoked for good: the secret is gone, the name stays", async () => {
    const person = await signUpPerson(dashboard, "thu-hoi@example.com")
    const created = (await person.post(`${api}/keys`, { name: "cũ", rate_limit_per_minute: 0 })).body
    assert.strictEqual((await person.post(`${api}/keys/${created.id}/revoke`)).status, 200)
    assert.strictEqual((await person.get(`${api}/keys`)).body.keys[0].status, "revoked")
    const reveal = await person.post(`${api}/keys/${created.id}/reveal`, { password: testPassword })
    assert.strictEqual(reveal.status, 409)
    const [row] = await dashboard.sql`
      select status, sealed_secret from keys where secret_hash = ${hashSecret(created.key)}`
    assert.deepStrictEqual(row, { status: "revoked", sealed_secret: null })
  })

  it("are changed, paused and go on, and show what was set", async () => {
    const person = await signUpPerson(dashboard, "ngan-sach@example.com")
    const set = { budget_vnd: "50000", budget_period: "week", models: ["claude-*"], endpoints: ["messages"] }
    const created = (await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0, ...set })).body
    const shown = async () => (await person.get(`${api}/keys`)).body.keys[0]
    assert.deepInclude(await shown(), { ...set, budget_spent_vnd: "0", paused: false, allowed_ips: null })
    const change = (body: object) => person.post(`${api}/keys/${created.id}`, body)
    assert.strictEqual((await change({ name: "b", paused: true, allowed_ips: ["10.1.2.3"] })).status, 200)
    assert.deepInclude(await shown(), { ...set, name: "b", paused: true, allowed_ips: ["10.1.2.3/32"] })
    assert.strictEqual(
      (await change({ budget_vnd: null, models: null, endpoints: null, paused: false })).status,
      200
    )
    assert.deepInclude(await shown(), {
      name: "b",
      budget_vnd: null,
      models: null,
      endpoints: null,
      paused: false
    })
    for (const bad of [
      { budget_vnd: "-1" },
      { budget_vnd: "1,5" },
      { models: [] },
      { allowed_ips: ["here"] },
      { paused: 1 }
    ]) {
      assert.strictEqual((await change(bad)).status, 400, JSON.stringify(bad))
    }
    await person.post(`${api}/keys/${created.id}/revoke`)
    const refused = await change({ name: "c" })
    assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "key_revoked"])
  })

  it("keep of a budget what is not set anew", async () => {
    const person = await signUpPerson(dashboard, "mot-phan@example.com")
    const { id } = (await person.post(`${api}/keys`, { name: "a" })).body
    const change = (body: object) => person.post(`${api}/keys/${id}`, body)
    const alone = await change({ budget_period: "day" })
    const message = "The budget period needs a budget"
    assert.deepStrictEqual([alone.status, alone.body], [400, { error: { code: "invalid", message } }])
    for (const [body, vnd, period] of [
      [{ budget_vnd: "5000" }, "5000", "total"],
      [{ budget_period: "week" }, "5000", "week"],
      [{ budget_vnd: "7000" }, "7000", "week"],
      [{ name: "b" }, "7000", "week"],
      [{ budget_vnd: null, budget_period: "day" }, null, null]
    ] as const) {
      assert.strictEqual((await change(body)).status, 200)
      const [key] = (await person.get(`${api}/keys`)).body.keys
      assert.deepStrictEqual([key.budget_vnd, key.budget_period], [vnd, period], JSON.stringify(body))
    }
  })

  it("are given a new secret for the password, with a row in the audit log that has none", async () => {
    const person = await signUpPerson(dashboard, "xoay@example.com")
    const created = (await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0 })).body
    const rotate = (password: string, overlap_days: number) =>
      person.post(`${api}/keys/${created.id}/rotate`, { password, overlap_days })
    assert.strictEqual((await rotate("not it", 1)).status, 403)
    assert.strictEqual((await rotate(testPassword, 8)).status, 400)
    const rotated = await rotate(testPassword, 2)
    assert.strictEqual(rotated.status, 200)
    assert.notStrictEqual(rotated.body.key, created.key)
    const [key] = (await person.get(`${api}/keys`)).body.keys
    assert.include(rotated.body.key, key.hint.split("…")[1])
    assert.approximately(key.former_secret_until, Date.now() + 2 * 86_400_000, 60_000)
    const [row] = await dashboard.sql`
      select detail from audit_log where subject = ${created.id} and action = 'key.rotate'`
    assert.deepStrictEqual(row?.["detail"], { overlap_seconds: 172_800 })
  })

  it.each([
    ["an empty name", { name: " ", rate_limit_per_minute: 0 }],
    ["a name with a line break", { name: "a\nb", rate_limit_per_minute: 0 }],
    ["a negative limit", { name: "a", rate_limit_per_minute: -1 }],
    ["half a call per minute", { name: "a", rate_limit_per_minute: 0.5 }],
    ["a limit by another name", { name: "a", rate_limit: 5 }],
    ["no name", { rate_limit_per_minute: 0 }],
    ["not JSON", "{"]
  ])("are not made of %s", async (_, body) => {
    const person = await signUpPerson(dashboard, `${crypto.randomUUID()}@example.com`)
    assert.strictEqual((await person.post(`${api}/keys`, body)).status, 400)
  })

  it("are made with a name alone, and with all that may be set", async () => {
    const person = await signUpPerson(dashboard, "moi-thu@example.com")
    const set = {
      name: "b",
      budget_vnd: "500000",
      budget_period: "week",
      models: ["claude-*"],
      endpoints: ["messages"],
      allowed_ips: ["10.0.0.0/8"],
      expires_at: Date.now() + 86_400_000,
      rate_limit_per_minute: 5,
      paused: true
    }
    for (const body of [{ name: "a" }, set])
      assert.strictEqual((await person.post(`${api}/keys`, body)).status, 201)
    const [second, first] = (await person.get(`${api}/keys`)).body.keys
    assert.deepInclude(first, { name: "a", rate_limit_per_minute: 0, budget_vnd: null, paused: false })
    assert.deepInclude(second, set)
    const taken = await person.post(`${api}/keys/${second.id}`, { rate_limit_per_minute: null })
    assert.strictEqual(taken.status, 200)
    assert.strictEqual((await person.get(`${api}/keys`)).body.keys[0].rate_limit_per_minute, 0)
  })

  it("are refused with what is wrong, by the name of the field", async () => {
    const person = await signUpPerson(dashboard, "nham@example.com")
    const wrong: ReadonlyArray<readonly [object, string]> = [
      [{ name: "a", budget: "5" }, "budget is not known here"],
      [{ name: "a", budget_vnd: 5 }, "budget_vnd is not as /api/openapi.json describes it"],
      [{ name: "a", models: [5] }, "models.0 is not as /api/openapi.json describes it"],
      [{}, "name is missing"],
      [{ name: "a", "<b>": 1 }, "A field is not known here"],
      [
        { name: "a", budget_vnd: "500.000" },
        "budget_vnd must be a decimal number of VND such as 500000 or 0.83, without separators"
      ],
      [{ name: "a", budget_vnd: "0" }, "The budget must be above 0 and at most 1000000000000 VND"],
      [
        { name: "a", budget_vnd: "1000000000000.1" },
        "The budget must be above 0 and at most 1000000000000 VND"
      ],
      [
        { name: "a", allowed_ips: ["here"] },
        "The address must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32"
      ]
    ]
    for (const [body, message] of wrong) {
      const refused = await person.post(`${api}/keys`, body)
      assert.deepStrictEqual([refused.status, refused.body], [400, { error: { code: "invalid", message } }])
    }
    assert.isEmpty((await person.get(`${api}/keys`)).body.keys)
  })
})
