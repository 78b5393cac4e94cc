/** A customer's page: an operator sees what the customer sees, and can help with their keys. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const dayMs = 86_400_000

let dashboard: TestDashboard
let operator: TestPerson
let customer: TestPerson
let place: string
let accountId: string
let keyId: string
let oldCallId: string

beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com", "Op", "support")
  customer = await signUpPerson(dashboard, "lan@example.com")
  accountId = await accountOf(customer)
  place = `${api}/operator/accounts/${accountId}`
  keyId = (await customer.post(`${api}/keys`, { name: "Laptop", rate_limit_per_minute: 0 })).body.id
  const old = sampleCall(accountId, keyId, 1, Date.now() - 50 * dayMs)
  oldCallId = old.callId
  const recent = Array.from({ length: 12 }, (_, index) =>
    sampleCall(accountId, keyId, index, Date.now() - index * 3_600_000)
  )
  await writeCalls(dashboard.databaseUrl, [old, ...recent])
})
afterAll(() => dashboard.stop())

/** Which only operators are told. */
const withoutRoutes = (body: object) =>
  JSON.parse(JSON.stringify(body), (name, value) => (name === "route" ? undefined : value))

describe("a customer's page", () => {
  it.each([
    "usage",
    "usage?bucket=hour&from=0&to=3600000&stack=key",
    "calls",
    "calls?status=429",
    "statement?from=2020-01-01"
  ])("shows of %s what the customer sees", async (path) => {
    const own = await customer.get(`${api}/${path}`)
    assert.strictEqual(own.status, 200, own.text)
    assert.deepStrictEqual(withoutRoutes((await operator.get(`${place}/${path}`)).body), own.body)
  })

  it("narrows calls to a key and a status", async () => {
    const count = async (query: string) => (await operator.get(`${place}/calls?${query}`)).body.calls.length
    assert.strictEqual(await count(`key=${keyId}`), 12)
    assert.strictEqual(await count("key=key_other"), 0)
    assert.strictEqual(await count("status=429"), 1)
  })

  it("has a call by its request id alone, however old it is", async () => {
    const { calls } = (await operator.get(`${place}/calls?request_id=${oldCallId}`)).body
    assert.deepStrictEqual(
      calls.map(({ id }: { id: string }) => id),
      [oldCallId]
    )
    const other = await operator.get(`${place}/calls?request_id=req_none`)
    assert.deepStrictEqual([other.status, other.body.calls], [200, []])
  })

  it("tells what was done to the account's keys, by whom, and whether there is more", async () => {
    const view = async () => (await operator.get(place)).body
    await customer.post(`${api}/keys/${keyId}`, { paused: true })
    await customer.post(`${api}/keys/${keyId}`, { paused: false })
    const { audit, has_more_audit: hasMore } = await view()
    assert.deepStrictEqual(
      audit
        .slice(0, 2)
        .map((each: Record<string, unknown>) => [each["action"], each["actor"], each["subject_id"]]),
      [
        ["key.update", "lan@example.com", keyId],
        ["key.update", "lan@example.com", keyId]
      ]
    )
    assert.isFalse(hasMore)
    await dashboard.sql`
      insert into audit_log (actor, action, subject) select ${accountId}, 'key.show', ${keyId} from generate_series(1, 20)`
    const later = await view()
    assert.deepStrictEqual([later.audit.length, later.has_more_audit], [20, true])
  })

  it("tells who may act for the account", async () => {
    const member = await joinAccount(dashboard, customer, "mai@example.com", "billing")
    const { members } = (await operator.get(`${place}/members`)).body
    assert.deepStrictEqual(members, (await customer.get(`${api}/members`)).body.members)
    assert.deepStrictEqual(
      members.map((each: Record<string, unknown>) => [each["email"], each["role"], each["is_founder"]]),
      [
        ["lan@example.com", "owner", true],
        ["mai@example.com", "billing", false]
      ]
    )
    assert.strictEqual((await member.get(`${place}/members`)).status, 404)
  })

  it("tells whom papers are made out to", async () => {
    const details = { company: "Công ty Lan", tax_code: "0101234567", address: "Huế", email: "" }
    await customer.post(`${api}/billing`, details)
    assert.deepStrictEqual((await operator.get(place)).body.billing, details)
  })

  it("is of no account that there is none of", async () => {
    for (const path of ["", "/usage", "/calls", "/statement", "/keys", "/members", "/notes"])
      assert.strictEqual((await operator.get(`${api}/operator/accounts/acc_none${path}`)).status, 404, path)
  })
})

