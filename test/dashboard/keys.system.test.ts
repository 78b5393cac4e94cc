import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { hashKey } from "../../src/accounts/hash-key.ts"
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
    const created = (await person.post(`${api}/keys`, { name: "Máy chủ", rate_limit: 60 })).body
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
    const created = (await person.post(`${api}/keys`, { name: "a", rate_limit: 0 })).body
    const list = await person.get(`${api}/keys`)
    assert.notInclude(list.text, created.key)
    assert.include(created.key, list.body.keys[0].hint.split("…")[1])
  })

  it("number ten at most, also when created at the same time", async () => {
    const person = await signUpPerson(dashboard, "muoi@example.com")
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        person.post(`${api}/keys`, { name: `k${index}`, rate_limit: 0 })
      )
    )
    assert.strictEqual(answers.filter(({ status }) => status === 201).length, 10)
    const refused = answers.filter(({ status }) => status !== 201)
    assert.isTrue(refused.every(({ body, status }) => status === 409 && body.error.code === "too_many_keys"))
  })

  it("are revoked for good: the secret is gone, the name stays", async () => {
    const person = await signUpPerson(dashboard, "thu-hoi@example.com")
    const created = (await person.post(`${api}/keys`, { name: "cũ", rate_limit: 0 })).body
    assert.strictEqual((await person.post(`${api}/keys/${created.id}/revoke`)).status, 200)
    assert.strictEqual((await person.get(`${api}/keys`)).body.keys[0].status, "revoked")
    const reveal = await person.post(`${api}/keys/${created.id}/reveal`, { password: testPassword })
    assert.strictEqual(reveal.status, 409)
    const [row] = await dashboard.sql`
      select status, sealed_secret from keys where secret_hash = ${hashKey(created.key)}`
    assert.deepStrictEqual(row, { status: "revoked", sealed_secret: null })
  })

  it.each([
    ["an empty name", { name: " ", rate_limit: 0 }],
    ["a name with a line break", { name: "a\nb", rate_limit: 0 }],
    ["a negative limit", { name: "a", rate_limit: -1 }],
    ["half a call per minute", { name: "a", rate_limit: 0.5 }],
    ["no limit at all", { name: "a" }],
    ["not JSON", "{"]
  ])("are not made of %s", async (_, body) => {
    const person = await signUpPerson(dashboard, `${crypto.randomUUID()}@example.com`)
    assert.strictEqual((await person.post(`${api}/keys`, body)).status, 400)
  })
})