describe("a customer's key", () => {
  const keys = async () =>
    (await operator.get(`${place}/keys`)).body.keys.map((key: Record<string, unknown>) => [
      key["id"],
      key["status"],
      key["paused"]
    ])
  const actions = async () => {
    const rows = await dashboard.sql`
      select a.email, l.action, l.detail from audit_log l join accounts a on a.id = l.actor
      where l.subject = ${keyId} and l.actor <> ${accountId} order by l.id`
    return rows.map((row) => Object.values(row))
  }

  it("is paused, goes on, and is revoked, each under the operator's name", async () => {
    const own = (await customer.get(`${api}/keys`)).body.keys
    assert.deepStrictEqual((await operator.get(`${place}/keys`)).body.keys, own)
    const pause = (paused: boolean) => operator.post(`${place}/keys/${keyId}/pause`, { paused })
    assert.strictEqual((await pause(true)).status, 200)
    assert.deepStrictEqual(await keys(), [[keyId, "active", true]])
    assert.strictEqual((await pause(false)).status, 200)
    assert.deepStrictEqual(await keys(), [[keyId, "active", false]])
    assert.strictEqual((await operator.post(`${place}/keys/${keyId}/revoke`)).status, 200)
    assert.deepStrictEqual(await keys(), [[keyId, "revoked", false]])
    assert.deepStrictEqual((await pause(true)).body, { error: { code: "key_revoked" } })
    assert.deepStrictEqual(await actions(), [
      ["op@example.com", "key.update", { paused: true }],
      ["op@example.com", "key.update", { paused: false }],
      ["op@example.com", "key.revoke", {}]
    ])
  })

  it("is reached on the page of its own account alone", async () => {
    const other = (await operator.post(`${api}/keys`, { name: "op", rate_limit_per_minute: 0 })).body.id
    assert.strictEqual((await operator.post(`${place}/keys/${other}/revoke`)).status, 404)
    assert.strictEqual((await operator.post(`${place}/keys/${other}/pause`, { paused: true })).status, 404)
  })
})

describe("a note", () => {
  const note = (text: string) => operator.post(`${place}/notes`, { text })
  const notes = async () => (await operator.get(`${place}/notes`)).body.notes

  it("tells who wrote it and when, the newest first, and is kept as it was written", async () => {
    const before = Date.now() - 60_000
    await note("Khách báo lộ key.\r\nĐã thu hồi.")
    await note("Đã gọi lại.")
    const found = await notes()
    assert.deepStrictEqual(
      found.map(({ author, text }: Record<string, string>) => [author, text]),
      [
        ["op@example.com", "Đã gọi lại."],
        ["op@example.com", "Khách báo lộ key.\nĐã thu hồi."]
      ]
    )
    assert.isAbove(found[0].at, before)
    const refused = await dashboard.sql`update account_notes set text = 'x'`.catch(String)
    assert.include(refused, "append-only")
  })

  it("has up to 2,000 characters, and no hidden ones", async () => {
    assert.strictEqual((await note("ơ".repeat(2_000))).status, 200)
    for (const text of ["", " \n ", "a".repeat(2_001), "a\u0007", "a\u202eb"])
      assert.strictEqual((await note(text)).status, 400)
  })

  it("is never shown to the customer, and not told by the audit log", async () => {
    await note("secret-note-marker")
    for (const path of ["overview", "keys", "statement", "billing", "session", "alerts"])
      assert.notInclude((await customer.get(`${api}/${path}`)).text, "secret-note-marker")
    assert.strictEqual((await customer.get(`${place}/notes`)).status, 404)
    const [row] =
      await dashboard.sql`select count(*)::int as count from audit_log where detail::text ~ 'marker'`
    assert.strictEqual(row?.["count"], 0)
  })
})
